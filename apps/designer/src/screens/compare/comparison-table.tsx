import { useNavigate, useSearch } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type Amounts,
  amountsOf,
  type ComparisonRow,
  comparisonRows,
} from '../../comparing-runs/comparison-rows.ts';
import { NODE_RUN_LOOKS } from '../../graph/status.ts';
import type { NodeRunHistory, RunHistory } from '../../run/history.ts';
import { duration, money, short } from '../../ui/amounts.ts';
import pill from '../../ui/status-pill.module.css';
import css from './comparison-table.module.css';
import { difference } from './difference.ts';
import type { Compared } from './use-comparison.ts';

const ROW = 36;
const COLUMNS: readonly [
  name: 'took' | 'tokens' | 'cost',
  of: keyof Amounts,
  show: (value: number) => string,
][] = [
  ['took', 'tookMs', duration],
  ['tokens', 'tokens', short],
  ['cost', 'costNanoUsd', money],
];

/** Each node run of both runs: what differs, and status, time, tokens and cost left, right and by how much. */
export function ComparisonTable({
  compared: { left, right, comparison },
  selected,
  onSelect,
}: {
  readonly compared: Compared;
  readonly selected: string | undefined;
  readonly onSelect: (path: string) => void;
}) {
  const { t } = useTranslation();
  const { show } = useSearch({ from: '/compare' });
  const navigate = useNavigate({ from: '/compare' });
  const list = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => comparisonRows(comparison, show === 'all'), [comparison, show]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => list.current,
    estimateSize: () => ROW,
    overscan: 10,
  });
  return (
    <section className={css.panel} aria-label={t('compare.nodeRuns')}>
      <header className={css.bar}>
        <h2>{t('compare.nodeRuns')}</h2>
        <label>
          <input
            type="checkbox"
            checked={show === 'all'}
            onChange={({ target }) =>
              void navigate({
                search: (before) => ({ ...before, show: target.checked ? 'all' : undefined }),
                replace: true,
              })
            }
          />{' '}
          {t('compare.showAll')}
        </label>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys. */}
      <div ref={list} className={css.table} role="table" aria-label={t('compare.nodeRuns')} tabIndex={0}>
        <div className={`${css.row} ${css.head}`} role="row">
          {[t('compare.nodeRun'), t('compare.differs'), t('runs.columns.status')].map((title) => (
            <span key={title} role="columnheader">
              {title}
            </span>
          ))}
          {COLUMNS.map(([name]) => (
            <span key={name} role="columnheader" className={css.number}>
              {t(`compare.amounts.${name}`)}
            </span>
          ))}
        </div>
        <div className={css.body} role="rowgroup" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => (
            <Row
              key={rows[index]!.pair.path}
              row={rows[index]!}
              histories={[left.history, right.history]}
              isFirst={rows[index]!.pair === comparison.first}
              isSelected={rows[index]!.pair.path === selected}
              start={start}
              onSelect={onSelect}
            />
          ))}
        </div>
      </div>
    </section>
  );
}

function Row({
  row: { pair, depth },
  histories: [one, other],
  isFirst,
  isSelected,
  start,
  onSelect,
}: {
  readonly row: ComparisonRow;
  readonly histories: readonly [RunHistory, RunHistory];
  readonly isFirst: boolean;
  readonly isSelected: boolean;
  readonly start: number;
  readonly onSelect: (path: string) => void;
}) {
  const { t } = useTranslation();
  const { left, right, path, nodeId, kind, differs, isDivergence } = pair;
  const [was, is] = [amountsOf(left, one), amountsOf(right, other)];
  const title = (one.graph.nodes.get(nodeId) ?? other.graph.nodes.get(nodeId))?.config.title ?? nodeId;
  return (
    <div
      role="row"
      className={css.row}
      style={{ transform: `translateY(${start}px)` }}
      data-first={isFirst}
      data-selected={isSelected}
    >
      <span role="cell" style={{ paddingLeft: Math.min(depth, 4) * 14 }}>
        <button type="button" className={css.name} aria-pressed={isSelected} onClick={() => onSelect(path)}>
          {isFirst && <span aria-hidden="true">⚑ </span>}
          {nameOf(path, kind, title)}
        </button>
      </span>
      <span role="cell" className={css.chips}>
        {differs.map((each) => (
          <span key={each} className={`${pill.pill} ${isDivergence ? pill.fail : pill.degraded}`}>
            {t(`compare.classes.${each}`)}
          </span>
        ))}
        {differs.length === 0 && <span className={css.same}>{t('compare.classes.none')}</span>}
      </span>
      <span role="cell" className={css.status}>
        <Status of={left} /> → <Status of={right} />
      </span>
      {COLUMNS.map(([name, of, show]) => (
        <span key={name} role="cell" className={css.number}>
          {was ? show(was[of]) : '–'} → {is ? show(is[of]) : '–'}
          <small>{was && is && difference(was[of], is[of], show)}</small>
        </span>
      ))}
    </div>
  );
}

/** What is inside a container is told with the way there; items, turns and parts of agents are named by it. */
function nameOf(path: string, kind: string, title: string): string {
  const isPart = path.split('/').at(-2)?.startsWith('turn-');
  if (kind === 'item' || kind === 'turn' || isPart) return path;
  return path.includes('/') ? `${path.slice(0, path.lastIndexOf('/'))} / ${title}` : title;
}

function Status({ of }: { readonly of: NodeRunHistory | undefined }) {
  const { t } = useTranslation();
  const status = of?.moments.at(-1)?.status;
  if (!status) return <span title={t('run.notReached')}>–</span>;
  const words = t(`nodeRunStatus.${status}`);
  const { tone, sign } = NODE_RUN_LOOKS[status];
  return (
    <span className={`${css.sign} ${pill[tone]}`} title={words}>
      <span aria-hidden="true">{sign}</span>
      <span className={css.hidden}>{words}</span>
    </span>
  );
}
