import type { Orm } from '../entities/orm.ts';

/** Keeps what a test run is about to run, for as long as runs of it may be there. Relies on flow (workspace_id, name). */
export async function keepTestVersion(
  orm: Orm,
  version: {
    readonly workspaceId: string;
    readonly flow: string;
    readonly id: string;
    readonly text: string;
  },
): Promise<void> {
  const { workspaceId, flow, id, text } = version;
  await orm.pool.query(
    `insert into flow_version (workspace_id, id, flow_id, number, document)
     select $1, $3, f.id, null, $4::json from flow f where f.workspace_id = $1 and f.name = $2
     on conflict (workspace_id, id) do update set created_at = now()`,
    [workspaceId, flow, id, text],
  );
}
