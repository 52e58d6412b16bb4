import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import {
  BULK_ACTIONS,
  type BulkAction,
  type BulkAnswer,
  bulkFilterOf,
  type ChosenRuns,
} from '../../runs/bulk-request.ts';
import { Button } from '../../ui/button.tsx';
import { BulkDialog } from './bulk-dialog.tsx';
import type { ListedRun } from './run-row.tsx';
import css from './runs-screen.module.css';

const NOBODY: BulkAnswer = { matched: 0, hasMore: false, done: 0, refused: [] };

/** What can be done with the runs that are chosen: each action is counted first, and asked about. */
export function ChosenBar({
  chosen,
  rows,
  onNone,
  onClosed,
}: {
  /** Undefined: none. */
  readonly chosen: ChosenRuns | undefined;
  /** Those of them that are on screen. */
  readonly rows: readonly ListedRun[];
  readonly onNone: () => void;
  /** A question was closed, and the button that asked it is gone. */
  readonly onClosed: () => void;
}) {
  const { t } = useTranslation();
  const count = useMutation({
    mutationFn: async ({ action, runs }: { action: BulkAction; runs: ChosenRuns }) => {
      const filter = bulkFilterOf(action, runs);
      const answer = filter ? await api.bulkRuns({ body: { action, filter, preview: true } }) : NOBODY;
      const ticked = runs.kind === 'ticked' ? runs.runIds.length : undefined;
      return { action, filter, answer, ticked, flows: new Map(rows.map(({ id, flow }) => [id, flow])) };
    },
  });
  const asker = useRef<HTMLButtonElement>(undefined);
  useOnEnd(count.data !== undefined, () => (asker.current?.isConnected ? asker.current.focus() : onClosed()));
  return (
    <>
      {chosen && (
        <div className={css.chosen} role="group" aria-label={t('runs.bulk.label')}>
          <span role="status">
            {chosen.kind === 'all'
              ? t('runs.bulk.allChosen')
              : t('compare.ticked', { count: chosen.runIds.length })}
          </span>
          {BULK_ACTIONS.map((action) => (
            <Button
              key={action}
              needs="operator"
              look={action === 'cancel' ? 'danger' : 'plain'}
              onClick={({ currentTarget }) => {
                if (count.isPending) return;
                asker.current = currentTarget;
                count.mutate({ action, runs: chosen });
              }}
            >
              {t(`runs.bulk.actions.${action}`)}
            </Button>
          ))}
          {chosen.kind === 'ticked' && <Compare rows={rows} />}
          <Button look="quiet" onClick={onNone}>
            {t('compare.untick')}
          </Button>
          {count.isError && (
            <span className={css.trouble} role="alert">
              {count.error.message}
            </span>
          )}
        </div>
      )}
      {count.data && <BulkDialog {...count.data} onClose={() => count.reset()} />}
    </>
  );
}

/** Leads to the comparison of two runs of one flow. */
function Compare({ rows: [one, other, ...more] }: { readonly rows: readonly ListedRun[] }) {
  const { t } = useTranslation();
  if (!one || !other || more.length > 0 || one.flow !== other.flow)
    return <span>{t('compare.tickTwo')}</span>;
  return (
    <Link to="/compare" search={{ left: other.id, right: one.id }}>
      {t('compare.these')}
    </Link>
  );
}

/** Calls `onEnd` when what was so is so no more. */
function useOnEnd(isSo: boolean, onEnd: () => void): void {
  const latest = useRef(onEnd);
  latest.current = onEnd;
  useEffect(() => (isSo ? () => latest.current() : undefined), [isSo]);
}
