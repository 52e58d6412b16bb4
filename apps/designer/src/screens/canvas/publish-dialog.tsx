import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, queryClient } from '../../api/client.ts';
import { readText } from '../../canvas/template-text.ts';
import type { Problem } from '../../editor/index.ts';
import type { OpenDraft } from '../../saving/open-draft.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import css from './publish-dialog.module.css';

/** Makes a version of the draft, and runs it: only versions run, so that a run can always be understood. */
export function PublishDialog({
  flow,
  draft,
  problems,
  onClose,
}: {
  readonly flow: string;
  readonly draft: OpenDraft;
  readonly problems: readonly Problem[];
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [input, setInput] = useState('{}');
  const errors = problems.filter(({ severity }) => severity === 'error');
  const publish = useMutation({
    mutationFn: async () => {
      await draft.saver.flush();
      if (draft.saver.state().phase !== 'saved') throw new Error(t('canvas.publish.unsaved'));
      return (await api.publishFlow({ params: { flow } })).version;
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['flows'] }),
  });
  const run = useMutation({
    mutationFn: () =>
      api.startRun({
        headers: {},
        body: { flow, input: (readText(input) ?? {}) as never, trigger: 'designer' },
      }),
    onSuccess: ({ runId }) => navigate({ to: '/runs/$runId', params: { runId } }),
  });
  const problem = publish.error ?? run.error;
  return (
    <Dialog
      title={
        publish.data ? t('canvas.publish.done', { number: publish.data.number }) : t('canvas.publish.title')
      }
      text={publish.data ? t('canvas.publish.run') : t('canvas.publish.text')}
      onClose={onClose}
    >
      {!publish.data && problems.length > 0 && (
        <ul className={css.problems}>
          {problems.map((each) => (
            <li key={`${each.code} ${each.pointer} ${each.message}`} className={css[each.severity]}>
              {each.node && <b>{each.node}: </b>}
              {each.message}
            </li>
          ))}
        </ul>
      )}
      {publish.data && (
        <label className={css.input}>
          <span>{t('canvas.publish.input')}</span>
          <textarea
            rows={6}
            spellCheck={false}
            value={input}
            onChange={({ target }) => setInput(target.value)}
          />
        </label>
      )}
      {problem && (
        <p role="alert" className={css.error}>
          {problem.message}
        </p>
      )}
      <DialogActions>
        <Button onClick={onClose}>{t('canvas.refused.close')}</Button>
        {publish.data ? (
          <Button look="primary" disabled={run.isPending} onClick={() => run.mutate()}>
            {t('canvas.run')}
          </Button>
        ) : (
          <Button
            look="primary"
            disabled={errors.length > 0 || publish.isPending}
            onClick={() => publish.mutate()}
          >
            {t('canvas.publish.publish')}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
