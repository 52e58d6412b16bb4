import { countToolCalls, findToolUsers, type Orm } from '@pawl/run-store';
import type { ToolStore } from '../http/tool-store.ts';

/** What the routes of tools ask, answered by PostgreSQL. */
export function postgresToolStore({ orm }: { readonly orm: Orm }): ToolStore {
  return {
    getToolUse: async (ref) => {
      const [users, calls] = await Promise.all([findToolUsers(orm, ref), countToolCalls(orm, ref)]);
      return { ...users, calls };
    },
  };
}
