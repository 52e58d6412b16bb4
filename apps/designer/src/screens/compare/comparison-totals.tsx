import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { NodeRunPair } from '../../comparing-runs/compare-runs.ts';
import { totalsOf } from '../../comparing-runs/comparison-rows.ts';
import { duration, money, short } from '../../ui/amounts.ts';
import { StatusPill } from '../../ui/status-pill.tsx';
import css from './comparison-totals.module.css';
import { difference } from './difference.ts';
import { reasonOf } from './reason-of.ts';
import type { Compared } from './use-comparison.ts';

/** Where the runs part, in a sentence, and how they did as a whole. */
export function ComparisonTotals({
  compared: { left, right, comparison },
  runs,
  versions,
  onSelect,
}: {
  readonly compared: Compared;
  readonly runs: { readonly left: string; readonly right: string };
  readonly versions: { readonly left: number | undefined; readonly right: number | undefined };
  readonly onSelect: (path: string) => void;
}) {
  const { t } = useTranslation();
  const { first, pairs, isInputOther, isOutputOther } = comparison;
  const [one, other] = [totalsOf(left.history), totalsOf(right.history)];
  const titleOf = ({ nodeId, path }: NodeRunPair) => {
    const title = [left, right]
      .map(({ history }) => history.graph.nodes.get(nodeId)?.config.title)
      .find(Boolean);
    return `${title ?? nodeId}${path.includes('/') ? ` (${path})` : ''}`;
  };
  const amounts = [
    ['took', one.tookMs, other.tookMs, duration],
    ['tokens', one.tokens, other.tokens, short],
    ['cost', one.costNanoUsd, other.costNanoUsd, money],
    ['modelCalls', one.modelCalls, other.modelCalls, short],
  ] as const;
  const side = (name: 'left' | 'right') => (
    <p className={css.run}>
      <b>{t(`compare.${name}`)}</b>
      <Link to="/runs/$runId" params={{ runId: runs[name] }}>
        {runs[name].slice(-8)}
      </Link>
      {versions[name] !== undefined && (
        <span className={css.note}>{t('versions.number', { number: versions[name] })}</span>
      )}
      <StatusPill status={statusOf(name === 'left' ? left : right)} />
    </p>
  );
  return (
    <section className={css.totals} aria-label={t('compare.totals')}>
      <div className={css.runs}>
        {side('left')}
        {side('right')}
      </div>
      <div className={css.parting} data-parts={first !== undefined}>
        <h2>{t('compare.first')}</h2>
        {first ? (
          <p>
            <button type="button" className={css.jump} onClick={() => onSelect(first.path)}>
              {titleOf(first)}
            </button>{' '}
            {reasonOf(t, first, comparison.changed.has(first.nodeId))}
          </p>
        ) : (
          <p>{t(pairs.some(({ differs }) => differs.length > 0) ? 'compare.onlyInput' : 'compare.same')}</p>
        )}
        <p className={css.note}>
          {t(isInputOther ? 'compare.inputOther' : 'compare.inputSame')} ·{' '}
          {t(isOutputOther ? 'compare.outputOther' : 'compare.outputSame')}
        </p>
      </div>
      <dl className={css.amounts}>
        {amounts.map(([name, was, is, show]) => (
          <div key={name}>
            <dt>{t(`compare.amounts.${name}`)}</dt>
            <dd>
              {show(was)} → {show(is)}
            </dd>
            <dd className={css.note}>{difference(was, is, show) || t('compare.equal')}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const statusOf = ({ history }: Compared['left']) => history.runAt(history.lastSeq)!.status;
