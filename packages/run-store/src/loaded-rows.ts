import {
  byPath,
  isCompletedEffect,
  isTerminalNodeRun,
  isUnder,
  lastFirst,
  type NodeRunRows,
  type NodeRunState,
  RowsMissingError,
} from '@pawl/dag-core';

/** The node runs of one run that were loaded under its lock; asks for others by {@link RowsMissingError}. */
export class LoadedRows implements NodeRunRows {
  readonly #rows = new Map<string, NodeRunState>();
  readonly #absent = new Set<string>();
  readonly #subtrees: string[] = [];
  #hasEffects = false;
  #since = new Map<string, number>();

  get(path: string): NodeRunState | undefined {
    const row = this.#rows.get(path);
    if (row || this.#absent.has(path)) return row;
    throw new RowsMissingError([path]);
  }

  peek(path: string): NodeRunState | undefined {
    return this.#rows.get(path);
  }

  /** @param sinceMs when a row that was loaded got its status */
  add(row: NodeRunState, sinceMs?: number): void {
    this.#rows.set(row.path, row);
    if (sinceMs !== undefined) this.#since.set(row.path, sinceMs);
  }

  /** When a row got the status it was loaded with: epoch milliseconds, database clock; undefined when it was not loaded. */
  sinceOf(path: string): number | undefined {
    return this.#since.get(path);
  }

  openUnder(prefix: string): NodeRunState[] {
    if (!this.#subtrees.some((loaded) => loaded === prefix || isUnder(loaded, prefix)))
      throw new RowsMissingError([], prefix);
    return [...this.#rows.values()]
      .filter((row) => isUnder(prefix, row.path) && !isTerminalNodeRun(row.status))
      .sort(byPath);
  }

  completedEffects(): NodeRunState[] {
    if (!this.#hasEffects) throw new RowsMissingError([], undefined, true);
    return [...this.#rows.values()].filter(isCompletedEffect).sort(lastFirst);
  }

  effectsWereLoaded(): void {
    this.#hasEffects = true;
  }

  /** Remembers that `path` was looked for; what was not found does not exist. */
  wasLoaded(path: string): void {
    if (!this.#rows.has(path)) this.#absent.add(path);
  }

  subtreeWasLoaded(prefix: string): void {
    this.#subtrees.push(prefix);
  }

  /** The same knowledge with rows of its own, so that a decision can be started over. */
  copy(): LoadedRows {
    const copy = new LoadedRows();
    for (const row of this.#rows.values())
      copy.#rows.set(row.path, { ...row, deadEdges: [...row.deadEdges] });
    for (const path of this.#absent) copy.#absent.add(path);
    copy.#subtrees.push(...this.#subtrees);
    copy.#hasEffects = this.#hasEffects;
    copy.#since = this.#since;
    return copy;
  }
}
