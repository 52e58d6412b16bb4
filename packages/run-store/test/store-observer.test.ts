// Would catch: something committed that no metric, trace or log line hears of, or hears twice; and a watcher that breaks what it watches.
import { compileGraph, type Fact, type FlowDocument, type JsonObject } from '@pawl/dag-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  claimNodeRuns,
  DEFAULT_WORKSPACE_ID,
  HotStore,
  newId,
  publishFlow,
  type RunDecision,
  type StoreObserver,
  startRun,
} from '../src/index.ts';
import { loadNodeRunStarts, loadRunOrigins } from '../src/work/index.ts';
import { PostgresProxy } from './support/postgres-proxy.ts';
import { openTestStore, type TestStore } from './support/seed.ts';

const workspaceId = DEFAULT_WORKSPACE_ID;
const CHAIN: JsonObject = {
  format: 'pawl/1',
  name: 'chain',
  nodes: ['a', 'b'].map((id) => ({ id, kind: 'transform', value: id })),
  edges: [{ from: 'a', to: 'b' }],
};
const graph = compileGraph(CHAIN as unknown as FlowDocument);
const trace = { parent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', state: 'vendor=1' };

let store: TestStore;
let told: { readonly what: string; readonly decision?: RunDecision; readonly aside?: unknown }[];
let troubles: string[];
let isBroken: boolean;

const observer: StoreObserver = {
  committed(decisions) {
    for (const decision of decisions) {
      const [entry] = decision.results.keys();
      told.push({
        what: `committed ${decision.events.map(({ type, path }) => `${type} ${path}`)}`,
        decision,
        aside: entry?.aside,
      });
    }
    if (isBroken) throw new Error('broken watcher');
  },
  admitted(admissions, results) {
    told.push({
      what: `admitted ${admissions.map(({ flow }) => flow)}: ${results.map(({ isAdmitted }) => isAdmitted)}`,
    });
    if (isBroken) throw new Error('broken watcher');
  },
  sent(what, entries) {
    told.push({ what: `sent ${what} ${entries}` });
    if (isBroken) throw new Error('broken watcher');
  },
  rung(bells, result) {
    told.push({ what: `rung ${bells} ${result}` });
    if (isBroken) throw new Error('broken watcher');
  },
};
const whats = () => told.map(({ what }) => what).filter((what) => !what.startsWith('sent'));

const open = (url: string, ring: () => Promise<void> = async () => {}) =>
  HotStore.open({
    url,
    connections: 4,
    ring,
    onError: (error, doing) => troubles.push(`${doing}: ${error.message}`),
    observer,
  });

beforeAll(async () => {
  store = await openTestStore();
  await publishFlow(store.orm, { workspaceId, flow: 'chain', document: CHAIN });
});
afterAll(() => store.close());
beforeEach(() => {
  told = [];
  troubles = [];
  isBroken = false;
});

const succeeded = (path: string, workerId: string): Fact => ({
  type: 'succeeded',
  path,
  attempt: 1,
  workerId,
  output: path,
});

async function claimed(hot: HotStore, more: { dedupeKey?: string } = {}) {
  const { runId } = await startRun(hot, {
    workspaceId,
    flow: 'chain',
    input: null,
    trigger: 'test',
    trace,
    ...more,
  });
  const workerId = newId();
  const [handle] = await claimNodeRuns(hot.pool, workerId, [{ runId, path: 'a' }], [runId]);
  return { runId, workerId, handle: handle! };
}

describe('the observer of a store', () => {
  test('when a run is admitted and an outcome committed, each is told once, with what was handed along', async () => {
    const hot = await open(store.url);
    const { runId, workerId, handle } = await claimed(hot);
    const aside = new Map([['a', 1]]);
    await hot.commit({ runId, graph, facts: [succeeded('a', workerId)], aside });
    await expect
      .poll(whats)
      .toEqual(['admitted chain: true', 'rung 1 taken', 'committed outcome.succeeded a', 'rung 1 taken']);
    const { decision, aside: back } = told.find(({ what }) => what.startsWith('committed'))!;
    expect(back).toBe(aside);
    expect(decision!.view.run.status).toBe('running');
    expect(decision!.run.state.status).toBe('pending');
    expect(told.map(({ what }) => what)).toContain('sent facts 1');
    // Since when it was running, and how long it was ready before: both by the clock of the database.
    const since = decision!.sinceOf('a')!;
    expect(since).toBeLessThanOrEqual(decision!.run.nowMs + 1);
    expect(handle.waitedMs).toBeGreaterThanOrEqual(0);
    const [origin] = await loadRunOrigins(hot.pool, [runId]);
    expect(origin).toMatchObject({ runId, workspaceId, flow: 'chain', mode: 'live', admitted: { trace } });
    expect(origin!.admittedAtMs + handle.waitedMs!).toBeCloseTo(since, 1);
    const [start] = await loadNodeRunStarts(hot.pool, [
      { runId, path: 'a' },
      { runId, path: 'b' },
    ]);
    expect(start).toEqual({ runId, path: 'a', startedAtMs: expect.closeTo(since, 1) });
    await hot.close();
  });

  test('J7: the trace context is no part of what a dedupe key compares', async () => {
    const hot = await open(store.url);
    const request = { workspaceId, flow: 'chain', input: null, trigger: 'test', dedupeKey: 'one' };
    const first = await startRun(hot, { ...request, trace });
    const second = await startRun(hot, { ...request, trace: { parent: trace.parent.replace('b7', 'c8') } });
    expect(second).toEqual({ result: 'duplicate', runId: first.runId });
    expect(whats().filter((what) => what.startsWith('admitted'))).toEqual([
      'admitted chain: true',
      'admitted chain: false',
    ]);
    await hot.close();
  });

  test('V3: facts that were refused are told with their verdicts and without events', async () => {
    const hot = await open(store.url);
    const { runId } = await claimed(hot);
    await hot.commit({ runId, graph, facts: [succeeded('a', newId())] });
    const { decision } = told.find(({ what }) => what === 'committed ')!;
    expect([...decision!.results.values()].flatMap(({ verdicts }) => verdicts)).toEqual(['notMine']);
    await hot.close();
  });

  test('V2: a commit whose answer was lost is told once, when it is known to have happened', async () => {
    const proxy = await PostgresProxy.start(store.url);
    const hot = await open(proxy.url);
    const { runId, workerId } = await claimed(hot);
    told = [];
    const struck = proxy.nextCommit('drop answer');
    const committed = hot.commit({ runId, graph, facts: [succeeded('a', workerId)] });
    await struck;
    expect((await committed).verdicts).toEqual(['applied']);
    expect(whats()).toEqual(['committed outcome.succeeded a']);
    await hot.close();
    await proxy.close();
  });

  test('when the queue refuses doorbells, that is told', async () => {
    const hot = await open(store.url, () => Promise.reject(new Error('away')));
    await claimed(hot);
    await expect.poll(whats).toContain('rung 1 refused');
    await hot.close();
  });

  test('when the observer throws, everything goes on and the trouble is named', async () => {
    isBroken = true;
    const hot = await open(store.url);
    const { runId, workerId } = await claimed(hot);
    const { verdicts } = await hot.commit({ runId, graph, facts: [succeeded('a', workerId)] });
    expect(verdicts).toEqual(['applied']);
    await expect.poll(() => new Set(troubles)).toEqual(new Set(['telling the observer: broken watcher']));
    await hot.close();
  });
});
