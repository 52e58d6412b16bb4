import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useStatusWords } from '../../graph/use-status-words.ts';
import { criticalPath, criticalWays } from '../../run/critical-path.ts';
import type { NodeRunHistory } from '../../run/history.ts';
import { nameOf } from '../../run/name-of.ts';
import { everyRun, type ShownRun, subFlowAt } from '../../run/shown-runs.ts';
import { type SpanKind, spansOf } from '../../run/spans.ts';
import { joinWay } from '../../run/ways.ts';
import { shownStatus } from '../../run/work.ts';
import { duration } from '../../ui/amounts.ts';
import css from './run-timeline.module.css';

const ROW = 26;
const KINDS: readonly SpanKind[] = ['queued', 'working', 'people', 'waiting', 'uncertain'];

/** When each node run did what, up to the cursor; items of maps are folded away, failed ones never. Below a sub-flow stands its run. */
export function RunTimeline({
  root,
  selected,
  onSelect,
  onFold,
}: {
  readonly root: ShownRun;
  /** Way of the node run that is looked at. */
  readonly selected: string;
  readonly onSelect: (way: string) => void;
  readonly onFold: (run: ShownRun, path: string, to: 'open' | 'closed') => void;
}) {
  const { t } = useTranslation();
  const words = useStatusWords();
  const list = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => [...rowsOf(root, selected)], [root, selected]);
  const begin = root.history.events[0]?.at ?? 0;
  const end = Math.max(
    begin + 1,
    ...[...everyRun(root)].map(({ history, seq }) => history.events[seq - 1]?.at ?? 0),
  );
  const critical = useMemo(() => criticalPath(root.history, root.seq), [root.history, root.seq]);
  const isCritical = useMemo(() => new Set(criticalWays(root)), [root]);
  const criticalMs = critical.reduce((sum, { from, to = end }) => sum + (to - from), 0);
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
        {critical.length > 1 && (
          <span title={t('run.criticalAbout')}>
            <i className={css.critical} />{' '}
            {t('run.critical', { took: duration(criticalMs), all: duration(end - begin) })}
          </span>
        )}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys. */}
      <div ref={list} className={css.rows} tabIndex={0} role="list" aria-label={t('run.timeline')}>
        <div style={{ height: virtual.getTotalSize() }} role="presentation">
          {virtual.getVirtualItems().map(({ index, start }) => {
            const { run, nodeRun, depth, fold } = rows[index]!;
            const { history, seq, work } = run;
            const { path } = nodeRun;
            const way = joinWay(run.way, path);
            const name = nameOf(history, path);
            const spans = spansOf(nodeRun, seq);
            const total = spans.reduce((sum, { from, to = end }) => sum + (to - from), 0);
            const status = shownStatus(path, history.nodeRunAt(path, seq)!, work);
            return (
              <div
                key={way}
                role="listitem"
                className={css.row}
                style={{ transform: `translateY(${start}px)` }}
                data-status={status}
                data-critical={isCritical.has(way)}
              >
                <span className={css.head} style={{ paddingLeft: 12 + depth * 14 }}>
                  {fold && (
                    <button
                      type="button"
                      className={css.fold}
                      aria-expanded={fold === 'open'}
                      aria-label={t(fold === 'open' ? 'canvas.fold' : 'canvas.unfold', { name })}
                      onClick={() => onFold(run, path, fold === 'open' ? 'closed' : 'open')}
                    >
                      {fold === 'open' ? <ChevronDown size={13} /> : <ChevronRight size={13} />}
                    </button>
                  )}
                  <button
                    type="button"
                    className={css.name}
                    title={name}
                    aria-description={isCritical.has(way) ? t('run.onCritical') : undefined}
                    aria-pressed={way === selected}
                    onClick={() => onSelect(way)}
                  >
                    {name}
                  </button>
                </span>
                <span className={css.bar} title={words[status]}>
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
  readonly run: ShownRun;
  readonly nodeRun: NodeRunHistory;
  readonly depth: number;
  /** Of a sub-flow that can be opened. */
  readonly fold?: 'open' | 'closed' | undefined;
}

/**
 * Root node runs with their undoings, and below them what failed or is in doubt, what is selected, and what is read of their sub-flows:
 * of those that are not open only the failures.
 */
function* rowsOf(run: ShownRun, selected: string, outer = 0, isClosed = false): Generator<Row> {
  const { history, seq, way, place, subs } = run;
  for (const nodeRun of history.nodeRuns.values()) {
    const { path, kind } = nodeRun;
    const status = history.nodeRunAt(path, seq)?.status;
    if (status === undefined) continue;
    const sub = subs.get(path);
    const inside = path.split('/').length - 1;
    const isTold = status === 'failed' || status === 'uncertain' || joinWay(way, path) === selected;
    const isFolded = isClosed || inside > (kind === 'undo' ? 1 : 0);
    if (!isTold && !sub && isFolded) continue;
    const depth = outer + Math.min(inside, 3);
    const canFold = place !== undefined && kind === 'flow' && subFlowAt(history, path, seq);
    const isOpen = sub?.place !== undefined;
    yield { run, nodeRun, depth, fold: canFold ? (isOpen ? 'open' : 'closed') : undefined };
    if (sub?.run) yield* rowsOf(sub.run, selected, depth + 1, !isOpen);
  }
}
