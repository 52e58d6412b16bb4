import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { BulkAnswer } from '../../runs/bulk-request.ts';
import css from './bulk-dialog.module.css';

/** More than these nobody reads. */
const MOST = 100;

const CODES = [
  'run_not_found',
  'run_not_open',
  'run_not_pausable',
  'run_not_resumable',
  'run_not_retryable',
] as const;

/** The runs that refused an action, each with the reason in words. */
export function Refused({
  refused,
  flows,
}: {
  readonly refused: BulkAnswer['refused'];
  /** Flow of each run that was on screen. */
  readonly flows: ReadonlyMap<string, string>;
}) {
  const { t } = useTranslation();
  if (refused.length === 0) return <p>{t('runs.bulk.noneRefused')}</p>;
  const title = t('runs.bulk.refused', { count: refused.length });
  return (
    <>
      <p>{title}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys. */}
      <ul className={css.refused} aria-label={title} tabIndex={0}>
        {refused.slice(0, MOST).map(({ runId, code }) => (
          <li key={runId}>
            <Link to="/runs/$runId" params={{ runId }}>
              {runId.slice(-8)}
            </Link>
            <span className={css.flow}>{flows.get(runId)}</span>
            <span>{t(`runs.bulk.why.${CODES.find((known) => known === code) ?? 'other'}`)}</span>
          </li>
        ))}
      </ul>
      {refused.length > MOST && <p>{t('runs.bulk.moreRefused', { count: refused.length - MOST })}</p>}
    </>
  );
}
