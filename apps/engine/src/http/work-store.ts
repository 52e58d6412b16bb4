import type { WorkState } from '@pawl/api';

/** What the routes of workers need of the store; see `EngineStore` for what holds of all. */
export interface WorkStore {
  /** Who works and what waits; node runs are named of the workspace alone. */
  getWorkState(workspaceId: string): Promise<WorkState>;
}
