// Which mistake would this catch? A move that a table allows by accident, a status nobody can leave, a terminal one that somebody can.
import { describe, expect, it, test } from 'vitest';
import {
  isTerminalNodeRun,
  isTerminalRun,
  MoveNotAllowedError,
  moveNodeRun,
  moveRun,
  NODE_RUN_STATUSES,
  type NodeRunMove,
  type NodeRunStatus,
  nodeRunAllowedFrom,
  nodeRunMoves,
  RUN_STATUSES,
  type RunMove,
  type RunStatus,
  runAllowedFrom,
  runMoves,
} from '../../src/index.ts';

// Written out once more, by status instead of by move, so that a change of a table is a change in two places.
const NODE_RUN_MAY: Record<NodeRunStatus, NodeRunMove[]> = {
  pending: ['makeReady', 'skip', 'cancel'],
  ready: ['claim', 'block', 'cancel'],
  running: ['release', 'wait', 'scheduleRetry', 'doubt', 'block', 'succeed', 'fail', 'cancel'],
  waiting: ['makeReady', 'scheduleRetry', 'doubt', 'succeed', 'fail', 'skip', 'cancel'],
  retry_wait: ['makeReady', 'cancel'],
  uncertain: ['makeReady', 'succeed', 'fail', 'skip', 'cancel'],
  blocked: ['makeReady', 'cancel'],
  succeeded: ['compensate'],
  compensating: ['compensated', 'keep'],
  failed: [],
  skipped: [],
  cancelled: [],
  compensated: [],
};
const RUN_MAY: Record<RunStatus, RunMove[]> = {
  pending: ['start', 'wait', 'pause', 'askCancel', 'compensate', 'succeed', 'succeedPartly', 'fail'],
  running: ['wait', 'pause', 'askCancel', 'compensate', 'succeed', 'succeedPartly', 'fail'],
  waiting: ['start', 'pause', 'askCancel', 'compensate', 'succeed', 'succeedPartly', 'fail'],
  paused: ['start', 'wait', 'askCancel', 'compensate', 'fail'],
  cancelling: ['compensate', 'cancel'],
  compensating: ['askCancel', 'succeed', 'succeedPartly', 'fail', 'cancel'],
  succeeded: [],
  partial: [],
  failed: [],
  cancelled: [],
};

/** Statuses that can be reached from `from` over any number of moves. */
function reachable<S extends string>(
  moves: Readonly<Record<string, { from: readonly S[]; to: S }>>,
  from: S,
): Set<S> {
  const found = new Set<S>([from]);
  for (const status of found)
    for (const move of Object.values(moves)) if (move.from.includes(status)) found.add(move.to);
  return found;
}

describe('node runs', () => {
  const pairs = NODE_RUN_STATUSES.flatMap((status) =>
    (Object.keys(nodeRunMoves) as NodeRunMove[]).map((move) => ({ status, move })),
  );

  test.each(pairs)('$status, asked to $move, obeys the table (T1, T2)', ({ status, move }) => {
    if (NODE_RUN_MAY[status].includes(move)) {
      expect(moveNodeRun('each/1/a', status, move)).toBe(nodeRunMoves[move].to);
      expect(nodeRunAllowedFrom[nodeRunMoves[move].to]).toContain(status);
    } else {
      expect(() => moveNodeRun('each/1/a', status, move)).toThrow(MoveNotAllowedError);
      expect(() => moveNodeRun('each/1/a', status, move)).toThrow(
        `Node run each/1/a cannot ${move} from ${status}`,
      );
    }
  });

  test.each(NODE_RUN_STATUSES)('%s leads to a terminal status (T4)', (status) => {
    expect([...reachable(nodeRunMoves, status)].some(isTerminalNodeRun)).toBe(true);
  });

  it('never leave a terminal status, but to be compensated (T3)', () => {
    for (const status of NODE_RUN_STATUSES.filter(isTerminalNodeRun)) {
      const left = [...reachable(nodeRunMoves, status)].filter((to) => to !== status);
      expect(left, status).toEqual(status === 'succeeded' ? ['compensating', 'compensated'] : []);
    }
  });

  it('write a status only over those from which a move leads to it', () => {
    for (const to of NODE_RUN_STATUSES) {
      const from = NODE_RUN_STATUSES.filter((status) =>
        NODE_RUN_MAY[status].some((move) => nodeRunMoves[move].to === to),
      );
      expect(new Set(nodeRunAllowedFrom[to]), to).toEqual(new Set(from));
    }
  });
});

describe('runs', () => {
  const pairs = RUN_STATUSES.flatMap((status) =>
    (Object.keys(runMoves) as RunMove[]).map((move) => ({ status, move })),
  );

  test.each(pairs)('$status, asked to $move, obeys the table (T1, T2)', ({ status, move }) => {
    if (RUN_MAY[status].includes(move)) {
      expect(moveRun(status, move)).toBe(runMoves[move].to);
      expect(runAllowedFrom[runMoves[move].to]).toContain(status);
    } else {
      expect(() => moveRun(status, move)).toThrow(MoveNotAllowedError);
      expect(() => moveRun(status, move)).toThrow(`The run cannot ${move} from ${status}`);
    }
  });

  test.each(RUN_STATUSES)('%s leads to a terminal status (T4)', (status) => {
    expect([...reachable(runMoves, status)].some(isTerminalRun)).toBe(true);
  });

  test.each(RUN_STATUSES.filter(isTerminalRun))('%s is never left (T3)', (status) => {
    expect([...reachable(runMoves, status)]).toEqual([status]);
  });

  it('can be asked to cancel from every status that is neither terminal nor cancelling (V11)', () => {
    for (const status of RUN_STATUSES)
      expect(RUN_MAY[status].includes('askCancel'), status).toBe(
        !isTerminalRun(status) && status !== 'cancelling',
      );
  });
});
