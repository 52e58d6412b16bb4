import { NODE_RUN_STATUSES, type NodeRunStatus, RUN_STATUSES, type RunStatus } from './status.ts';

// Rules kept here: T1 a status changes by a named move only; T2 a move has a list of statuses it may come from (allow-lists,
// never "not in"); T3 terminal statuses are in no list, so they never change again (V11).

type Moves<S extends string> = Readonly<Record<string, { readonly from: readonly S[]; readonly to: S }>>;

/** The whole machine of a node run on one screen. */
export const nodeRunMoves = {
  /** Every inbound edge is resolved as the join asks. */
  makeReady: { from: ['pending', 'waiting', 'retry_wait', 'blocked', 'uncertain'], to: 'ready' },
  claim: { from: ['ready'], to: 'running' },
  /** The worker could not go on and gives it back, or died before anything was sent. */
  release: { from: ['running'], to: 'ready' },
  /** Children, a person. */
  wait: { from: ['running'], to: 'waiting' },
  scheduleRetry: { from: ['running', 'waiting'], to: 'retry_wait' },
  doubt: { from: ['running', 'waiting'], to: 'uncertain' },
  block: { from: ['ready', 'running'], to: 'blocked' },
  succeed: { from: ['running', 'uncertain', 'waiting'], to: 'succeeded' },
  fail: { from: ['running', 'uncertain', 'waiting'], to: 'failed' },
  skip: { from: ['pending', 'uncertain', 'waiting'], to: 'skipped' },
  cancel: {
    from: ['pending', 'ready', 'running', 'waiting', 'retry_wait', 'uncertain', 'blocked'],
    to: 'cancelled',
  },
  compensate: { from: ['succeeded'], to: 'compensating' },
  compensated: { from: ['compensating'], to: 'compensated' },
  /** It could not be undone, or a person said that it stays. */
  keep: { from: ['compensating'], to: 'succeeded' },
} as const satisfies Moves<NodeRunStatus>;
export type NodeRunMove = keyof typeof nodeRunMoves;

/** The whole machine of a run. */
export const runMoves = {
  start: { from: ['pending', 'waiting', 'paused'], to: 'running' },
  wait: { from: ['pending', 'running', 'paused'], to: 'waiting' },
  pause: { from: ['pending', 'running', 'waiting'], to: 'paused' },
  askCancel: { from: ['pending', 'running', 'waiting', 'paused', 'compensating'], to: 'cancelling' },
  compensate: { from: ['pending', 'running', 'waiting', 'paused', 'cancelling'], to: 'compensating' },
  succeed: { from: ['pending', 'running', 'waiting', 'compensating'], to: 'succeeded' },
  succeedPartly: { from: ['pending', 'running', 'waiting', 'compensating'], to: 'partial' },
  fail: { from: ['pending', 'running', 'waiting', 'paused', 'compensating'], to: 'failed' },
  cancel: { from: ['cancelling', 'compensating'], to: 'cancelled' },
} as const satisfies Moves<RunStatus>;
export type RunMove = keyof typeof runMoves;

/** Thrown when code asks for a move its table does not allow: a defect, never a user's mistake. */
export class MoveNotAllowedError extends Error {
  readonly code = 'move_not_allowed';
  constructor(what: string, move: string, from: string, allowed: readonly string[]) {
    super(`${what} cannot ${move} from ${from}: the table allows ${allowed.join(', ')} only`);
  }
}

/** The status a node run has after `move`, or an error when the table does not allow it (T2). */
export function moveNodeRun(path: string, from: NodeRunStatus, move: NodeRunMove): NodeRunStatus {
  const { from: allowed, to } = nodeRunMoves[move] as { from: readonly NodeRunStatus[]; to: NodeRunStatus };
  if (!allowed.includes(from)) throw new MoveNotAllowedError(`Node run ${path}`, move, from, allowed);
  return to;
}

/** The status a run has after `move`, or an error when the table does not allow it (T2). */
export function moveRun(from: RunStatus, move: RunMove): RunStatus {
  const { from: allowed, to } = runMoves[move] as { from: readonly RunStatus[]; to: RunStatus };
  if (!allowed.includes(from)) throw new MoveNotAllowedError('The run', move, from, allowed);
  return to;
}

/** Every status a write of `to` may come from, over all moves: what the stored half guards with (T2, V3). */
export function allowedFrom<S extends NodeRunStatus | RunStatus>(
  moves: Readonly<Record<string, { from: readonly S[]; to: S }>>,
  to: S,
): readonly S[] {
  return [
    ...new Set(
      Object.values(moves)
        .filter((move) => move.to === to)
        .flatMap((move) => move.from),
    ),
  ];
}

/** For each status of a node run, the statuses it may be written over. */
export const nodeRunAllowedFrom: Readonly<Record<NodeRunStatus, readonly NodeRunStatus[]>> =
  Object.fromEntries(
    NODE_RUN_STATUSES.map((to) => [to, allowedFrom<NodeRunStatus>(nodeRunMoves, to)]),
  ) as Record<NodeRunStatus, readonly NodeRunStatus[]>;

/** For each status of a run, the statuses it may be written over. */
export const runAllowedFrom: Readonly<Record<RunStatus, readonly RunStatus[]>> = Object.fromEntries(
  RUN_STATUSES.map((to) => [to, allowedFrom<RunStatus>(runMoves, to)]),
) as Record<RunStatus, readonly RunStatus[]>;
