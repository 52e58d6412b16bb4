import {
  countToolCalls,
  findToolUsers,
  type HotStore,
  type Orm,
  type StoreError,
  tryTool,
} from '@pawl/run-store';
import type { ToolStore } from '../http/tool-store.ts';
import type { Catalog } from './catalog.ts';

/** What the routes of tools ask, answered by PostgreSQL. */
export function postgresToolStore({
  orm,
  hot,
  catalog,
  refusal,
}: {
  readonly orm: Orm;
  readonly hot: HotStore;
  readonly catalog: Catalog;
  /** Why no run of the workspace may be started now, if so. */
  readonly refusal: (of: { readonly workspaceId: string }) => () => Promise<StoreError | undefined>;
}): ToolStore {
  return {
    getToolUse: async (ref) => {
      const [users, calls] = await Promise.all([findToolUsers(orm, ref), countToolCalls(orm, ref)]);
      return { ...users, calls };
    },
    tryTool: async (request) =>
      tryTool({ orm, hot }, { ...request, registered: await catalog.registered() }, refusal(request)),
  };
}
