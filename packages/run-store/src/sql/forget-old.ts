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

// A backfill reaches 366 days back: what it may name is remembered for longer, so that no slot runs twice.
const slots: Statement = {
  name: 'forget-slots',
  text: `
delete from schedule_slot s
where s.schedule_id >= '00000000-0000-0000-0000-000000000000' and s.decided_at < now() - interval '400 days'
  and s.state in ('started', 'skipped', 'failed') and not s.is_open`,
};

const secrets: Statement = {
  name: 'forget-webhook-secrets',
  text: `delete from webhook_secret w where w.webhook_id >= '00000000-0000-0000-0000-000000000000' and w.expires_at < now()`,
};

const cached: Statement = {
  name: 'forget-cached',
  text: `
delete from tool_cache c
where c.workspace_id >= '00000000-0000-0000-0000-000000000000' and c.fresh_until < now() - interval '30 days'`,
};

const signals: Statement = {
  name: 'forget-signals',
  text: `delete from signal s where s.expires_at < now()`,
};

const sessions: Statement = {
  name: 'forget-sessions',
  text: `delete from session s where s.token_hash >= '' and s.expires_at < now()`,
};

/**
 * Housekeeping: workers that stopped more than a day ago, dedupe keys, webhook secrets and sessions that no longer count, signals that
 * nobody took and ids of signals, slots that no backfill can name any more, and results of tools that have not been fresh for a month (until then a fallback may use them).
 * Walks the primary keys.
 */
export async function forgetOld(pool: HotPool): Promise<void> {
  await runStatement(pool, workers, []);
  await runStatement(pool, keys, []);
  await runStatement(pool, signals, []);
  await runStatement(pool, slots, []);
  await runStatement(pool, secrets, []);
  await runStatement(pool, cached, []);
  await runStatement(pool, sessions, []);
}
