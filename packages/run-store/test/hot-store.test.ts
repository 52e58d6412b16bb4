// Which mistake would this catch? Two processes, lost answers or a lost database that make a run be decided twice, not at all, or
// from two sides at once (V2, V3, V8, V12, J1).
import {
  compileGraph,
  type Fact,
  type FlowDocument,
  type FlowGraph,
  type JournalEventType,
  type JsonObject,
} from '@pawl/dag-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../test/support/until.ts';
import {
  type ClaimedNodeRun,
  checkRowsEqualFold,
  claimNodeRuns,
  DEFAULT_WORKSPACE_ID,
  findDueTimers,
  findForgotten,
  findHeldNodeRuns,
  findLiveWorkers,
  findNextTimer,
  findOverdueRuns,
  findRunsToAbort,
  findUnrung,
  HotStore,
  type NodeRunKey,
  newId,
  pauseFlow,
  publishFlow,
  registerWorker,
  type StartRequest,
  startRun,
  stopWorker,
  takeOver,
} from '../src/index.ts';
import { PostgresProxy } from './support/postgres-proxy.ts';
import { addOtherWorkspace, OTHER_WORKSPACE_ID, openTestStore, type TestStore } from './support/seed.ts';

const workspaceId = DEFAULT_WORKSPACE_ID;
const step = (id: string, more: object = {}) => ({ id, kind: 'transform', value: id, ...more });

/** Four roots that meet in a join. */
const FAN = flow(
  'fan',
  ['a', 'b', 'c', 'd'].map((id) => step(id)).concat(step('end', { kind: 'join', value: undefined })),
  [...['a', 'b', 'c', 'd'].map((from) => ({ from, to: 'end' }))],
);
const POOLS = flow(
  'pools',
  [step('a', { pool: 'slow' }), step('b', { pool: 'slow' }), step('c'), step('d')],
  [],
);
const CHAIN = flow(
  'chain',
  [step('a'), step('b'), step('c')],
  [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'c' },
  ],
);
function flow(name: string, nodes: object[], edges: object[]): JsonObject {
  return JSON.parse(JSON.stringify({ format: 'pawl/1', name, nodes, edges })) as JsonObject;
}

let store: TestStore;
let hot: HotStore;
let other: HotStore;
let troubles: string[];
/** Doorbells as the queue got them, and what the queue says to them. */
let rung: NodeRunKey[];
let queue: () => Promise<void>;
/** Runs of the test that runs, with their graphs. */
let graphs: Map<string, FlowGraph>;

const open = (url: string) =>
  HotStore.open({
    url,
    connections: 4,
    ring: async (bells) => {
      await queue();
      rung.push(...bells.map(({ runId, path }) => ({ runId, path })));
    },
    onError: (error, doing) => troubles.push(`${doing}: ${error.message}`),
  });

beforeAll(async () => {
  store = await openTestStore();
  for (const document of [FAN, CHAIN, POOLS])
    await publishFlow(store.orm, { workspaceId, flow: document.name as string, document });
  troubles = [];
  hot = await open(store.url);
  other = await open(store.url);
});
afterAll(async () => {
  await Promise.all([hot.close(), other.close()]);
  await store.close();
});
beforeEach(() => {
  troubles = [];
  rung = [];
  queue = async () => {};
  graphs = new Map();
});
/** After every test: rows tell what the journals tell, and no journal has a gap. */
afterEach(async () => {
  const ids = [...graphs.keys()];
  const { differences } = await checkRowsEqualFold(store.pool, ids);
  // Most workers of these tests are only names, which the table of workers does not know.
  expect(differences.filter(({ fact }) => fact !== 'holder')).toEqual([]);
  const { rows } = await store.pool.query(
    `select r.id from run r left join journal j on j.run_id = r.id where r.id = any ($1)
     group by r.id, r.next_seq having count(j.seq) <> max(j.seq) or max(j.seq) <> r.next_seq - 1`,
    [ids],
  );
  expect(rows, 'runs with gaps').toEqual([]);
});

async function start(document: JsonObject, more: Partial<StartRequest> = {}, into = hot): Promise<string> {
  const request = { workspaceId, flow: document.name as string, input: null, trigger: 'test', ...more };
  const { runId } = await startRun(into, request);
  graphs.set(runId, compileGraph(document as unknown as FlowDocument));
  return runId;
}
const startMany = (count: number, document: JsonObject) =>
  Promise.all(Array.from({ length: count }, () => start(document)));

const tell = (runId: string, facts: Fact[], into = hot, keep?: { workerId: string; count: number }) =>
  into.commit({ runId, graph: graphs.get(runId)!, facts, ...(keep && { keep }) });

const claim = (workerId: string, keys: NodeRunKey[], from = hot): Promise<ClaimedNodeRun[]> =>
  claimNodeRuns(from.pool, workerId, keys, []);

const rootsOf = (runIds: readonly string[], ids = ['a', 'b', 'c', 'd']): NodeRunKey[] =>
  runIds.flatMap((runId) => ids.map((path) => ({ runId, path })));

const done = ({ path, attempt }: { path: string; attempt: number }, workerId: string): Fact => ({
  path,
  attempt,
  workerId,
  type: 'succeeded',
  output: path,
});

async function statuses(runId: string): Promise<Record<string, string>> {
  const { rows } = await store.pool.query('select path, status from node_run where run_id = $1', [runId]);
  return Object.fromEntries(rows.map((row) => [row.path, row.status]));
}
async function eventsOf(
  runIds: readonly string[],
  type: JournalEventType,
): Promise<{ run_id: string; path: string }[]> {
  const text = 'select run_id, path from journal where run_id = any ($1) and type = $2 order by run_id, path';
  return (await store.pool.query(text, [runIds, type])).rows;
}
const outboxOf = async (runIds: readonly string[]): Promise<number> =>
  (await store.pool.query('select count(*)::int as n from outbox where run_id = any ($1)', [runIds])).rows[0]
    .n;

describe('a run from its start to its end', () => {
  test('admitted, rung, claimed, committed, ended; every doorbell is forgotten once the queue has it', async () => {
    const runId = await start(CHAIN);
    const workerId = newId();
    await until(() => expect(rung).toEqual([{ runId, path: 'a' }]));
    for (const path of ['a', 'b', 'c']) {
      const [claimed] = await claim(workerId, [{ runId, path }]);
      expect(claimed).toMatchObject({ runId, path, attempt: 1, kind: 'transform' });
      const result = await tell(runId, [done(claimed!, workerId)]);
      expect(result).toMatchObject({ verdicts: ['applied'], claimed: [], rung: 1, isEndDue: path === 'c' });
    }
    const [end] = await claim(workerId, [{ runId, path: '' }]);
    expect(end).toMatchObject({ path: '', kind: 'run' });
    await tell(runId, [{ type: 'runEnded', output: { all: 'done' } }]);
    const { rows } = await store.pool.query(
      'select status, finished_at is not null as ended from run where id = $1',
      [runId],
    );
    expect(rows).toEqual([{ status: 'succeeded', ended: true }]);
    await until(async () => expect(await outboxOf([runId])).toBe(0));
    expect(rung.map((bell) => bell.path)).toEqual(['a', 'b', 'c', '']);
    expect(await claim(workerId, [{ runId, path: '' }]), 'after the end').toEqual([]);
    expect(troubles).toEqual([]);
  });

  test('the input comes with the claim where it is asked for', async () => {
    const runId = await start(CHAIN, { input: { text: 'a\u0000b \ud83d\ude00' } });
    const [claimed] = await claimNodeRuns(hot.pool, newId(), [{ runId, path: 'a' }], [runId]);
    expect(claimed!.admitted).toMatchObject({ input: { text: 'a\u0000b \ud83d\ude00' }, trigger: 'test' });
  });

  test('a worker keeps what its outcome made ready, without a doorbell', async () => {
    const runId = await start(CHAIN);
    const workerId = newId();
    const [a] = await claim(workerId, [{ runId, path: 'a' }]);
    const result = await tell(runId, [done(a!, workerId)], hot, { workerId, count: 1 });
    expect(result).toMatchObject({ claimed: [{ path: 'b', attempt: 1 }], rung: 0 });
    expect(await claim(newId(), [{ runId, path: 'b' }]), 'by another worker').toEqual([]);
  });

  test('a segment that ran ahead in memory is committed as one', async () => {
    const runId = await start(CHAIN);
    const workerId = newId();
    const [a] = await claim(workerId, [{ runId, path: 'a' }]);
    const ahead = ['b', 'c'].map((path) => done({ path, attempt: 1 }, workerId));
    const result = await tell(runId, [done(a!, workerId), ...ahead, { type: 'runEnded', output: 1 }]);
    expect(result.verdicts).toEqual(['applied', 'applied', 'applied', 'applied']);
    expect(await statuses(runId)).toEqual({ a: 'succeeded', b: 'succeeded', c: 'succeeded' });
  });

  test('facts about a run that does not exist are answered with nothing', async () => {
    const graph = compileGraph(CHAIN as unknown as FlowDocument);
    const result = await hot.commit({ runId: newId(), graph, facts: [{ type: 'cancel', by: 'x' }] });
    expect(result).toMatchObject({ verdicts: [], run: undefined });
  });
});

describe('many at once', () => {
  test('200 outcomes of 50 runs: every journal gapless, every join made ready once', async () => {
    const runIds = await startMany(50, FAN);
    const workerId = newId();
    const claimed = await claim(workerId, rootsOf(runIds));
    expect(claimed).toHaveLength(200);
    rung = [];
    const results = await Promise.all(claimed.map((row) => tell(row.runId, [done(row, workerId)])));
    expect(results.flatMap((result) => result.verdicts)).toEqual(Array(200).fill('applied'));
    await until(() => expect(rung).toHaveLength(50));
    expect(new Set(rung.map(({ runId, path }) => `${runId} ${path}`))).toEqual(
      new Set(runIds.map((runId) => `${runId} end`)),
    );
    expect(troubles).toEqual([]);
  });

  test('two processes on the same runs: claims are exclusive, outcomes accepted once, nobody deadlocks (V2, V3)', async () => {
    const runIds = await startMany(40, FAN);
    const keys = rootsOf(runIds);
    const workers = [newId(), newId()] as const;
    const both = await Promise.all([
      ...keys.map((key) => claim(workers[0], [key], hot)),
      ...keys.toReversed().map((key) => claim(workers[1], [key], other)),
    ]);
    const claimed = both.flat();
    expect(claimed).toHaveLength(160);
    expect(new Set(claimed.map(({ runId, path }) => `${runId} ${path}`)).size).toBe(160);
    const holders = new Map<ClaimedNodeRun, string>();
    both.forEach((rows, i) => {
      for (const row of rows) holders.set(row, workers[i < keys.length ? 0 : 1]);
    });
    // Every outcome is told by its holder to both processes at once, and claimed by a stranger as well.
    const told = await Promise.all(
      claimed.flatMap((row) => [
        tell(row.runId, [done(row, holders.get(row)!)], hot),
        tell(row.runId, [done(row, holders.get(row)!)], other),
        tell(row.runId, [done(row, newId())], other),
      ]),
    );
    for (let i = 0; i < told.length; i += 3) {
      const [first, second, stranger] = told.slice(i, i + 3).map((result) => result.verdicts[0]!);
      expect([first, second].toSorted()).toEqual(['applied', 'notMine']);
      expect(stranger).toBe('notMine');
    }
    expect(await eventsOf(runIds, 'outcome.succeeded')).toHaveLength(160);
    expect(troubles).toEqual([]);
  });

  test('one entry that cannot be written does not take its neighbours down', async () => {
    const runIds = await startMany(3, CHAIN);
    const workerId = newId();
    const claimed = await claim(workerId, rootsOf(runIds, ['a']));
    // A cost that is no whole number of nano-dollars, which its column refuses.
    const usage = { input: 1, output: 1 };
    const answer = {
      provider: 'p',
      model: 'm',
      finishReason: 'stop',
      text: '',
      usage,
      costNanoUsd: 0.5,
      prices: 'p',
      totalMs: 1,
    };
    const [first, bad, last] = claimed.map((row) => done(row, workerId));
    const results = await Promise.allSettled([
      tell(claimed[0]!.runId, [first!]),
      tell(claimed[1]!.runId, [{ ...bad, answer } as Fact]),
      tell(claimed[2]!.runId, [last!]),
    ]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await eventsOf(runIds, 'outcome.succeeded')).toHaveLength(2);
    expect((await tell(claimed[1]!.runId, [bad!])).verdicts, 'nothing of it was kept').toEqual(['applied']);
  });
});

describe('a worker that is gone', () => {
  const gone = async (): Promise<string> => {
    const id = newId();
    await registerWorker(
      hot.pool,
      { id, lockKey: '77', host: 'h', pid: 1, processStarted: 's', pools: ['default'] },
      -1,
    );
    return id;
  };
  const intent = (
    runId: string,
    row: ClaimedNodeRun,
    workerId: string,
    effect: 'idempotent' | 'non_repeatable',
  ) =>
    tell(runId, [
      {
        path: row.path,
        attempt: row.attempt,
        workerId,
        type: 'intent',
        intent: { call: 0, effect, target: 't@1', key: 'k', request: null, requestHash: 'h' },
      },
    ]);

  test('its outcome after the takeover is evidence and nothing else (V2)', async () => {
    const runId = await start(CHAIN);
    const [old, next] = [await gone(), newId()];
    const [lost] = await claim(old, [{ runId, path: 'a' }]);
    await intent(runId, lost!, old, 'idempotent');
    expect(await takeOver(hot, [old], 'died')).toBe(1);
    const [again] = await claim(next, [{ runId, path: 'a' }]);
    expect(again).toMatchObject({ attempt: 2, intentSeq: 2 });
    expect((await tell(runId, [done(lost!, old)])).verdicts).toEqual(['late']);
    expect((await tell(runId, [done(again!, next)])).verdicts).toEqual(['applied']);
    expect(await eventsOf([runId], 'outcome.late')).toHaveLength(1);
    expect(await eventsOf([runId], 'outcome.succeeded')).toHaveLength(1);
  });

  test('what it sent and must not send twice is in doubt, the rest is ready (V5)', async () => {
    const runId = await start(FAN);
    const old = await gone();
    const claimed = await claim(old, rootsOf([runId]));
    const byPath = new Map(claimed.map((row) => [row.path, row]));
    await intent(runId, byPath.get('b')!, old, 'idempotent');
    await intent(runId, byPath.get('c')!, old, 'non_repeatable');
    await takeOver(hot, [old], 'died');
    expect(await statuses(runId)).toEqual({ a: 'ready', b: 'ready', c: 'uncertain', d: 'ready' });
  });

  test('two sweepers at once take each node run over once', async () => {
    const runIds = await startMany(10, FAN);
    const old = await gone();
    expect(await claim(old, rootsOf(runIds))).toHaveLength(40);
    rung = [];
    const taken = await Promise.all([takeOver(hot, [old], 'died'), takeOver(other, [old], 'died')]);
    expect(taken[0]! + taken[1]!).toBe(40);
    expect(await eventsOf(runIds, 'attempt.lost')).toHaveLength(40);
    await until(() =>
      expect(new Set(rung.map(({ runId, path }) => `${runId} ${path}`))).toEqual(
        expect.toSatisfy((bells: Set<string>) =>
          rootsOf(runIds).every(({ runId, path }) => bells.has(`${runId} ${path}`)),
        ),
      ),
    );
    expect(await takeOver(hot, [old], 'died')).toBe(0);
    expect(troubles).toEqual([]);
  });
});

describe('a database that cannot be reached', () => {
  let proxy: PostgresProxy;
  let far: HotStore;
  beforeEach(async () => {
    proxy = await PostgresProxy.start(store.url);
    far = await open(proxy.url);
  });
  afterEach(async () => {
    await far.close();
    await proxy.close();
  });

  /** A held node run whose outcome is about to be committed through the proxy. */
  async function held() {
    const runId = await start(CHAIN);
    const workerId = newId();
    const [a] = await claim(workerId, [{ runId, path: 'a' }]);
    return { runId, workerId, fact: done(a!, workerId) };
  }

  test('a commit whose answer was lost is recognised, and nothing is decided twice', async () => {
    const { runId, workerId, fact } = await held();
    const struck = proxy.nextCommit('drop answer');
    const result = await tell(runId, [fact], far, { workerId, count: 1 });
    await struck;
    expect(result).toMatchObject({ verdicts: ['applied'], claimed: [{ path: 'b', attempt: 1 }] });
    expect(troubles.join()).toContain('The database did not answer a commit');
    expect(await eventsOf([runId], 'outcome.succeeded')).toHaveLength(1);
    expect(await eventsOf([runId], 'outcome.late')).toHaveLength(0);
    expect(await statuses(runId)).toEqual({ a: 'succeeded', b: 'running' });
  });

  test('a commit that never arrived is decided again', async () => {
    const { runId, workerId, fact } = await held();
    const struck = proxy.nextCommit('drop request');
    const result = await tell(runId, [fact], far, { workerId, count: 1 });
    await struck;
    expect(result).toMatchObject({ verdicts: ['applied'], claimed: [{ path: 'b', attempt: 1 }] });
    expect(await eventsOf([runId], 'outcome.succeeded')).toHaveLength(1);
  });

  test('a commit that arrives after its sender was cut off is waited for', async () => {
    const { runId, workerId, fact } = await held();
    const struck = proxy.nextCommit('hold');
    const telling = tell(runId, [fact], far, { workerId, count: 1 });
    await struck;
    // The sender is back and waits for the run, which the transaction in between still holds.
    await until(async () => {
      const { rows } = await store.pool.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      expect(rows).toHaveLength(1);
    });
    proxy.releaseCommit();
    expect(await telling).toMatchObject({ verdicts: ['applied'], claimed: [{ path: 'b', attempt: 1 }] });
    expect(await eventsOf([runId], 'outcome.succeeded')).toHaveLength(1);
    expect(await eventsOf([runId], 'outcome.late')).toHaveLength(0);
  });

  test('while it is away commits wait, and nothing is lost', async () => {
    const runIds = await startMany(10, FAN);
    const workerId = newId();
    const claimed = await claim(workerId, rootsOf(runIds));
    proxy.goAway();
    const telling = claimed.map((row) => tell(row.runId, [done(row, workerId)], far));
    let hasEnded = false;
    void Promise.allSettled(telling).then(() => {
      hasEnded = true;
    });
    await until(() =>
      expect(troubles.filter((text) => text.startsWith('committing')).length).toBeGreaterThan(1),
    );
    expect(hasEnded).toBe(false);
    expect(await eventsOf(runIds, 'outcome.succeeded')).toEqual([]);
    proxy.comeBack();
    const results = await Promise.all(telling);
    expect(results.flatMap((result) => result.verdicts)).toEqual(Array(40).fill('applied'));
    expect(await eventsOf(runIds, 'outcome.succeeded')).toHaveLength(40);
  });

  test('an admission fails while it is away, so that its caller knows', async () => {
    await start(CHAIN, {}, far); // the graph is known from here on
    proxy.goAway();
    await expect(start(CHAIN, {}, far)).rejects.toThrow();
  });

  test('doorbells whose queue is away stay in the outbox until they are rung', async () => {
    queue = async () => {
      throw new Error('The queue is away.');
    };
    const runId = await start(FAN);
    await until(() => expect(troubles).toEqual(['ringing doorbells: The queue is away.']));
    expect(await outboxOf([runId])).toBe(4);
    queue = async () => {};
    const bells = (await findUnrung(hot.pool, 0, 1_000)).filter((bell) => bell.runId === runId);
    expect(bells.map((bell) => bell.path)).toEqual(['a', 'b', 'c', 'd']);
    await hot.ring(bells);
    expect(await outboxOf([runId])).toBe(0);
    expect(rung).toHaveLength(4);
  });
});

describe('dedupe of starts (C38)', () => {
  const request = (key: string, input: JsonObject | null = null): StartRequest => ({
    workspaceId,
    flow: 'chain',
    input,
    dedupeKey: key,
    trigger: 'test',
  });

  test('the same key and body name the same run, whatever became of it', async () => {
    const key = newId();
    const first = await startRun(hot, request(key, { a: 1, b: 2 }));
    expect(first.result).toBe('started');
    expect(await startRun(other, request(key, { b: 2, a: 1 }))).toEqual({
      result: 'duplicate',
      runId: first.runId,
    });
    graphs.set(first.runId, compileGraph(CHAIN as unknown as FlowDocument));
    await tell(first.runId, [{ type: 'cancel', by: 'x' }]);
    expect(await startRun(hot, request(key, { a: 1, b: 2 }))).toEqual({
      result: 'duplicate',
      runId: first.runId,
    });
  });

  test('the same key with another body is refused, and starts nothing', async () => {
    const key = newId();
    const { runId } = await startRun(hot, request(key));
    await expect(startRun(other, request(key, { other: true }))).rejects.toMatchObject({
      code: 'dedupe_conflict',
    });
    const { rows } = await store.pool.query('select id from run where dedupe_key = $1', [key]);
    expect(rows).toEqual([{ id: runId }]);
  });

  test('the same key and body name the same run, though the flow is paused or would refuse the input by now', async () => {
    const document = (schema: JsonObject): JsonObject => ({ ...CHAIN, name: 'stricter', input: schema });
    const publish = (schema: JsonObject) =>
      publishFlow(store.orm, { workspaceId, flow: 'stricter', document: document(schema) });
    await publish({ type: 'object' });
    const wish = (key: string, input: JsonObject) => ({ ...request(key, input), flow: 'stricter' });
    const key = newId();
    const { runId } = await startRun(hot, wish(key, { a: 1 }));
    await publish({ type: 'object', required: ['b'] });
    expect(await startRun(other, wish(key, { a: 1 }))).toEqual({ result: 'duplicate', runId });
    await expect(startRun(hot, wish(key, { a: 2 }))).rejects.toMatchObject({ code: 'dedupe_conflict' });
    await expect(startRun(hot, wish(newId(), { a: 1 }))).rejects.toMatchObject({ code: 'input_invalid' });
    await pauseFlow(store.orm, { workspaceId, flow: 'stricter', by: 'test' });
    expect(await startRun(other, wish(key, { a: 1 }))).toEqual({ result: 'duplicate', runId });
    await expect(startRun(hot, wish(newId(), { b: 1 }))).rejects.toMatchObject({ code: 'flow_paused' });
  });

  test('V14: keys count per workspace', async () => {
    await addOtherWorkspace(store.pool);
    await publishFlow(store.orm, { workspaceId: OTHER_WORKSPACE_ID, flow: 'chain', document: CHAIN });
    const key = newId();
    const first = await startRun(hot, request(key));
    const theirs = await startRun(hot, { ...request(key, { x: 1 }), workspaceId: OTHER_WORKSPACE_ID });
    expect([first.result, theirs.result]).toEqual(['started', 'started']);
    expect(theirs.runId).not.toBe(first.runId);
  });

  test('keys count per flow', async () => {
    const key = newId();
    const first = await startRun(hot, request(key));
    const second = await startRun(hot, { ...request(key), flow: 'fan' });
    expect([first.result, second.result]).toEqual(['started', 'started']);
  });

  test('twenty at once in two processes start one run', async () => {
    const key = newId();
    const started = await Promise.all(
      Array.from({ length: 20 }, (_, i) => startRun(i % 2 ? hot : other, request(key))),
    );
    expect(new Set(started.map(({ runId }) => runId)).size).toBe(1);
    expect(started.filter(({ result }) => result === 'started')).toHaveLength(1);
    const { rows } = await store.pool.query('select count(*)::int as n from run where dedupe_key = $1', [
      key,
    ]);
    expect(rows).toEqual([{ n: 1 }]);
  });

  test('a key that ran out starts anew', async () => {
    const key = newId();
    const first = await startRun(hot, request(key));
    await store.pool.query("update dedupe set expires_at = now() - interval '1 second' where key = $1", [
      key,
    ]);
    const second = await startRun(hot, request(key, { other: true }));
    expect(second.result).toBe('started');
    expect(second.runId).not.toBe(first.runId);
    expect(await startRun(hot, request(key, { other: true }))).toMatchObject({ result: 'duplicate' });
  });
});

describe('what the sweeper finds', () => {
  const own = <T extends { runId: string }>(found: readonly T[]): T[] =>
    found.filter(({ runId }) => graphs.has(runId));
  const paths = (found: readonly { path: string }[]) => found.map(({ path }) => path).toSorted();
  const age = (runId: string, path: string) =>
    store.pool.query(
      "update node_run set status_at = now() - interval '1 hour' where run_id = $1 and path = $2",
      [runId, path],
    );
  const MINUTE = 60_000;

  test('forgotten: node runs that have been ready for long, in runs that may work', async () => {
    const runId = await start(FAN);
    const [paused, cancelled] = [await start(FAN), await start(FAN)];
    for (const id of [runId, paused, cancelled]) await age(id, 'a');
    await tell(paused, [{ type: 'overtime' }]);
    const workerId = newId();
    const [, c] = await claim(workerId, [
      { runId, path: 'b' },
      { runId: cancelled, path: 'b' },
    ]);
    await tell(cancelled, [{ type: 'cancel', by: 'x' }]);
    await age(runId, 'b');
    await serve('default');
    expect(own(await findForgotten(hot.pool, MINUTE, 1_000))).toMatchObject([
      { runId, path: 'a', pool: null, priority: null },
    ]);
    expect(paths(own(await findForgotten(hot.pool, 0, 1_000)))).toEqual(['a', 'c', 'd']);
    expect(c).toBeDefined();
  });

  test('forgotten: only in pools that somebody serves, with pool and priority, and as many of each pool', async () => {
    await start(POOLS, { priority: 7 });
    const found = async () => paths(own(await findForgotten(hot.pool, 0, 1_000)));
    await serve('default');
    expect(await found()).toEqual(['c', 'd']);
    const workerId = await serve('slow');
    expect(await found()).toEqual(['a', 'b', 'c', 'd']);
    expect(own(await findForgotten(hot.pool, 0, 1_000)).find(({ path }) => path === 'a')).toMatchObject({
      pool: 'slow',
      priority: 7,
    });
    await stopWorker(hot.pool, workerId);
    expect(await found()).toEqual(['c', 'd']);
  });

  async function serve(...pools: string[]): Promise<string> {
    const id = newId();
    const identity = { id, lockKey: '1', host: 'h', pid: 1, processStarted: 's', pools };
    await registerWorker(hot.pool, identity, MINUTE);
    return id;
  }

  test('forgotten: the end of a run that is due and that nobody has in hand', async () => {
    const runId = await start(CHAIN);
    const workerId = newId();
    const [a] = await claim(workerId, [{ runId, path: 'a' }]);
    await tell(runId, [
      done(a!, workerId),
      ...['b', 'c'].map((path) => done({ path, attempt: 1 }, workerId)),
    ]);
    await serve('default');
    expect(own(await findForgotten(hot.pool, MINUTE, 1_000))).toEqual([]);
    await store.pool.query("update run set status_at = now() - interval '1 hour' where id = $1", [runId]);
    expect(own(await findForgotten(hot.pool, MINUTE, 1_000))).toMatchObject([{ runId, path: '' }]);
    await tell(runId, [{ type: 'runEnded', output: 1 }]);
    expect(own(await findForgotten(hot.pool, MINUTE, 1_000))).toEqual([]);
  });

  test('unrung: doorbells that are older than asked, oldest first', async () => {
    queue = async () => {
      throw new Error('away');
    };
    const [old, young] = [await start(FAN), await start(FAN)];
    await until(() => expect(troubles).toHaveLength(2));
    await store.pool.query("update outbox set created_at = now() - interval '1 hour' where run_id = $1", [
      old,
    ]);
    const found = own(await findUnrung(hot.pool, MINUTE, 1_000));
    expect(found.map(({ runId, path }) => ({ runId, path }))).toEqual(rootsOf([old]));
    expect(found[0]!.outboxId).toBeLessThan(found[3]!.outboxId);
    expect(own(await findUnrung(hot.pool, 0, 1_000)).map(({ runId }) => runId)).toContain(young);
    expect(await findUnrung(hot.pool, 0, 2)).toHaveLength(2);
    await store.pool.query('delete from outbox');
  });

  test('due timers: retries whose instant has come, earliest first; the next one to come', async () => {
    const runId = await start(FAN);
    const workerId = newId();
    const failure = { code: 'busy', message: 'It is busy.', class: 'transient' } as const;
    for (const row of await claim(workerId, rootsOf([runId], ['a', 'b', 'c'])))
      await tell(runId, [{ ...done(row, workerId), type: 'failed', failure, random: 0 } as Fact]);
    expect(own(await findDueTimers(hot.pool, 1_000))).toEqual([]);
    expect(await findNextTimer(hot.pool)).toBeGreaterThan(-1_000);
    const wake = (path: string, seconds: number) =>
      store.pool.query(
        "update node_run set wake_at = now() + $3 * interval '1 second' where run_id = $1 and path = $2",
        [runId, path, seconds],
      );
    const before = await store.pool.query('select path, wake_at from node_run where run_id = $1', [runId]);
    await wake('b', -60);
    await wake('a', -1);
    expect(own(await findDueTimers(hot.pool, 1_000)).map(({ path }) => path)).toEqual(['b', 'a']);
    await tell(runId, [{ type: 'timerDue', path: 'b' }]);
    expect(await statuses(runId)).toMatchObject({ a: 'retry_wait', b: 'ready', c: 'retry_wait' });
    for (const row of before.rows)
      if (row.path !== 'b')
        await store.pool.query('update node_run set wake_at = $3 where run_id = $1 and path = $2', [
          runId,
          row.path,
          row.wake_at,
        ]);
  });

  test('overdue: runs past their wall-clock budget, and cancelled ones whose grace is over', async () => {
    const [late, young, cancelled] = [
      await start(CHAIN, { budget: { wallClockMs: 1 } }),
      await start(CHAIN, { budget: { wallClockMs: 3_600_000 } }),
      await start(CHAIN),
    ];
    const workerId = newId();
    await claim(workerId, [{ runId: cancelled, path: 'a' }]);
    await tell(cancelled, [{ type: 'cancel', by: 'x' }]);
    await until(async () =>
      expect(own(await findOverdueRuns(hot.pool, MINUTE, 1_000))).toMatchObject([
        { runId: late, what: 'deadline' },
      ]),
    );
    expect(await findRunsToAbort(hot.pool, workerId)).toEqual([{ runId: cancelled }]);
    const found = own(await findOverdueRuns(hot.pool, 0, 1_000));
    expect(found).toContainEqual(expect.objectContaining({ runId: cancelled, what: 'grace' }));
    expect(found.map(({ runId }) => runId)).not.toContain(young);
    await tell(cancelled, [{ type: 'graceOver' }]);
    await tell(late, [{ type: 'overtime' }]);
    expect(own(await findOverdueRuns(hot.pool, 0, 1_000))).toEqual([]);
    expect(await findRunsToAbort(hot.pool, workerId)).toEqual([]);
  });

  test('workers: those that live, and the dead that still hold something', async () => {
    const [alive, dead, idle] = [newId(), newId(), newId()];
    const worker = (id: string) => ({
      id,
      lockKey: '78',
      host: 'h',
      pid: 1,
      processStarted: 's',
      pools: ['default'],
    });
    await registerWorker(hot.pool, worker(alive), MINUTE);
    await registerWorker(hot.pool, worker(dead), -1);
    await registerWorker(hot.pool, worker(idle), -1);
    const runId = await start(FAN);
    await claim(dead, [{ runId, path: 'a' }]);
    await store.pool.query('update worker set stopped_at = now() where id = any ($1)', [[dead, idle]]);
    const found = (await findLiveWorkers(hot.pool)).filter(({ id }) => [alive, dead, idle].includes(id));
    expect(
      found.map(({ id, isLeaseOver }) => ({ id, isLeaseOver })).toSorted((x, y) => (x.id < y.id ? -1 : 1)),
    ).toEqual([
      { id: alive, isLeaseOver: false },
      { id: dead, isLeaseOver: true },
    ]);
    expect(own(await findHeldNodeRuns(hot.pool, [dead, idle], 100))).toMatchObject([
      { runId, path: 'a', attempt: 1, workerId: dead },
    ]);
  });

  test('a worker whose session lock is held is seen to live', async () => {
    const id = newId();
    await registerWorker(
      hot.pool,
      { id, lockKey: '4611686018427387905', host: 'h', pid: 1, processStarted: 's', pools: ['default'] },
      -1,
    );
    const isFree = async () =>
      (await findLiveWorkers(hot.pool)).find((worker) => worker.id === id)!.isLockFree;
    expect(await isFree()).toBe(true);
    const client = await store.pool.connect();
    await client.query('select pg_advisory_lock(4611686018427387905)');
    expect(await isFree()).toBe(false);
    await client.query('select pg_advisory_unlock(4611686018427387905)');
    client.release();
    expect(await isFree()).toBe(true);
  });
});
