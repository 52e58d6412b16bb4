import type { Artifact } from '@pawl/api';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { readableText } from '../../run/readable-text.ts';
import { size } from '../../ui/amounts.ts';
import css from './artifact-list.module.css';

/** How much of an artifact is looked at, in bytes, and how many rows of a table. */
const PREVIEW_BYTES = 64 * 1_024;
const ROWS = 50;

/** What is in an artifact: a picture, a table, a text, or that nothing of it can be shown. */
export function ArtifactPreview({ artifact }: { readonly artifact: Artifact }) {
  const { t } = useTranslation();
  const { name, mediaType, bytes, id } = artifact;
  const form = formOf(artifact);
  if (form === 'picture')
    return <img className={css.picture} src={`/v1/artifacts/${id}/content`} alt={name} />;
  if (form === 'other') return <p className={css.note}>{t('run.artifacts.noPreview', { mediaType })}</p>;
  return (
    <>
      <Beginning artifact={artifact} form={form} />
      {bytes > PREVIEW_BYTES && (
        <p className={css.note}>
          {t('run.artifacts.beginning', { shown: size(PREVIEW_BYTES), all: size(bytes) })}
        </p>
      )}
    </>
  );
}

type Form = 'picture' | 'table' | 'json' | 'text' | 'other';

function formOf({ mediaType, name }: Artifact): Form {
  const type = mediaType.split(';', 1)[0]!.trim().toLowerCase();
  if (/^image\/(png|jpeg|gif|webp|avif|svg\+xml)$/.test(type)) return 'picture';
  if (type === 'text/csv' || (type === 'text/plain' && /\.csv$/i.test(name))) return 'table';
  if (type === 'application/json' || type.endsWith('+json')) return 'json';
  return type.startsWith('text/') || /\/(xml|yaml|x-yaml|javascript|x-ndjson)$/.test(type) ? 'text' : 'other';
}

function Beginning({
  artifact,
  form,
}: {
  readonly artifact: Artifact;
  readonly form: 'table' | 'json' | 'text';
}) {
  const { t } = useTranslation();
  const { id, hash, name } = artifact;
  const { data, error } = useQuery({
    queryKey: ['artifact', id, hash],
    queryFn: async ({ signal }) => {
      const reply = await api.downloadArtifact({
        params: { artifactId: id },
        headers: artifact.bytes === 0 ? {} : { range: `bytes=0-${PREVIEW_BYTES - 1}` },
        signal,
      });
      // A character that is cut at the end is left out.
      return new TextDecoder().decode(await reply.arrayBuffer(), { stream: true });
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <p role="alert">{error.message}</p>;
  if (data === undefined) return <p className={css.note}>{t('state.loading')}</p>;
  if (form === 'table') return <Table text={data} isWhole={artifact.bytes <= PREVIEW_BYTES} name={name} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys.
    <pre className={css.text} tabIndex={0}>
      {form === 'json' ? readableText(data) : data}
    </pre>
  );
}

function Table({
  text,
  isWhole,
  name,
}: {
  readonly text: string;
  readonly isWhole: boolean;
  readonly name: string;
}) {
  const { t } = useTranslation();
  const { data, error } = useQuery({
    queryKey: ['rows', text],
    queryFn: async () => {
      const { parse } = await import('csv-parse/browser/esm/sync');
      const rows = parse(text, {
        bom: true,
        relaxColumnCount: true,
        relaxQuotes: true,
        skipEmptyLines: true,
        to: ROWS + 2,
      });
      // The last row of a beginning may be cut.
      return isWhole || rows.length > ROWS + 1 ? rows : rows.slice(0, -1);
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (error) return <pre className={css.text}>{text}</pre>;
  const [head, ...body] = data ?? [];
  if (!head) return null;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys. */}
      <div className={css.scroll} tabIndex={0} role="group" aria-label={name}>
        <table className={css.table}>
          <thead>
            <tr>
              {head.map((cell, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns may have one name.
                <th key={at} scope="col">
                  {cell}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {body.slice(0, ROWS).map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name.
              <tr key={at}>
                {row.map((cell, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other name.
                  <td key={place}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {body.length > ROWS && <p className={css.note}>{t('run.artifacts.firstRows', { count: ROWS })}</p>}
    </>
  );
}
