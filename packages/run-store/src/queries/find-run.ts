import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { RunEntity } from '../entities/run.ts';
import { isId } from '../ids.ts';
import type { RunRow } from './run-shapes.ts';

/** Names a run in a workspace. */
export interface RunRef {
  readonly workspaceId: string;
  readonly runId: string;
}

/** The row of a run; undefined when the workspace has none of that id, whatever other workspaces have (V14). */
export async function findRun(
  em: SqlEntityManager,
  { workspaceId, runId }: RunRef,
): Promise<RunRow | undefined> {
  if (!isId(runId)) return undefined;
  return (await em.findOne(RunEntity, { id: runId.toLowerCase(), workspaceId })) ?? undefined;
}
