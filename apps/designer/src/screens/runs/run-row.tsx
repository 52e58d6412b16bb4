import type { Client } from '@pawl/api';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { duration, money } from '../../ui/amounts.ts';
import { StatusPill } from '../../ui/status-pill.tsx';
import css from './runs-screen.module.css';

export type ListedRun = Awaited<ReturnType<Client['listRuns']>>['items'][number];

/** One run of the list. Without `onTick` its tick stays as it is: it is one of all. */
export function RunRow({
  run,
  offset,
  isTicked,
  onTick,
}: {
  readonly run: ListedRun;
  /** From the top of the list, in pixels. */
  readonly offset: number;
  readonly isTicked: boolean;
  readonly onTick: ((isTicked: boolean) => void) | undefined;
}) {
  const { t, i18n } = useTranslation();
  const from = Date.parse(run.startedAt ?? run.createdAt);
  const to = run.finishedAt ? Date.parse(run.finishedAt) : Date.now();
  const note =
    run.failure?.message ??
    run.degraded[0]?.reason ??
    (run.waitingFor && t(`waitingFor.${run.waitingFor.kind}`));
  return (
    <div role="row" className={css.row} style={{ transform: `translateY(${offset}px)` }}>
      <span role="cell">
        <input
          type="checkbox"
          aria-label={t('compare.tick', { run: run.id.slice(-8) })}
          checked={isTicked}
          disabled={onTick === undefined}
          onChange={({ target }) => onTick?.(target.checked)}
        />
      </span>
      <span role="cell">
        <StatusPill status={run.status} />
      </span>
      <span role="cell">
        {run.flow}
        {run.mode && ` · ${t('testing.test')}`}
      </span>
      <span role="cell">
        <Link to="/runs/$runId" params={{ runId: run.id }}>
          {run.id.slice(-8)}
        </Link>
      </span>
      <span role="cell">{new Date(run.createdAt).toLocaleString(i18n.language)}</span>
      <span role="cell">{duration(to - from)}</span>
      <span role="cell">{money(run.budget.spent.costNanoUsd)}</span>
      <span role="cell" title={note}>
        {note}
      </span>
    </div>
  );
}
