import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';

const statement: Statement = {
  name: 'find-run-place',
  text: 'select r.workspace_id as "workspaceId", r.version_id as "versionId" from run r where r.id = $1',
};

/** Where a run belongs. */
export interface RunPlace {
  readonly workspaceId: string;
  readonly versionId: string;
}

/** The workspace and version of a run; undefined when it was dropped. Index: run's primary key. */
export async function findRunPlace(pool: HotPool, runId: string): Promise<RunPlace | undefined> {
  const [row] = await runStatement<RunPlace>(pool, statement, [runId]);
  return row;
}
