// Which mistake would this catch? A hot statement that reads a whole table. On young tables a prepared statement settles on a plan
// that scans, and keeps it when they have grown (architecture, "The hot path").

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { holdArtifacts } from '../src/artifacts/used-artifacts.ts';
import { GraphCache } from '../src/graph-cache.ts';
import { type HotClient, type HotPool, openHotPool, type Statement } from '../src/hot-pool.ts';
import { DEFAULT_WORKSPACE_ID, newId, newRunId } from '../src/index.ts';
import { listLimits, pauseLimits, removeLimit, setLimit } from '../src/sql/configured-limits.ts';
import { countWork } from '../src/sql/count-work.ts';
import { deleteOutbox } from '../src/sql/delete-outbox.ts';
import { findCached } from '../src/sql/find-cached.ts';
import { findCredential } from '../src/sql/find-credential.ts';
import { findDedupe } from '../src/sql/find-dedupe.ts';
import { findDoubt } from '../src/sql/find-doubt.ts';
import { findEffects } from '../src/sql/find-effects.ts';
import { findHolders } from '../src/sql/find-holders.ts';
import { findHook, noteRefusal } from '../src/sql/find-hook.ts';
import { findNewestEvents } from '../src/sql/find-newest-events.ts';
import { findPolledCall } from '../src/sql/find-polled-call.ts';
import { findRunPlace } from '../src/sql/find-run-place.ts';
import { findSchedulesToLookAt } from '../src/sql/find-schedules-to-look-at.ts';
import { findSession } from '../src/sql/find-session.ts';
import { findUnrung } from '../src/sql/find-unrung.ts';
import { findVersions } from '../src/sql/find-versions.ts';
import * as sweep from '../src/sql/find-work-to-sweep.ts';
import { keepCached } from '../src/sql/keep-cached.ts';
import * as limits from '../src/sql/limits.ts';
import { standInLine, takeFromLines } from '../src/sql/lines.ts';
import { loadEvents } from '../src/sql/load-events.ts';
import { loadCompletedEffects, loadNodeRuns, loadOpenNodeRuns } from '../src/sql/load-node-runs.ts';
import { loadOutputs } from '../src/sql/load-outputs.ts';
import { loadNodeRunStarts, loadRunOrigins } from '../src/sql/load-run-origins.ts';
import { loadCallbackKey } from '../src/sql/load-signing-key.ts';
import { lockRuns } from '../src/sql/lock-runs.ts';
import { lockSchedule } from '../src/sql/lock-schedule.ts';
import * as runKeys from '../src/sql/run-keys.ts';
import { sameEvents } from '../src/sql/same-events.ts';
import { settleSlots } from '../src/sql/settle-slots.ts';
import * as signals from '../src/sql/signals.ts';
import { admitRuns, applyChanges, claimNodeRuns } from '../src/sql/status-door.ts';
import { findUnheard, forgetWords, sayWords } from '../src/sql/words.ts';
import { declareDeadWorker, renewLease, stopWorker } from '../src/sql/worker-leases.ts';
import { writeTick } from '../src/sql/write-tick.ts';
import { WorkspaceGate } from '../src/use-cases/workspace-gate.ts';
import { openTestStore, type TestStore } from './support/seed.ts';

const LARGE_BY_NATURE =
  /^(?:run|node_run|journal|outbox|dedupe|artifact|used_artifact|limit_line|permit|call_limit|run_key|flow|flow_version|signal|worker|schedule|schedule_slot|webhook|webhook_secret|word|credential)(?:_p\d+|_p?default\w*)?$/;
/** Whole indexes that may be walked: each with the reason. */
const MAY_BE_WALKED = new Map([
  ['call_limit_pkey', 'as many limits as people set; all of them are what is asked for'],
  ['permit_pkey', 'as many permits as calls are under way; all of them are what is asked for'],
  ['run_key_pkey', 'as many as runs with a key are open'],
  ['worker_pkey', 'as many workers as run or stopped lately; all of them are what is asked for'],
]);

let store: TestStore;
let hot: HotPool;
let statements: Map<string, Statement>;
beforeAll(async () => {
  store = await openTestStore();
  hot = openHotPool(store.url, 1, () => {});
  statements = await hotStatements();
});
afterAll(async () => {
  await hot.end();
  await store.close();
});

const aLimit = { key: 'k', workspaceId: null, target: 'a:*' };

/** Every hot statement, as the functions that own it send it. */
async function hotStatements(): Promise<Map<string, Statement>> {
  const found = new Map<string, Statement>();
  const listening = {
    query: async ({ name, text }: Statement) => {
      found.set(name, { name, text });
      return { rows: [] };
    },
  };
  const pool = listening as unknown as HotPool;
  const client = listening as unknown as HotClient;
  const runId = newRunId();
  const keys = [{ runId, path: 'a' }];
  for (const statement of [applyChanges, admitRuns, claimNodeRuns, renewLease])
    found.set(statement.name, statement);
  await countWork(pool).catch(() => {}); // it misses the row it asks for
  await lockRuns(client, [runId]);
  await loadNodeRuns(client, keys);
  await loadOpenNodeRuns(client, keys);
  await loadCompletedEffects(client, runId);
  await findEffects(pool, keys);
  const key = { workspaceId: DEFAULT_WORKSPACE_ID, tool: 't@1', argsHash: 'h' };
  await findCached(pool, [key]);
  await keepCached(pool, [{ ...key, output: 1, ttlMs: 1 }]);
  await loadOutputs(pool, keys);
  await loadEvents(pool, [{ runId, seq: 1 }]);
  await loadRunOrigins(pool, [runId]);
  await loadNodeRunStarts(pool, keys);
  await findVersions(pool, [{ workspaceId: DEFAULT_WORKSPACE_ID, flow: 'f' }]);
  await deleteOutbox(pool, [1]);
  await findUnrung(pool, 1, 1);
  await findDedupe(pool, DEFAULT_WORKSPACE_ID, 'f', 'k');
  await holdArtifacts(pool, [{ runId, workspaceId: DEFAULT_WORKSPACE_ID, artifactId: runId }]).catch(
    () => {},
  ); // likewise
  await sameEvents(pool, { runId, fromSeq: 1, events: [] });
  await stopWorker(pool, runId);
  await declareDeadWorker(pool, runId);
  await findHolders(pool, [runId]);
  await findNewestEvents(pool, [{ runId, path: 'a', type: 'outcome.late', after: 1 }]);
  await findDoubt(pool, runId, 'a');
  await findPolledCall(pool, runId, 'a');
  await findRunPlace(pool, runId);
  await loadCallbackKey(pool).catch(() => {}); // it misses the row it asks for
  await new GraphCache(pool).get(DEFAULT_WORKSPACE_ID, 'v').catch(() => {});
  await findHook(pool, runId);
  await findCredential(pool, DEFAULT_WORKSPACE_ID, 'n');
  await findSession(pool, 'token', { idleMs: 1, longestMs: 1 });
  await noteRefusal(pool, runId, { code: 'c', message: 'm' });
  await findSchedulesToLookAt(pool, 1);
  await lockSchedule(client, runId);
  await writeTick(client, runId, {
    nextMs: 1,
    fireMs: 1,
    missedCount: 0,
    lastMissedMs: null,
    slots: [],
    closed: [],
    cancel: [],
  });
  await settleSlots(pool, runId, [], undefined);
  const waitKeys = ['k'];
  await signals.insertSignal(pool, { ...aSignal, waitKey: 'k', payload: '1', bodyHash: 'h' }, 1, 1);
  await signals.findSignal(pool, runId, 's');
  await signals.lockWaitKeys(client, waitKeys);
  await signals.takeSignals(client, waitKeys);
  await signals.findUndelivered(pool, 1, 1);
  await signals.findUnpaired(pool, 1);
  await signals.markDelivered(pool, []);
  await signals.releaseSignals(pool, []);
  await standInLine(client, [
    { ...keys[0]!, key: 'k', workspaceId: runId, priority: 5, pool: undefined, tokens: 1 },
  ]);
  await takeFromLines(pool, { keys: ['k'], pools: ['default'], most: 1 });
  await sayWords(client, []);
  await forgetWords(pool, []);
  await findUnheard(pool, 1, 1);
  await limits.lockLimits(client, ['k'], keys).catch(() => {}); // likewise
  await limits
    .writeLimits(client, { answers: [], limits: [], given: [], taken: [], left: [], rung: [] })
    .catch(() => {});
  await new WorkspaceGate(pool, 0).refusal(runId).catch(() => {}); // likewise
  const aKey = { workspaceId: runId, flow: 'f', key: 'k' };
  await runKeys.waitForKeys(client, [{ ...aKey, runId, most: 1, priority: 5 }]);
  await runKeys.lockRunKeys(client, [aKey]);
  await runKeys.beginKeyedRuns(client, [aKey]).catch(() => {}); // likewise
  await runKeys.findWaitingRunKeys(pool, 1);
  await limits.findDueLimits(pool, 1);
  await limits.findStalePermits(pool, 1, 1);
  await limits.findPermitsOf(pool, [runId]);
  await limits.findLimitsWithLines(pool);
  await listLimits(pool);
  await setLimit(pool, { ...aLimit, concurrency: 1, requests: null, tokens: null, windowMs: null });
  await removeLimit(pool, 'k');
  await pauseLimits(pool, [aLimit], 1);
  await sweep.findLiveWorkers(pool);
  await sweep.findHeldNodeRuns(pool, [runId], 1);
  await sweep.findDueTimers(pool, 1);
  await sweep.findNextTimer(pool);
  await sweep.findForgotten(pool, 1, 1);
  await sweep.findOverdueRuns(pool, 1, 1);
  await sweep.findRunsToAbort(pool, runId);
  return found;
}

const aSignal = { workspaceId: DEFAULT_WORKSPACE_ID, id: 's', name: 'n', key: '', by: 'test' };

/** Statements that run when a process starts, a person looks or once a day, and may read what they like. */
const NOT_HOT = [
  'declare-catalog',
  'end-session',
  'end-sessions-of-key',
  'end-sessions-of-user',
  'find-declaration',
  'find-users',
  'forget-cached',
  'forget-dedupe-keys',
  'forget-sessions',
  'forget-signals',
  'forget-slots',
  'forget-webhook-secrets',
  'forget-workers',
  'list-catalog',
  'open-session',
  'rebuild-rows',
  'register-worker',
  'ring-through-outbox',
  'show-limits',
  'tell-offers',
];

test('every named statement of the store is looked at', () => {
  const source = join(import.meta.dirname, '../src');
  const named = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [
      ...readFileSync(join(source, name), 'utf8').matchAll(/: Statement = \{\s*name: '([^']+)'/g),
    ])
    .map(([, name]) => name!);
  expect([...statements.keys(), ...NOT_HOT].toSorted()).toEqual(named.toSorted());
});

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Plan[];
}

/** The plan a hot connection settles on, whatever the values are. */
async function genericPlan(client: pg.ClientBase, { text }: Statement): Promise<Plan> {
  const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map((found) => Number(found[1])));
  const values = count > 0 ? `(${Array(count).fill('null').join(', ')})` : '';
  await client.query(`prepare explained as ${text}`);
  try {
    const { rows } = await client.query(`explain (format json) execute explained${values}`);
    return rows[0]['QUERY PLAN'][0].Plan;
  } finally {
    await client.query('deallocate explained');
  }
}

/** What in a plan reads a table as a whole: sequential scans, and walks over an index that covers every row. */
async function wholeReads(plan: Plan): Promise<string[]> {
  const partial = await partialIndexes();
  const visit = (node: Plan): string[] => {
    const table = node['Relation Name'] ?? '';
    const index = node['Index Name'] ?? '';
    const isScan = node['Node Type'] === 'Seq Scan' && LARGE_BY_NATURE.test(table);
    const isWalk =
      node['Node Type'].startsWith('Index') &&
      node['Index Cond'] === undefined &&
      !partial.has(index) &&
      !MAY_BE_WALKED.has(index);
    return [
      ...(isScan ? [`Seq Scan on ${table}`] : []),
      ...(isWalk ? [`walk over ${index}`] : []),
      ...(node.Plans ?? []).flatMap(visit),
    ];
  };
  return visit(plan);
}

let partialNames: Set<string> | undefined;
async function partialIndexes(): Promise<Set<string>> {
  partialNames ??= new Set(
    (
      await store.pool.query<{ name: string }>(
        'select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid where i.indpred is not null',
      )
    ).rows.map((row) => row.name),
  );
  return partialNames;
}

/** Mostly finished runs of twelve node runs each, with their journals, and everything around them; analysed. */
async function fill(runs: number): Promise<void> {
  const { pool } = store;
  const ids = Array.from({ length: runs }, () => newRunId());
  await pool.query(
    `insert into run (id, workspace_id, flow_name, version_id, mode, status, next_seq, open_count, active_count, budget_limits,
       status_at, created_at)
     select id, $2, 'f' || n % 50, 'v' || n % 50, 'live',
       case when n % 100 = 0 then 'running' when n % 100 = 1 then 'waiting' when n % 500 = 2 then 'cancelling'
         when n % 7 = 0 then 'failed' else 'succeeded' end, 14, 0, 0, '{}', now(), now()
     from unnest($1::uuid[]) with ordinality as x(id, n)`,
    [ids, DEFAULT_WORKSPACE_ID],
  );
  await pool.query(
    `insert into node_run (run_id, path, node_id, kind, status, attempt, worker_id, pending_edges, live_edges, output_seq, wake_at,
       status_at)
     select id, 'n' || k, 'n' || k, 'transform',
       case when n % 100 = 0 and k = 12 then 'ready' when n % 100 = 1 and k = 12 then 'retry_wait'
         when n % 100 = 2 and k = 12 then 'running' else 'succeeded' end, 1, case when k = 12 then gen_random_uuid() end,
       0, 1, k + 1, case when n % 100 = 1 and k = 12 then now() end, now()
     from unnest($1::uuid[]) with ordinality as x(id, n), generate_series(1, 12) as k`,
    [ids],
  );
  await pool.query(
    `insert into journal (run_id, seq, type, path, attempt, at, data)
     select id, k, 'outcome.succeeded', 'n' || k, 1, now(), '{"v":1,"output":1}'
     from unnest($1::uuid[]), generate_series(1, 13) as k(k)`.replace(
      'unnest($1::uuid[])',
      'unnest($1::uuid[]) as x(id)',
    ),
    [ids],
  );
  await pool.query(
    `insert into dedupe (workspace_id, flow_name, key, body_hash, run_id, expires_at)
     select $2, 'f', id::text, 'h', id, now() + interval '1 day' from unnest($1::uuid[]) as x(id)`,
    [ids, DEFAULT_WORKSPACE_ID],
  );
  await pool.query(`insert into outbox (run_id, path) select id, 'n1' from unnest($1::uuid[]) as x(id)`, [
    ids,
  ]);
  const some = ids.slice(0, Math.ceil(runs / 10)).map(() => newId());
  await pool.query(
    `insert into worker (id, lock_key, host, pid, process_started, lease_until, stopped_at)
     select id, n, 'h', 1, 's', now(), case when n % 2 = 0 then now() end from unnest($1::uuid[]) with ordinality as x(id, n)`,
    [some],
  );
  await pool.query(
    `insert into flow (id, workspace_id, name, draft, revision, published_version_id)
     select id, $2, id::text, '{}', 1, 'v' || n from unnest($1::uuid[]) with ordinality as x(id, n)`,
    [some, DEFAULT_WORKSPACE_ID],
  );
  await pool.query(
    `insert into schedule (id, workspace_id, name, flow_name, cron, time_zone, input, is_enabled, overlap, catch_up,
       catch_up_window_ms, jitter_ms, next_at, fire_at)
     select id, $2, id::text, 'f', '* * * * *', 'UTC', '{}', n % 2 = 0, 'skip', 'last', 0, 0, now(), case when n % 2 = 0 then now() end
     from unnest($1::uuid[]) with ordinality as x(id, n)`,
    [some, DEFAULT_WORKSPACE_ID],
  );
  await pool.query(
    `insert into webhook (id, workspace_id, name, flow_name, is_enabled, preset, signature_header, delivery_header, tolerance_ms,
       input_from, header_names)
     select id, $2, id::text, 'f', true, 'github', 's', 'd', 1, 'body', '[]' from unnest($1::uuid[]) as x(id)`,
    [some, DEFAULT_WORKSPACE_ID],
  );
  await pool.query(
    `insert into webhook_secret (webhook_id, id, secret) select id, id, 's' from unnest($1::uuid[]) as x(id)`,
    [some],
  );
  await pool.query(
    `insert into schedule_slot (schedule_id, slot, origin, state, run_id, is_open, look_at, decided_at)
     select id, now() + k * interval '1 minute', 'scheduled', case k when 1 then 'queued' when 2 then 'starting' else 'started' end,
       id, k = 3, now(), now()
     from unnest($1::uuid[]) as x(id), generate_series(1, 40) as k`,
    [some],
  );
  await pool.query(
    `insert into flow_version (workspace_id, id, flow_id, number, document)
     select $2, id::text, id, 1, '{}' from unnest($1::uuid[]) as x(id)`,
    [some, DEFAULT_WORKSPACE_ID],
  );
  await pool.query(
    `insert into signal (workspace_id, id, name, key, wait_key, payload, body_hash, sent_by, expires_at, run_id, path, taken_at, delivered_at)
     select $2, id::text, 'n' || n % 50, '', 'k' || n, '1', 'h', 'test', now() + interval '1 day',
       case when n % 10 > 0 then id end, case when n % 10 > 0 then 'n1' end, now(), case when n % 10 > 1 then now() end
     from unnest($1::uuid[]) with ordinality as x(id, n)`,
    [ids, DEFAULT_WORKSPACE_ID],
  );
  await pool.query(
    `update node_run set status = 'waiting', wait_key = 'k' || substr(path, 2) where run_id = any ($1::uuid[]) and path = 'n11'`,
    [ids.slice(0, Math.ceil(runs / 20))],
  );
  await pool.query(
    `insert into word (to_run_id, from_run_id, path, seq, is_up, said, said_at)
     select id, id, 'n1', 1, true, '{}', now() - n * interval '1 second' from unnest($1::uuid[]) with ordinality as x(id, n)`,
    [ids],
  );
  await analyzeFilled();
}

/** Statistics as autovacuum makes them: of tables that have rows. Partitions nobody wrote to are never analysed. */
async function analyzeFilled(): Promise<void> {
  const { rows } = await store.pool.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 0",
  );
  await store.pool.query(`analyze ${rows.map((row) => row.name).join(', ')}`);
}

/** In this order, in one database: tables grow under connections that have made their plans. */
const sizes: [string, () => Promise<void>][] = [
  ['empty tables', async () => {}],
  [
    'tables that were emptied',
    async () =>
      void (await store.pool.query(
        'analyze outbox, dedupe, worker, flow, flow_version, schedule, schedule_slot, webhook, webhook_secret, signal, word',
      )),
  ],
  ['100 runs', () => fill(100)],
  ['3,000 runs more', () => fill(3_000)],
];

describe.each(sizes)('on %s', (_, prepare) => {
  let client: pg.PoolClient;
  beforeAll(async () => {
    await prepare();
    client = await hot.connect();
    await client.query('set plan_cache_mode = force_generic_plan');
  });
  afterAll(() => client.release());

  test('no hot statement reads a table as a whole', async () => {
    const found: Record<string, string[]> = {};
    for (const [name, statement] of statements) {
      const whole = await wholeReads(await genericPlan(client, statement));
      if (whole.length > 0) found[name] = whole;
    }
    expect(found).toEqual({});
  });

  test('the check sees one that does', async () => {
    const scan = { name: 'scan', text: "select 1 from node_run where kind = 'x'" };
    const walk = { name: 'walk', text: 'select run_id from journal order by run_id limit 1' };
    expect(await wholeReads(await genericPlan(client, scan))).not.toEqual([]);
    expect((await wholeReads(await genericPlan(client, walk))).join()).toMatch(
      /walk over journal|Seq Scan on journal/,
    );
  });
});
