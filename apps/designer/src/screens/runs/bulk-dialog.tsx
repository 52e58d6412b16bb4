import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, queryClient } from '../../api/client.ts';
import type { BulkAction, BulkAnswer, BulkFilter } from '../../runs/bulk-request.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import css from './bulk-dialog.module.css';
import { CallsToMake } from './calls-to-make.tsx';
import { Refused } from './refused.tsx';

/** Says how many runs an action reaches and what is left alone, does it when it is confirmed, and says what came of it. */
export function BulkDialog({
  action,
  filter,
  answer: { matched, hasMore, calls },
  ticked,
  flows,
  onClose,
}: {
  readonly action: BulkAction;
  /** Undefined: the action reaches nothing. */
  readonly filter: BulkFilter | undefined;
  readonly answer: BulkAnswer;
  /** How many were ticked, unless all were chosen. */
  readonly ticked: number | undefined;
  /** Flow of each run that was on screen. */
  readonly flows: ReadonlyMap<string, string>;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const why = reason.trim();
  const act = useMutation({
    mutationFn: (of: BulkFilter) =>
      api.bulkRuns({ body: { action, filter: of, ...(why && { reason: why }) } }),
    // Also after a failure: nobody knows how many took it.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['runs'] }),
  });
  if (act.data)
    return (
      <Told title={t(`runs.bulk.done.${action}`, { count: act.data.done })} onClose={onClose}>
        <Refused refused={act.data.refused} flows={flows} />
        {act.data.hasMore && <p>{t('runs.bulk.moreLeft')}</p>}
      </Told>
    );
  if (!filter || matched === 0)
    return (
      <Told title={t(`runs.bulk.nothing.${action}`)} onClose={onClose}>
        <p>{t(`runs.bulk.reaches.${action}`)}</p>
      </Told>
    );
  const left = ticked === undefined ? undefined : ticked - matched;
  return (
    <Dialog
      title={t(`runs.bulk.ask.${action}`, { count: matched })}
      text={t(`runs.bulk.follows.${action}`)}
      onClose={onClose}
    >
      {hasMore && <p>{t('runs.bulk.newestOnly', { count: matched })}</p>}
      {left !== 0 && (
        <p>
          {left !== undefined && t('runs.bulk.leftAlone', { count: left })} {t(`runs.bulk.reaches.${action}`)}
        </p>
      )}
      {calls && <CallsToMake calls={calls} />}
      {(action === 'cancel' || action === 'pause') && (
        <Field label={t('inbox.reason')}>
          <input value={reason} maxLength={1_000} onChange={({ target }) => setReason(target.value)} />
        </Field>
      )}
      {act.error && (
        <p className={css.trouble} role="alert">
          {act.error.message}
        </p>
      )}
      <DialogActions>
        <Button onClick={onClose}>{t('runs.bulk.leave')}</Button>
        <Button
          look={action === 'cancel' ? 'danger' : 'primary'}
          needs="operator"
          disabled={act.isPending}
          onClick={() => act.mutate(filter)}
        >
          {t(`runs.bulk.confirm.${action}`, { count: matched })}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Something to read and to close. */
function Told({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={css.told} role="status">
        {children}
      </div>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          {t('runs.bulk.close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
