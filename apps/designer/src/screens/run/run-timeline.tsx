import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { NodeRunHistory, RunHistory } from '../../run/history.ts';
import { type SpanKind, spansOf } from '../../run/spans.ts';
import { shownStatus, type Work } from '../../run/work.ts';
import { duration } from '../../ui/amounts.ts';
import css from './run-timeline.module.css';

const ROW = 26;
const KINDS: readonly SpanKind[] = ['queued', 'working', 'people', 'waiting', 'uncertain'];

/** When each node run did what, up to event `seq`; items of maps are folded away, failed ones never. */
export function RunTimeline({
  history,
  seq,
  work,
  selected,
  onSelect,
}: {
  readonly history: RunHistory;
  readonly seq: number;
  /** What workers hold now; undefined: not known, or of another moment. */
  readonly work: Work | undefined;
  readonly selected: string | undefined;
  readonly onSelect: (path: string) => void;
}) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => rowsAt(history, seq), [history, seq]);
  const begin = history.events[0]?.at ?? 0;
  const end = Math.max(history.events[Math.min(seq, history.lastSeq) - 1]?.at ?? begin, begin + 1);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => list.current,
    estimateSize: () => ROW,
    overscan: 8,
  });
  const share = (at: number) => `${((at - begin) / (end - begin)) * 100}%`;
  return (
    <section className={css.timeline} aria-label={t('run.timeline')}>
      <header className={css.legend}>
        <b>{t('run.timeline')}</b>
        {KINDS.map((kind) => (
          <span key={kind}>
            <i className={css[kind]} /> {t(`span.${kind}`)}
          </span>
        ))}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys. */}
      <div ref={list} className={css.rows} tabIndex={0} role="list" aria-label={t('run.timeline')}>
        <div style={{ height: virtual.getTotalSize() }} role="presentation">
          {virtual.getVirtualItems().map(({ index, start }) => {
            const { nodeRun, depth } = rows[index]!;
            const spans = spansOf(nodeRun, seq);
            const total = spans.reduce((sum, { from, to = end }) => sum + (to - from), 0);
            const status = shownStatus(nodeRun.path, history.nodeRunAt(nodeRun.path, seq)!, work);
            return (
              <div
                key={nodeRun.path}
                role="listitem"
                className={css.row}
                style={{ transform: `translateY(${start}px)` }}
                data-status={status}
              >
                <button
                  type="button"
                  className={css.name}
                  style={{ paddingLeft: 12 + depth * 14 }}
                  aria-pressed={nodeRun.path === selected}
                  onClick={() => onSelect(nodeRun.path)}
                >
                  {nameOf(history, nodeRun)}
                </button>
                <span className={css.bar} title={t(`nodeRunStatus.${status}`)}>
                  {spans.map(({ kind, seq: begun, from, to: ended, to = end }) => (
                    <i
                      key={begun}
                      className={css[ended === undefined && status === 'unheld' ? 'uncertain' : kind]}
                      style={{ left: share(from), width: `max(2px, ${share(begin + to - from)})` }}
                    />
                  ))}
                </span>
                <span className={css.total}>{duration(total)}</span>
              </div>
            );
          })}
        </div>
      </div>
    </section>
  );
}

interface Row {
  readonly nodeRun: NodeRunHistory;
  readonly depth: number;
}

/** Root node runs, and below them what failed or is in doubt. */
function rowsAt(history: RunHistory, seq: number): Row[] {
  const rows: Row[] = [];
  for (const nodeRun of history.nodeRuns.values()) {
    const status = history.nodeRunAt(nodeRun.path, seq)?.status;
    if (status === undefined) continue;
    const depth = nodeRun.path.split('/').length - 1;
    if (depth === 0 || status === 'failed' || status === 'uncertain')
      rows.push({ nodeRun, depth: Math.min(depth, 3) });
  }
  return rows;
}

function nameOf({ graph }: RunHistory, { path, nodeId }: NodeRunHistory): string {
  const title = graph.nodes.get(nodeId)?.config.title ?? nodeId;
  return path.includes('/') ? `${path.slice(0, path.lastIndexOf('/'))} / ${title}` : title;
}
