import type { ShownLimit } from '@pawl/run-store';
import type { LimitStore } from '../../src/http/limit-store.ts';
import { refusal } from './refusal.ts';

/** Limits of all workspaces in memory; nobody calls. */
export class MemoryLimits {
  readonly #limits = new Map<string, Map<string, ShownLimit>>();

  listLimits(workspaceId: string): ShownLimit[] {
    return [...this.#of(workspaceId).values()];
  }

  setLimit({ workspaceId, ...limit }: Parameters<LimitStore['setLimit']>[0]): void {
    this.#of(workspaceId).set(limit.target, { ...limit, scope: 'workspace', underWay: 0, waiting: 0 });
  }

  removeLimit({ workspaceId, target }: Parameters<LimitStore['removeLimit']>[0]): void {
    if (!this.#of(workspaceId).delete(target))
      throw refusal('limit_not_found', `There is no limit of ${target}.`);
  }

  #of(workspaceId: string): Map<string, ShownLimit> {
    const own = this.#limits.get(workspaceId) ?? new Map<string, ShownLimit>();
    this.#limits.set(workspaceId, own);
    return own;
  }
}
