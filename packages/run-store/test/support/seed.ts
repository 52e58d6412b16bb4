import type { RunStatus } from '@pawl/dag-core';
import pg from 'pg';
import { createMigratedDatabase } from '../../../../test/support/database.ts';
import { DEFAULT_WORKSPACE_ID, newRunId, type Orm, openOrm } from '../../src/index.ts';

/** A migrated database of a test's own with both ways into it. */
export interface TestStore {
  readonly url: string;
  readonly orm: Orm;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export async function openTestStore(): Promise<TestStore> {
  const database = await createMigratedDatabase();
  const orm = await openOrm(database.url);
  const pool = openTestPool(database.url);
  return {
    url: database.url,
    orm,
    pool,
    close: async () => {
      await Promise.all([orm.close(), pool.end()]);
      await database.drop();
    },
  };
}

/** A pool whose connections may be cut by the removal of their database while they close. */
export function openTestPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('error', () => {});
  return pool;
}

/** A second workspace, to show that nothing of it can be seen from the first. */
export const OTHER_WORKSPACE_ID = '00000000-0000-7000-8000-000000000002';

export async function addOtherWorkspace(pool: pg.Pool): Promise<void> {
  await pool.query("insert into workspace (id, name) values ($1, 'other')", [OTHER_WORKSPACE_ID]);
}

/** Inserts a row as it is given, with sensible values for what is not; objects go into json columns as text. */
async function insert(pool: pg.Pool, table: string, row: Record<string, unknown>): Promise<void> {
  const columns = Object.keys(row);
  const values = Object.values(row).map((value) =>
    typeof value === 'object' && value !== null && !(value instanceof Date) ? JSON.stringify(value) : value,
  );
  await pool.query(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, place) => `$${place + 1}`).join(', ')})`,
    values,
  );
}

export async function seedRun(
  pool: pg.Pool,
  row: Record<string, unknown> & { status?: RunStatus } = {},
): Promise<string> {
  const id = (row.id as string | undefined) ?? newRunId();
  await insert(pool, 'run', {
    workspace_id: DEFAULT_WORKSPACE_ID,
    flow_name: 'triage',
    version_id: 'v1',
    mode: 'live',
    status: 'running',
    next_seq: 2,
    open_count: 1,
    active_count: 1,
    budget_limits: {},
    status_at: new Date(),
    created_at: new Date(),
    ...row,
    id,
  });
  return id;
}

export async function seedNodeRun(pool: pg.Pool, runId: string, row: Record<string, unknown>): Promise<void> {
  await insert(pool, 'node_run', {
    node_id: row.path,
    kind: 'transform',
    status: 'running',
    attempt: 1,
    pending_edges: 0,
    live_edges: 0,
    status_at: new Date(),
    ...row,
    run_id: runId,
  });
}

export async function seedEvent(
  pool: pg.Pool,
  runId: string,
  row: Record<string, unknown> & { seq: number; type: string; data: unknown },
): Promise<void> {
  const { target } = row.data as { target?: string };
  await insert(pool, 'journal', {
    path: '',
    attempt: 0,
    at: new Date(),
    ...(row.type === 'intent.recorded' && { target }),
    ...row,
    run_id: runId,
  });
}
