import type { CallLimit } from '@pawl/dag-core';
import type { ShownLimit } from '@pawl/run-store';

/** What the routes of limits need of the store; see `EngineStore` for what holds of all. */
export interface LimitStore {
  listLimits(workspaceId: string): Promise<ShownLimit[]>;
  setLimit(
    request: { readonly workspaceId: string; readonly target: string } & Partial<CallLimit>,
  ): Promise<void>;
  /** @throws `limit_not_found` */
  removeLimit(ref: { readonly workspaceId: string; readonly target: string }): Promise<void>;
}
