import type { NodeRunState } from '../state/run-state.ts';

/**
 * Thrown when the rules need node runs that were not loaded: the caller loads them and applies again. Never leaves the store.
 */
export class RowsMissingError extends Error {
  readonly paths: readonly string[];
  /** Everything open under this path is needed. */
  readonly subtree: string | undefined;
  /** Every completed effect that can be undone is needed. */
  readonly isEffects: boolean;
  constructor(paths: readonly string[], subtree?: string, isEffects = false) {
    super(
      `Node runs are needed: ${isEffects ? 'completed effects' : subtree === undefined ? paths.join(', ') : `all under "${subtree}"`}`,
    );
    this.paths = paths;
    this.subtree = subtree;
    this.isEffects = isEffects;
  }
}

/** The node runs the rules may read and change; complete in a fold, partial in the hot path (A1). */
export interface NodeRunRows {
  /** undefined when the node run does not exist. @throws {RowsMissingError} when it is not known whether it does */
  get(path: string): NodeRunState | undefined;
  /** Like `get`, for a node run that only the caller's event can have made: what is not loaded does not exist. */
  peek(path: string): NodeRunState | undefined;
  add(row: NodeRunState): void;
  /**
   * Every open (not terminal) node run whose path is below `prefix` ('' = all), in order of paths, so that what follows does not
   * depend on how the rows were found. @throws {RowsMissingError}
   */
  openUnder(prefix: string): NodeRunState[];
  /** Every completed effect that can be undone (S1), the last that completed first. @throws {RowsMissingError} */
  completedEffects(): NodeRunState[];
}

/** True for a node run whose effect happened and can be undone, or that holds the run of a sub-flow of which that is true (S1). */
export const isCompletedEffect = (row: NodeRunState): boolean =>
  (row.status === 'succeeded' && row.more?.compensates === true) ||
  (row.more?.toUndo !== undefined && row.status !== 'compensating' && row.status !== 'compensated');

/** The order in which effects are undone: the last that completed first. */
export const lastFirst = (a: NodeRunState, b: NodeRunState): number => completedAt(b) - completedAt(a);

const completedAt = ({ more, outputSeq }: NodeRunState): number =>
  more?.toUndo?.at(-1)?.endedSeq ?? outputSeq!;

/** True when `path` lies below `prefix` ('' = everything). */
export const isUnder = (prefix: string, path: string): boolean =>
  prefix === '' || (path.length > prefix.length && path.startsWith(prefix) && path[prefix.length] === '/');

/** The order of {@link NodeRunRows.openUnder}: by code units. */
export const byPath = (a: NodeRunState, b: NodeRunState): number => (a.path < b.path ? -1 : 1);
