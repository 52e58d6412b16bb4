import type { Artifact } from '@pawl/api';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { size } from '../../ui/amounts.ts';
import { Button } from '../../ui/button.tsx';
import css from './artifact-list.module.css';
import { ArtifactPreview } from './artifact-preview.tsx';

/** The artifacts of a run, or of one of its node runs, each with a look at what is in it. */
export function ArtifactList({
  runId,
  path,
  seq,
}: {
  readonly runId: string;
  /** Only those that this node run made. */
  readonly path?: string;
  /** Changes when there may be more. */
  readonly seq: number;
}) {
  const { t } = useTranslation();
  const { data, isError, error } = useQuery({
    queryKey: ['artifacts', runId, seq],
    queryFn: ({ signal }) => api.listArtifacts({ params: { runId }, query: { limit: 200 }, signal }),
  });
  const items = (data?.items ?? []).filter((artifact) => path === undefined || artifact.path === path);
  if (isError) return <p role="alert">{error.message}</p>;
  return (
    <ul className={css.list}>
      {items.map((artifact) => (
        <Item key={artifact.id} artifact={artifact} />
      ))}
      {data && items.length === 0 && <li className={css.note}>{t('run.artifacts.none')}</li>}
    </ul>
  );
}

function Item({ artifact }: { readonly artifact: Artifact }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { id, name, version, mediaType, bytes, path } = artifact;
  return (
    <li className={css.item}>
      <div className={css.head}>
        <b>{name}</b>
        <span className={css.note}>
          {[mediaType, size(bytes), t('run.artifacts.version', { version }), path]
            .filter(Boolean)
            .join(' · ')}
        </span>
        <span className={css.actions}>
          <Button
            aria-expanded={isOpen}
            aria-label={t('run.artifacts.lookAt', { name })}
            onClick={() => setOpen(!isOpen)}
          >
            {t('run.artifacts.look')}
          </Button>
          <a href={`/v1/artifacts/${id}/content`} download={name.split('/').at(-1)}>
            {t('run.artifacts.download')}
          </a>
        </span>
      </div>
      {isOpen && <ArtifactPreview artifact={artifact} />}
    </li>
  );
}
