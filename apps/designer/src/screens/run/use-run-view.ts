import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { Cursor } from '../../run/cursor.ts';
import type { RunHistory } from '../../run/history.ts';
import type { RunView, ShownRun } from '../../run/shown-runs.ts';
import { joinWay } from '../../run/ways.ts';

/** What of a run is looked at, by the address, and how that is changed. */
export function useRunView(history: RunHistory, lastSeq: number) {
  const { select, at, after = 0, open = '' } = useSearch({ from: '/runs/$runId' });
  const navigate = useNavigate({ from: '/runs/$runId' });
  const seq = Math.min(at ?? lastSeq, lastSeq);
  const selected = select ?? whatMatters(history, seq);
  const view = useMemo(
    (): RunView => ({
      selected,
      open: open.split(',').filter((word) => word !== ''),
      ...(at !== undefined && { cursor: { seq, afterMs: after } }),
    }),
    [selected, open, at, seq, after],
  );
  const choose = useCallback(
    (way: string) => void navigate({ search: (before) => ({ ...before, select: way }), replace: true }),
    [navigate],
  );
  const move = useCallback(
    (to: Cursor | undefined) =>
      void navigate({
        search: (before) => ({ ...before, at: to?.seq, after: to?.afterMs || undefined }),
        replace: true,
      }),
    [navigate],
  );
  const fold = useCallback(
    ({ history: { nodeRuns }, way, place }: ShownRun, path: string, to: 'open' | 'closed') => {
      const id = joinWay(place ?? '', nodeRuns.get(path)!.nodeId);
      const of = joinWay(way, path);
      const isInside = selected.startsWith(`${of}//`);
      // Of a node in a map the graph shows the run of one item: of that which is selected.
      const isOther = to === 'open' && path.includes('/') && selected !== of && !isInside;
      const isLost = to === 'closed' && isInside;
      const words = view.open.filter((word) => word !== id && word !== `-${id}`);
      void navigate({
        search: (before) => ({
          ...before,
          open: [...words, to === 'open' ? id : `-${id}`].join(','),
          ...((isOther || isLost) && { select: of }),
        }),
        replace: true,
      });
    },
    [navigate, selected, view.open],
  );
  return { view, select: choose, move, fold };
}

/** What a person should see first: what failed, else what is in doubt or waits for them, else the first node. */
function whatMatters(history: RunHistory, seq: number): string {
  let asks: string | undefined;
  for (const path of history.nodeRuns.keys()) {
    const moment = history.nodeRunAt(path, seq);
    if (moment?.status === 'failed') return path;
    if (moment?.status === 'uncertain' || moment?.question !== undefined) asks ??= path;
  }
  return asks ?? history.graph.document.nodes[0]!.id;
}
