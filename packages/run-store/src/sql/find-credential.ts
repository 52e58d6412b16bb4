import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';

const find: Statement = {
  name: 'find-credential',
  text: 'select sealed from credential where workspace_id = $1 and name = $2',
};

/** The sealed value of a credential; undefined when the workspace has none of this name. Index: credential's primary key. */
export async function findCredential(
  pool: HotPool,
  workspaceId: string,
  name: string,
): Promise<Buffer | undefined> {
  const [row] = await runStatement<{ readonly sealed: Buffer }>(pool, find, [workspaceId, name]);
  return row?.sealed;
}
