import { ApiError } from '@pawl/api';
import type { Json } from '@pawl/dag-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, queryClient } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { IssueList } from '../../ui/issue-list.tsx';
import { DifferenceList } from './difference-list.tsx';
import css from './flow-dialog.module.css';
import { differencesOf, useDocument } from './flow-documents.ts';

/** Shows what publishing the draft would change and what stands in its way, and publishes it. */
export function PublishDialog({
  flow,
  draft,
  published,
  onPublished,
  onClose,
}: {
  readonly flow: string;
  readonly draft: Json;
  /** The id of the version that starts run now. */
  readonly published: string | undefined;
  readonly onPublished: (version: string) => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const before = useDocument(flow, published, undefined);
  const check = useQuery({
    queryKey: ['validateFlow', draft],
    queryFn: ({ signal }) => api.validateFlow({ body: draft as never, signal }),
    gcTime: 0,
  });
  const publish = useMutation({
    // The document that was looked at, whatever was saved meanwhile.
    mutationFn: () => api.publishFlow({ params: { flow }, body: draft as never }),
    onSuccess: async ({ version }) => {
      await Promise.all(
        ['flow', 'versions'].map((key) => queryClient.invalidateQueries({ queryKey: [key, flow] })),
      );
      onPublished(version.id);
    },
  });
  const refused = publish.error instanceof ApiError ? publish.error.problem.issues : undefined;
  const issues = refused ?? check.data?.issues ?? [];
  // Warnings are issues, too: a document has a version unless there is an error.
  const mayPublish = check.data?.versionId !== undefined;
  const diff = differencesOf(before.data, draft);
  return (
    <Dialog title={t('versions.publishTitle', { flow })} text={t('versions.publishText')} onClose={onClose}>
      <div className={css.form}>
        {published === undefined && <p>{t('versions.publishFirst')}</p>}
        {diff && <DifferenceList diff={diff} />}
        {issues.length > 0 && (
          <IssueList
            title={
              mayPublish && !refused
                ? t('versions.warnings')
                : t('versions.problems', { count: issues.length })
            }
            issues={issues.map(({ pointer, message, hint }) => ({ place: pointer || '/', message, hint }))}
          />
        )}
        {publish.isError && !refused && <p role="alert">{publish.error.message}</p>}
        {check.isError && <p role="alert">{check.error.message}</p>}
      </div>
      <DialogActions>
        <Button onClick={onClose}>{t('versions.cancel')}</Button>
        <Button look="primary" disabled={!mayPublish || publish.isPending} onClick={() => publish.mutate()}>
          {t('versions.publishNow')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
