import type { RunStatus } from '@pawl/dag-core';
import { useTranslation } from 'react-i18next';
import { RUN_LOOKS } from '../../../graph/status.ts';
import css from '../inspector.module.css';

const SHORT = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const;

/** Which run samples and values are taken from, and which item of it. */
export function RunChoice({
  runs,
  runId,
  item,
  hasItems,
  onRun,
  onItem,
}: {
  readonly runs: readonly { readonly id: string; readonly status: RunStatus; readonly createdAt: string }[];
  readonly runId: string | undefined;
  readonly item: number;
  readonly hasItems: boolean;
  readonly onRun: (runId: string) => void;
  readonly onItem: (item: number) => void;
}) {
  const { t, i18n } = useTranslation();
  if (runId === undefined) return <p className={css.choice}>{t('inspector.noSamples')}</p>;
  return (
    <div className={css.choice}>
      <label>
        <span>{t('inspector.valuesOf')}</span>
        <select value={runId} onChange={({ target }) => onRun(target.value)}>
          {runs.map(({ id, status, createdAt }) => (
            <option key={id} value={id}>
              {RUN_LOOKS[status].sign} {new Date(createdAt).toLocaleString(i18n.language, SHORT)} ·{' '}
              {id.slice(-8)}
            </option>
          ))}
        </select>
      </label>
      {hasItems && (
        <label>
          <span>{t('inspector.item')}</span>
          <input
            type="number"
            min={1}
            value={item + 1}
            onChange={({ target }) => onItem(Math.max(0, (target.valueAsNumber || 1) - 1))}
          />
        </label>
      )}
    </div>
  );
}
