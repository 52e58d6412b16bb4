import type { NodeRunState } from '../state/run-state.ts';

/**
 * Thrown when the rules need node runs that were not loaded: the caller loads them and applies again. Never leaves the store.
 */
export class RowsMissingError extends Error {
  readonly paths: readonly string[];
  /** Everything open under this path is needed. */
  readonly subtree: string | undefined;
  constructor(paths: readonly string[], subtree?: string) {
    super(`Node runs are needed: ${subtree === undefined ? paths.join(', ') : `all under "${subtree}"`}`);
    this.paths = paths;
    this.subtree = subtree;
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
}

/** True when `path` lies below `prefix` ('' = everything). */
export const isUnder = (prefix: string, path: string): boolean =>
  prefix === '' || (path.length > prefix.length && path.startsWith(prefix) && path[prefix.length] === '/');

/** The order of {@link NodeRunRows.openUnder}: by code units. */
export const byPath = (a: NodeRunState, b: NodeRunState): number => (a.path < b.path ? -1 : 1);
