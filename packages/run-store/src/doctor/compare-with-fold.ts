import {
  canonicalJson,
  isTerminalNodeRun,
  type Json,
  type NodeRunState,
  type RunState,
} from '@pawl/dag-core';

/** A fact that a row and the fold of the journal tell differently (V12). Values as JSON; `undefined` where one has none. */
export interface RowDifference {
  readonly runId: string;
  /** Path of the node run; empty for the run itself. */
  readonly path: string;
  /** Name of the fact, `row` when a whole row is missing or too many, `journal` when the journal cannot be folded. */
  readonly fact: string;
  readonly row: Json | undefined;
  readonly fold: Json | undefined;
}

/** Facts of a run that differ. */
export function differencesOfRun(runId: string, row: RunState, fold: RunState): RowDifference[] {
  return differences({ runId, path: '' }, { ...row }, { ...fold });
}

/** Facts of the node runs of a run that differ, rows that one side lacks included. */
export function differencesOfNodeRuns(
  runId: string,
  rows: readonly NodeRunState[],
  folded: ReadonlyMap<string, NodeRunState>,
): RowDifference[] {
  const found = new Map(rows.map((row) => [row.path, row]));
  const lacking = [...folded.keys()].filter((path) => !found.has(path));
  return [
    ...rows.flatMap((row) => differencesOfNodeRun(runId, row, folded.get(row.path))),
    ...lacking.map((path) => ({ runId, path, fact: 'row', row: undefined, fold: folded.get(path)!.status })),
  ];
}

function differencesOfNodeRun(
  runId: string,
  row: NodeRunState,
  fold: NodeRunState | undefined,
): RowDifference[] {
  const place = { runId, path: row.path };
  if (!fold) return [{ ...place, fact: 'row', row: row.status, fold: undefined }];
  const comparable = { ...row, ...claimOf(row, fold), ...wakeOf(row, fold), ...pollOf(row, fold) };
  return differences(place, comparable, { ...fold, workerId: undefined });
}

/**
 * Taking a node run up and giving it back untouched are no events: they decide nothing. So a row may be running where the
 * fold says ready or the other way round, may name a worker, and may have used attempts that left no trace.
 */
function claimOf(row: NodeRunState, fold: NodeRunState): Partial<NodeRunState> {
  const isActive = (status: string) => status === 'ready' || status === 'running';
  return {
    workerId: undefined,
    ...(isActive(row.status) && isActive(fold.status) && { status: fold.status }),
    ...(row.attempt > fold.attempt && { attempt: fold.attempt }),
  };
}

/** To ask about a call and to be told "not yet" is no event (T23): when it is asked next and what went wrong last, rows alone know. */
function pollOf(row: NodeRunState, fold: NodeRunState): Partial<NodeRunState> {
  if (row.kind !== 'poll') return {};
  const { status, wakeAt, failure, losses } = fold;
  const isOpen = !isTerminalNodeRun(row.status) && !isTerminalNodeRun(status);
  const isAsked = row.status !== 'waiting' || row.wakeAt !== undefined;
  return { failure, losses, ...(isOpen && isAsked && { status, wakeAt }) };
}

/** The journal holds fractions of a millisecond that a timestamp does not. */
function wakeOf(row: NodeRunState, fold: NodeRunState): Partial<NodeRunState> {
  if (row.wakeAt === undefined || fold.wakeAt === undefined) return {};
  return Math.abs(row.wakeAt - fold.wakeAt) < 1 ? { wakeAt: fold.wakeAt } : {};
}

function differences(
  place: Pick<RowDifference, 'runId' | 'path'>,
  row: Readonly<Record<string, unknown>>,
  fold: Readonly<Record<string, unknown>>,
): RowDifference[] {
  const facts = new Set([...Object.keys(row), ...Object.keys(fold)]);
  return [...facts]
    .filter((fact) => textOf(row[fact]) !== textOf(fold[fact]))
    .map((fact) => ({
      ...place,
      fact,
      row: row[fact] as Json | undefined,
      fold: fold[fact] as Json | undefined,
    }));
}

function textOf(value: unknown): string | undefined {
  // Through JSON first: members that are undefined count as absent, as they do in the database.
  return value === undefined ? undefined : canonicalJson(JSON.parse(JSON.stringify(value)) as Json);
}
