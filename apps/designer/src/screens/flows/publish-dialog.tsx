import { ApiError } from '@pawl/api';
import type { Json } from '@pawl/dag-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, queryClient } from '../../api/client.ts';
import { curlLine } from '../../flow-files/curl-line.ts';
import { sampleInput } from '../../flow-files/sample-input.ts';
import { FlowPreview, isDrawable, type NodeMark } from '../../graph/flow-preview.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { IssueList } from '../../ui/issue-list.tsx';
import { ShellLine } from '../../ui/shell-line.tsx';
import { DifferenceList } from './difference-list.tsx';
import css from './flow-dialog.module.css';
import { differencesOf, useDocument } from './flow-documents.ts';
import { StartDialog } from './start-dialog.tsx';

/** Shows what publishing the draft would change and what stands in its way, publishes it, and leads on to its first run. */
export function PublishDialog({
  flow,
  draft,
  save,
  onPublished,
  onClose,
}: {
  readonly flow: string;
  readonly draft: Json;
  /** Awaited before: what is published is kept as the draft as well. */
  readonly save?: () => Promise<void>;
  readonly onPublished?: (version: string) => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const [isStarting, setStarting] = useState(false);
  const publish = useMutation({
    mutationFn: async () => {
      await save?.();
      // The document that was looked at, whatever was saved meanwhile.
      return (await api.publishFlow({ params: { flow }, body: draft as never })).version;
    },
    onSuccess: async ({ id }) => {
      await Promise.all(
        ['flow', 'flows', 'versions'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
      );
      onPublished?.(id);
    },
  });
  const version = publish.data;
  if (version && isStarting) return <StartDialog flow={flow} version={version.id} onClose={onClose} />;
  if (version)
    return (
      <Dialog
        title={t('versions.publishDone', { number: version.number })}
        text={t('versions.publishDoneText')}
        onClose={onClose}
      >
        <ShellLine
          title={t('flows.start.curl')}
          command={curlLine(location.origin, flow, sampleInput(isDrawable(draft) ? draft.input : undefined))}
        />
        <Link to="/flows/$flow/versions" params={{ flow }} search={{ version: version.id }} onClick={onClose}>
          {t('versions.toVersions')}
        </Link>
        <DialogActions>
          <Button onClick={onClose}>{t('versions.close')}</Button>
          <Button look="primary" needs="operator" onClick={() => setStarting(true)}>
            {t('versions.run')}
          </Button>
        </DialogActions>
      </Dialog>
    );
  const refused = publish.error instanceof ApiError ? publish.error.problem.issues : undefined;
  return (
    <Review
      flow={flow}
      draft={draft}
      refused={refused}
      problem={refused ? undefined : publish.error?.message}
      isPending={publish.isPending}
      onPublish={() => publish.mutate()}
      onClose={onClose}
    />
  );
}

/** What would change, and what stands in the way. */
function Review({
  flow,
  draft,
  refused,
  problem,
  isPending,
  onPublish,
  onClose,
}: {
  readonly flow: string;
  readonly draft: Json;
  readonly refused: ApiError['problem']['issues'];
  readonly problem: string | undefined;
  readonly isPending: boolean;
  readonly onPublish: () => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const known = useQuery({ queryKey: ['flow', flow], queryFn: () => api.getFlow({ params: { flow } }) });
  const before = useDocument(flow, known.data?.publishedVersion, undefined);
  const check = useQuery({
    queryKey: ['validateFlow', draft],
    queryFn: ({ signal }) => api.validateFlow({ body: draft as never, signal }),
    gcTime: 0,
  });
  const issues = refused ?? check.data?.issues ?? [];
  // Warnings are issues, too: a document has a version unless there is an error.
  const mayPublish = check.data?.versionId !== undefined;
  const diff = useMemo(() => differencesOf(before.data, draft), [before.data, draft]);
  const marks = useMemo(() => {
    const words = (mark: NodeMark) => ({ mark, words: t(`versions.changes.${mark}`) });
    return new Map(diff?.nodes.map(({ id, change }) => [id, words(change)]));
  }, [diff, t]);
  return (
    <Dialog title={t('versions.publishTitle', { flow })} text={t('versions.publishText')} onClose={onClose}>
      <div className={css.form}>
        {known.isSuccess && known.data.publishedVersion === undefined && <p>{t('versions.publishFirst')}</p>}
        {isDrawable(draft) && (
          <div className={css.graph}>
            <FlowPreview document={draft} marks={marks} label={t('versions.graph')} />
          </div>
        )}
        {diff && <DifferenceList diff={diff} />}
        {issues.length > 0 && (
          <IssueList
            title={
              mayPublish && !refused
                ? t('versions.warnings')
                : t('versions.problems', { count: issues.length })
            }
            issues={issues.map(({ pointer, code, message, hint }) => ({
              place: pointer || '/',
              code,
              message,
              hint,
            }))}
          />
        )}
        {[problem, check.error?.message].map(
          (each) =>
            each && (
              <p key={each} role="alert">
                {each}
              </p>
            ),
        )}
      </div>
      <DialogActions>
        <Button onClick={onClose}>{t('versions.cancel')}</Button>
        <Button look="primary" needs="editor" disabled={!mayPublish || isPending} onClick={onPublish}>
          {t('versions.publishNow')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
