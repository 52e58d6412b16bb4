import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';

/** A limit as it is configured, or a target that everybody keeps away from for a while. */
export interface StoredLimit {
  readonly key: string;
  readonly workspaceId: string | null;
  readonly target: string;
  readonly concurrency: number | null;
  readonly requests: number | null;
  readonly tokens: number | null;
  readonly windowMs: number | null;
  readonly pausedUntil: Date | null;
}

const list: Statement = {
  name: 'list-limits',
  text: `
select c.key, c.workspace_id as "workspaceId", c.target, c.concurrency, c.requests, c.tokens::float8 as tokens,
  c.window_ms as "windowMs", c.paused_until as "pausedUntil"
from call_limit c
where c.key >= '' and (c.source = 'configured' or c.paused_until > now())
order by c.key`,
};

/** Limits in force, of every workspace. Walks the limits, of which there are few. Index: call_limit's primary key. */
export const listLimits = (pool: HotPool): Promise<StoredLimit[]> => runStatement(pool, list, []);

const set: Statement = {
  name: 'set-limit',
  text: `
insert into call_limit (key, workspace_id, target, source, concurrency, requests, tokens, window_ms)
values ($1, $2, $3, 'configured', $4, $5, $6, $7)
on conflict (key) do update set source = 'configured', concurrency = excluded.concurrency, requests = excluded.requests,
  tokens = excluded.tokens, window_ms = excluded.window_ms, updated_at = now()`,
};

/** Sets a limit, in the place of one with the same key. What was granted by then counts on. */
export async function setLimit(
  pool: HotPool,
  { key, workspaceId, target, concurrency, requests, tokens, windowMs }: Omit<StoredLimit, 'pausedUntil'>,
): Promise<void> {
  await runStatement(pool, set, [key, workspaceId, target, concurrency, requests, tokens, windowMs]);
}

const remove: Statement = {
  name: 'remove-limit',
  text: `
update call_limit set source = 'pause', concurrency = null, requests = null, tokens = null, window_ms = null, updated_at = now()
where key = $1 and source = 'configured'
returning key`,
};

/** Takes a limit away; a pause goes on. False when there is none. */
export const removeLimit = async (pool: HotPool, key: string): Promise<boolean> =>
  (await runStatement(pool, remove, [key])).length > 0;

const pause: Statement = {
  name: 'pause-limit',
  text: `
insert into call_limit (key, workspace_id, target, source, paused_until)
select x.key, x.workspace_id, x.target, 'pause', now() + $4::float8 * interval '1 millisecond'
from unnest($1::text[], $2::uuid[], $3::text[]) as x(key, workspace_id, target)
order by x.key
on conflict (key) do update set paused_until = greatest(call_limit.paused_until, excluded.paused_until), updated_at = now()`,
};

/** Lets nobody call for a while: the longest wish counts. */
export async function pauseLimits(
  pool: HotPool,
  limits: readonly Pick<StoredLimit, 'key' | 'workspaceId' | 'target'>[],
  forMs: number,
): Promise<void> {
  await runStatement(pool, pause, [
    limits.map(({ key }) => key),
    limits.map(({ workspaceId }) => workspaceId),
    limits.map(({ target }) => target),
    forMs,
  ]);
}
