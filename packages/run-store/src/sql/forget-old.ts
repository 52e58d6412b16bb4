import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';

const workers: Statement = {
  name: 'forget-workers',
  text: `
delete from worker w
where w.id >= '00000000-0000-0000-0000-000000000000' and w.stopped_at < now() - interval '1 day'
  and not exists (select 1 from node_run n where n.worker_id = w.id and n.status = 'running')`,
};

const keys: Statement = {
  name: 'forget-dedupe-keys',
  text: `delete from dedupe d where d.workspace_id >= '00000000-0000-0000-0000-000000000000' and d.expires_at < now()`,
};

/** Housekeeping: workers that stopped more than a day ago, and dedupe keys that no longer count. Walks both primary keys. */
export async function forgetOld(pool: HotPool): Promise<void> {
  await runStatement(pool, workers, []);
  await runStatement(pool, keys, []);
}
