import { childPath, itemPath } from '@pawl/dag-core';
import type { GraphPath } from '../editor/index.ts';
import type { RunHistory } from './history.ts';

/**
 * Which node runs stand for the nodes of a graph at a moment: a node inside a map or loop ran many times, and one of its items is
 * shown. That is the one that is selected, else one that failed or is in doubt, else the last turn or the first item.
 */
export class ShownPaths {
  readonly #history: RunHistory;
  readonly #seq: number;
  readonly #selected: string;
  readonly #picked = new Map<string, number>();

  constructor(history: RunHistory, seq: number, selected: string) {
    this.#history = history;
    this.#seq = seq;
    this.#selected = selected;
  }

  /** Path of the node run that stands for a node. */
  pathOf(id: string, graph: GraphPath): string {
    let scopePath = '';
    for (const container of graph) {
      const path = childPath(scopePath, container);
      const node = this.#history.graph.nodes.get(container);
      scopePath = node ? itemPath(node, path, this.#pick(path)) : path;
    }
    // Parts of an agent are drawn under ids that begin with the agent's.
    return childPath(scopePath, id.slice(id.lastIndexOf('/') + 1));
  }

  /** Which item of the container at `path` is shown; undefined when none has begun. */
  shownIn(path: string): { readonly index: number; readonly count: number } | undefined {
    const count = this.#history.nodeRunAt(path, this.#seq)?.items?.count ?? 0;
    return count === 0 ? undefined : { index: Math.min(this.#pick(path), count - 1), count };
  }

  #pick(path: string): number {
    let index = this.#picked.get(path);
    if (index === undefined) {
      index = this.#selectedIn(path) ?? this.#mattersIn(path);
      this.#picked.set(path, index);
    }
    return index;
  }

  #selectedIn(path: string): number | undefined {
    if (!this.#selected.startsWith(`${path}/`)) return undefined;
    const [item = ''] = this.#selected.slice(path.length + 1).split('/');
    return indexOf(item);
  }

  #mattersIn(path: string): number {
    let last = 0;
    const isLoop =
      this.#history.graph.nodes.get(path.slice(path.lastIndexOf('/') + 1))?.config.kind !== 'map';
    for (const item of this.#history.below.get(path) ?? []) {
      const status = this.#history.nodeRunAt(item.path, this.#seq)?.status;
      const index = indexOf(item.path.slice(path.length + 1));
      if (status === undefined || index === undefined) continue;
      if (status === 'failed' || status === 'uncertain') return index;
      if (isLoop) last = Math.max(last, index);
    }
    return last;
  }
}

/** The number of an item or turn by its part of a path. */
function indexOf(part: string): number | undefined {
  const [, number] = /^(?:turn-)?(\d+)$/.exec(part) ?? [];
  return number === undefined ? undefined : Number(number);
}
