import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';

const statement: Statement = {
  name: 'find-dedupe',
  text: `
select run_id as "runId", body_hash as "bodyHash" from dedupe
where workspace_id = $1 and flow_name = $2 and key = $3 and expires_at >= now()`,
};

/** The run that a dedupe key started, if it still counts. Index: dedupe's primary key. */
export async function findDedupe(
  pool: HotPool,
  workspaceId: string,
  flow: string,
  key: string,
): Promise<{ readonly runId: string; readonly bodyHash: string } | undefined> {
  const [row] = await runStatement<{ runId: string; bodyHash: string }>(pool, statement, [
    workspaceId,
    flow,
    key,
  ]);
  return row;
}
