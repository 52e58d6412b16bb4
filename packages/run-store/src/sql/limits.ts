import type { UsedSlot } from '@pawl/dag-core';
import { type HotClient, type HotPool, runStatement, type Statement } from '../hot-pool.ts';
import type { LimitChanges, LimitReading } from '../limits/decide-limits.ts';
import { type LockedLimit, lineOfLimit, type Permit, type Standing } from '../limits/limit-shapes.ts';
import type { OutboxRow } from '../use-cases/outbox-bell.ts';
import { jsonArray, plainArray, textArray } from './array-literal.ts';
import type { NodeRunKey } from './load-node-runs.ts';

/** Most of each workspace that are looked at in a line at once. */
export const MOST_OF_A_LINE = 64;

const lock: Statement = {
  name: 'lock-limits',
  text: `
select c.key, c.concurrency, c.requests, c.tokens::float8 as tokens, coalesce(c.window_ms, 1) as window_ms, c.used,
  extract(epoch from c.paused_until)::float8 * 1000 as paused_ms, extract(epoch from c.wake_at)::float8 * 1000 as wake_ms, c.last_workspace_id
from unnest($1::text[]) as k(key) join call_limit c on c.key = k.key
order by c.key
for no key update of c`,
};

const count: Statement = {
  name: 'count-permits',
  text: `
select k.key, (select count(*)::int from permit p where p.key = k.key) as count,
  extract(epoch from clock_timestamp())::float8 * 1000 as now_ms
from unnest($1::text[]) as k(key)`,
};

const find: Statement = {
  name: 'find-permits',
  text: `
select p.run_id as "runId", p.path, p.key, p.attempt, p.worker_id as "workerId", p.tokens::float8 as tokens,
  round(extract(epoch from p.taken_at)::numeric * 1000)::float8 as "takenAtMs"
from unnest($1::uuid[], $2::text[]) as k(run_id, path) join permit p on p.run_id = k.run_id and p.path = k.path`,
};

const heads: Statement = {
  name: 'find-line-heads',
  text: `
with recursive standing(line, workspace_id) as (
  select k.line, first.workspace_id from unnest($1::text[]) as k(line)
  cross join lateral (
    select l.workspace_id from limit_line l where l.key = k.line order by l.workspace_id limit 1
  ) first
  union all
  select s.line, next.workspace_id from standing s
  cross join lateral (
    select l.workspace_id from limit_line l
    where l.key = s.line and l.workspace_id > s.workspace_id
    order by l.workspace_id limit 1
  ) next
)
select substr(s.line, $3) as key, h.run_id as "runId", h.path, h.workspace_id as "workspaceId", h.priority, h.pool,
  h.tokens::float8 as tokens, n.status is not distinct from 'ready' as "isReady"
from standing s
cross join lateral (
  select * from limit_line l
  where l.key = s.line and l.workspace_id = s.workspace_id
  order by l.priority, l.since
  limit $2
) h
left join node_run n on n.run_id = h.run_id and n.path = h.path`,
};

interface LockedRow {
  readonly key: string;
  readonly concurrency: number | null;
  readonly requests: number | null;
  readonly tokens: number | null;
  readonly window_ms: number;
  readonly used: readonly UsedSlot[] | null;
  readonly paused_ms: number | null;
  readonly wake_ms: number | null;
  readonly last_workspace_id: string | null;
}

/**
 * Locks limits in the order of their keys and reads what is granted of them, the permits of some node runs, and the heads of the
 * limits' lines; sent in one go. Indexes: call_limit's and permit's primary keys, permit_by_key, limit_line_waiting.
 */
export async function lockLimits(
  client: HotClient,
  keys: readonly string[],
  nodeRuns: readonly NodeRunKey[],
): Promise<LimitReading> {
  const key = [textArray(keys)];
  const runs = [plainArray(nodeRuns.map(({ runId }) => runId)), textArray(nodeRuns.map(({ path }) => path))];
  const [locked, counted, permits, lines] = await Promise.all([
    runStatement<LockedRow>(client, lock, key),
    runStatement<{ key: string; count: number; now_ms: number }>(client, count, key),
    runStatement<Permit>(client, find, runs),
    runStatement<Standing>(client, heads, [
      textArray(keys.map(lineOfLimit)),
      MOST_OF_A_LINE,
      lineOfLimit('').length + 1,
    ]),
  ]);
  const counts = new Map(counted.map((row) => [row.key, row.count]));
  return {
    limits: locked.map((row) => lockedLimit(row, counts.get(row.key) ?? 0)),
    permits,
    lines,
    // Read behind the locks: nothing was granted later.
    nowMs: Math.floor(counted[0]?.now_ms ?? 0),
  };
}

function lockedLimit(row: LockedRow, underWay: number): LockedLimit {
  const { key, concurrency, requests, tokens, window_ms: windowMs } = row;
  return {
    key,
    limit: {
      windowMs,
      ...(concurrency !== null && { concurrency }),
      ...(requests !== null && { requests }),
      ...(tokens !== null && { tokens }),
    },
    use: {
      slots: row.used ?? [],
      underWay,
      ...(row.paused_ms !== null && { pausedUntilMs: Math.ceil(row.paused_ms) }),
    },
    lastWorkspaceId: row.last_workspace_id ?? undefined,
    wakeAtMs: row.wake_ms === null ? undefined : Math.round(row.wake_ms),
  };
}

const write: Statement = {
  name: 'write-limits',
  text: `
with used as (
  update call_limit c set used = x.used, wake_at = to_timestamp(x.wake_ms / 1000), last_workspace_id = x.last_workspace_id
  from unnest($1::text[], $2::json[], $3::float8[], $4::uuid[]) as x(key, used, wake_ms, last_workspace_id)
  where c.key = x.key
), taken as (
  delete from permit p using unnest($5::uuid[], $6::text[], $7::text[]) as x(run_id, path, key)
  where p.run_id = x.run_id and p.path = x.path and p.key = x.key
), given as (
  insert into permit (run_id, path, key, attempt, worker_id, tokens, taken_at)
  select x.run_id, x.path, x.key, x.attempt, x.worker_id, x.tokens, to_timestamp(x.taken_ms / 1000)
  from unnest($8::uuid[], $9::text[], $10::text[], $11::int[], $12::uuid[], $13::float8[], $14::float8[])
    as x(run_id, path, key, attempt, worker_id, tokens, taken_ms)
  on conflict (run_id, path, key) do update set attempt = excluded.attempt, worker_id = excluded.worker_id,
    tokens = excluded.tokens, taken_at = excluded.taken_at
), gone as (
  delete from limit_line l using unnest($15::uuid[], $16::text[], $17::text[]) as x(run_id, path, line)
  where l.run_id = x.run_id and l.path = x.path and l.key = x.line
), rung as (
  insert into outbox (run_id, path, pool, priority)
  select b.run_id, b.path, b.pool, b.priority
  from unnest($18::uuid[], $19::text[], $20::text[], $21::smallint[]) as b(run_id, path, pool, priority)
  returning id, run_id, path, pool, priority
)
select coalesce(json_agg(json_build_array(id, run_id, path, pool, priority)), '[]') as outbox from rung`,
};

/** Writes what was decided under the locks, with doorbells for those who leave a line with a permit. Indexes: primary keys. */
export async function writeLimits(client: HotClient, changes: LimitChanges): Promise<readonly OutboxRow[]> {
  const { limits, taken, given, left, rung } = changes;
  const [row] = await runStatement<{ outbox: OutboxRow[] }>(client, write, [
    textArray(limits.map(({ key }) => key)),
    jsonArray(limits.map(({ use }) => use.slots)),
    plainArray(limits.map(({ wakeAtMs }) => wakeAtMs)),
    plainArray(limits.map(({ lastWorkspaceId }) => lastWorkspaceId)),
    ...placeArrays(taken),
    ...placeArrays(given),
    plainArray(given.map(({ attempt }) => attempt)),
    plainArray(given.map(({ workerId }) => workerId)),
    plainArray(given.map(({ tokens }) => tokens)),
    plainArray(given.map(({ takenAtMs }) => takenAtMs)),
    ...placeArrays(left.map((standing) => ({ ...standing, key: lineOfLimit(standing.key) }))),
    plainArray(rung.map(({ runId }) => runId)),
    textArray(rung.map(({ path }) => path)),
    textArray(rung.map(({ pool }) => pool)),
    plainArray(rung.map(({ priority }) => priority)),
  ]);
  return row!.outbox;
}

const placeArrays = (places: readonly (NodeRunKey & { readonly key: string })[]) => [
  plainArray(places.map(({ runId }) => runId)),
  textArray(places.map(({ path }) => path)),
  textArray(places.map(({ key }) => key)),
];

const due: Statement = {
  name: 'find-due-limits',
  text: 'select c.key from call_limit c where c.wake_at is not null and c.wake_at <= now() order by c.wake_at limit $1',
};

/** Limits whose line is to be looked at now. Index: call_limit_wake. */
export const findDueLimits = (pool: HotPool, most: number): Promise<{ key: string }[]> =>
  runStatement(pool, due, [most]);

const stale: Statement = {
  name: 'find-stale-permits',
  text: `
select p.run_id as "runId", p.path, p.key, p.worker_id as "workerId",
  n.status is not distinct from 'ready' as "isUnused"
from permit p left join node_run n on n.run_id = p.run_id and n.path = p.path
where p.run_id >= '00000000-0000-0000-0000-000000000000'
  and p.taken_at < now() - $1::float8 * interval '1 millisecond'
  and not coalesce(n.status = 'running' and (p.worker_id is null or n.worker_id = p.worker_id), false)
limit $2`,
};

/**
 * Permits that nobody calls with any more: their node run has ended, another worker holds it, or nobody took it up although a permit
 * was kept for it. Index: permit's primary key; as many as calls are under way.
 */
export const findStalePermits = (
  pool: HotPool,
  olderThanMs: number,
  most: number,
): Promise<{ runId: string; path: string; key: string; workerId: string | null; isUnused: boolean }[]> =>
  runStatement(pool, stale, [olderThanMs, most]);

const held: Statement = {
  name: 'find-permits-of-workers',
  text: `
select p.run_id as "runId", p.path, p.key, p.worker_id as "workerId"
from unnest($1::uuid[]) as w(id) join permit p on p.worker_id = w.id`,
};

/** Permits that workers hold. Index: permit_by_worker. */
export const findPermitsOf = (
  pool: HotPool,
  workerIds: readonly string[],
): Promise<{ runId: string; path: string; key: string; workerId: string }[]> =>
  runStatement(pool, held, [plainArray(workerIds)]);

const lines: Statement = {
  name: 'find-limits-with-lines',
  text: `
with recursive line(key) as (
  (select l.key from limit_line l where l.key >= $1 and l.key < $2 order by l.key limit 1)
  union all
  select next.key from line s
  cross join lateral (select l.key from limit_line l where l.key > s.key and l.key < $2 order by l.key limit 1) next
)
select substr(line.key, $3) as key from line`,
};

/** Limits in whose line anybody stands. Index: limit_line_waiting. */
export const findLimitsWithLines = (pool: HotPool): Promise<{ key: string }[]> =>
  runStatement(pool, lines, [lineOfLimit(''), 'limit;', lineOfLimit('').length + 1]);
