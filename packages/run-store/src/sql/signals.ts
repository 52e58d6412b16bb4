import type { Json } from '@pawl/dag-core';
import { type HotClient, type HotPool, runStatement, type Statement } from '../hot-pool.ts';
import { plainArray, textArray } from './array-literal.ts';

const insert: Statement = {
  name: 'insert-signal',
  text: `
insert into signal (workspace_id, id, name, key, wait_key, payload, body_hash, sent_by, from_run_id, to_run_id, expires_at)
select $1::uuid, $2::text, $3::text, $4::text, $5::text, $6::json, $7::text, $8::text, $9::uuid, $10::uuid,
  now() + $11::float8 * interval '1 millisecond'
where (
  select count(*) from (
    select 1 from signal s
    where s.workspace_id = $1::uuid and s.name = $3::text and s.run_id is null and s.expires_at > now()
    limit $12::bigint
  ) kept
) < $12::bigint
on conflict (workspace_id, id) do nothing
returning id`,
};

export interface SignalRow {
  readonly workspaceId: string;
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly waitKey: string;
  /** JSON text. */
  readonly payload: string;
  readonly bodyHash: string;
  readonly by: string;
  readonly fromRun?: string | undefined;
  readonly toRun?: string | undefined;
}

/** Keeps a signal. False when its id is taken, or too many of its name are kept. Indexes: unique id, signal_named. */
export async function insertSignal(
  pool: HotPool,
  row: SignalRow,
  keptMs: number,
  mostKept: number,
): Promise<boolean> {
  const { workspaceId, id, name, key, waitKey, payload, bodyHash, by, fromRun, toRun } = row;
  const inserted = await runStatement(pool, insert, [
    ...[workspaceId, id, name, key, waitKey, payload, bodyHash, by, fromRun ?? null, toRun ?? null],
    keptMs,
    mostKept,
  ]);
  return inserted.length === 1;
}

const find: Statement = {
  name: 'find-signal',
  text: `
select s.body_hash as "bodyHash", s.run_id as "runId", s.path from signal s
where s.workspace_id = $1 and s.id = $2 and s.expires_at > now()`,
};

/** A signal by its id. Index: unique id. */
export async function findSignal(
  pool: HotPool,
  workspaceId: string,
  id: string,
): Promise<{ bodyHash: string; runId: string | null; path: string | null } | undefined> {
  const [found] = await runStatement<{ bodyHash: string; runId: string | null; path: string | null }>(
    pool,
    find,
    [workspaceId, id],
  );
  return found;
}

const lock: Statement = {
  name: 'lock-wait-keys',
  text: `select pg_advisory_xact_lock(hashtextextended(k, 20161)) from unnest($1::text[]) as k`,
};

const take: Statement = {
  name: 'take-signals',
  text: `
with pair as materialized (
  select p.* from unnest($1::text[]) as wanted(wait_key)
  cross join lateral (
    select n.run_id, n.path, r.version_id, kept.seq
    from node_run n join run r on r.id = n.run_id
    cross join lateral (
      select s.seq from signal s
      where s.wait_key = n.wait_key and s.run_id is null and s.expires_at > now()
        and (s.to_run_id is null or s.to_run_id = n.run_id)
      order by s.seq limit 1
    ) kept
    where n.wait_key = wanted.wait_key and n.status = 'waiting' and r.failure is null
      and r.status in ('pending', 'running', 'waiting', 'paused')
      and not exists (
        select 1 from signal t where t.run_id = n.run_id and t.path = n.path and t.delivered_at is null
      )
    order by n.status_at, n.run_id, n.path
    limit 1
  ) p
  where exists (select 1 from signal s where s.wait_key = wanted.wait_key and s.run_id is null and s.expires_at > now())
), taken as (
  update signal s set taken_at = now(), run_id = (select p.run_id from pair p where p.seq = s.seq),
    path = (select p.path from pair p where p.seq = s.seq)
  where s.seq = any (array(select seq from pair)) and s.run_id is null
  returning s.*
)
select t.seq::float8 as seq, t.workspace_id as "workspaceId", t.id, t.name, t.key, t.wait_key as "waitKey", t.payload, t.sent_by as by,
  t.from_run_id as "fromRun", extract(epoch from t.sent_at)::float8 * 1000 as "sentAt", t.run_id as "runId", t.path,
  p.version_id as "versionId"
from taken t join pair p on p.seq = t.seq`,
};

/** A signal that was set aside for a node run, and has to reach it. */
export interface TakenSignal {
  readonly seq: number;
  readonly workspaceId: string;
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly waitKey: string;
  readonly payload: Json;
  readonly by: string;
  readonly fromRun: string | null;
  readonly sentAt: number;
  readonly runId: string;
  readonly path: string;
  readonly versionId: string;
}

/**
 * Holds wait keys for this transaction, so that nobody else pairs their signals meanwhile. A statement of its own: what it waits
 * for must be seen by the one that pairs.
 *
 * @param waitKeys sorted, each once: two that hold some of the same never wait for each other
 */
export const lockWaitKeys = (client: HotClient, waitKeys: readonly string[]): Promise<unknown> =>
  runStatement(client, lock, [textArray(waitKeys)]);

/**
 * Sets the oldest signal of each key aside for the node run that has waited longest, at most one pair a key. Exclusive on both
 * sides: under {@link lockWaitKeys}. Indexes: node_run_signal, signal_kept, signal_taken.
 */
export const takeSignals = (client: HotClient, waitKeys: readonly string[]): Promise<TakenSignal[]> =>
  runStatement(client, take, [textArray(waitKeys)]);

const undelivered: Statement = {
  name: 'find-undelivered-signals',
  text: `
select s.seq::float8 as seq, s.workspace_id as "workspaceId", s.id, s.name, s.key, s.wait_key as "waitKey", s.payload,
  s.sent_by as by, s.from_run_id as "fromRun", extract(epoch from s.sent_at)::float8 * 1000 as "sentAt", s.run_id as "runId", s.path,
  r.version_id as "versionId"
from signal s join run r on r.id = s.run_id
where s.run_id is not null and s.delivered_at is null and s.taken_at < now() - $1::float8 * interval '1 millisecond'
limit $2`,
};

/** Signals that were set aside and have not reached their node run: whoever took them died. Index: signal_taken. */
export const findUndelivered = (pool: HotPool, olderThanMs: number, limit: number): Promise<TakenSignal[]> =>
  runStatement(pool, undelivered, [olderThanMs, limit]);

const delivered: Statement = {
  name: 'mark-signals-delivered',
  text: `
update signal s set delivered_at = now() where s.seq = any ($1::bigint[])`,
};

const released: Statement = {
  name: 'release-signals',
  text: `
update signal s set run_id = null, path = null, taken_at = null
where s.seq = any ($1::bigint[]) and s.delivered_at is null`,
};

const seqsOf = (signals: readonly Pick<TakenSignal, 'seq'>[]) => [plainArray(signals.map(({ seq }) => seq))];

/** They have reached their node runs. Index: signal's primary key. */
export const markDelivered = (
  pool: HotPool,
  signals: readonly Pick<TakenSignal, 'seq'>[],
): Promise<unknown> => runStatement(pool, delivered, seqsOf(signals));

/** Their node runs wait no more: they are kept again. Index: signal's primary key. */
export const releaseSignals = (
  pool: HotPool,
  signals: readonly Pick<TakenSignal, 'seq'>[],
): Promise<unknown> => runStatement(pool, released, seqsOf(signals));

const unpaired: Statement = {
  name: 'find-unpaired-signals',
  text: `
select distinct s.wait_key as "waitKey" from signal s
where s.run_id is null and s.wait_key >= '' and s.expires_at > now()
  and exists (select 1 from node_run n where n.wait_key = s.wait_key and n.status = 'waiting')
limit $1`,
};

/**
 * Keys that have both a kept signal and somebody who waits: the process that had to look died before it did. Walks signal_kept,
 * which holds kept signals only.
 */
export const findUnpaired = (pool: HotPool, limit: number): Promise<{ waitKey: string }[]> =>
  runStatement(pool, unpaired, [limit]);
