import type { NodeRunState } from '../state/run-state.ts';
import { isTerminalNodeRun } from '../state/status.ts';
import { byPath, isCompletedEffect, isUnder, lastFirst, type NodeRunRows } from './node-run-rows.ts';

/** All node runs of one run in memory: what a fold, a replay and a worker that owns the whole run use. */
export class AllRows implements NodeRunRows {
  readonly byPath = new Map<string, NodeRunState>();

  get(path: string): NodeRunState | undefined {
    return this.byPath.get(path);
  }

  peek(path: string): NodeRunState | undefined {
    return this.byPath.get(path);
  }

  add(row: NodeRunState): void {
    this.byPath.set(row.path, row);
  }

  openUnder(prefix: string): NodeRunState[] {
    return [...this.byPath.values()]
      .filter((row) => isUnder(prefix, row.path) && !isTerminalNodeRun(row.status))
      .sort(byPath);
  }

  completedEffects(): NodeRunState[] {
    return [...this.byPath.values()].filter(isCompletedEffect).sort(lastFirst);
  }
}
