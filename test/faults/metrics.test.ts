// Would catch: something that is counted twice, by nobody, or under the wrong name; a gauge that does not move.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backends } from '../support/backends.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../support/fake-openai.ts';
import { gate } from '../support/ledger.ts';
import { endOf } from '../support/run-to-end.ts';
import { type Scrape, scrape, sumOf } from '../support/scrape.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, eventOf, publishFlow } from '../support/watch-run.ts';

const quick = { initialMs: 10, jitter: 0 };

describe.each(backends)('metrics of engine and workers together, queue on %s', (queue) => {
  let pawl: PawlWithLedger;
  let model: FakeOpenAi;
  beforeAll(async () => {
    model = await startFakeOpenAi();
    const server = {
      baseUrl: model.baseUrl,
      apiKey: 'test-key',
      prices: { m: { inputUsdPerMillion: 0, outputUsdPerMillion: 10 } },
    };
    pawl = await startWithLedger({
      queue,
      env: { PAWL_METRICS_PORT: '0', PAWL_COMPATIBLE: JSON.stringify({ fake: server }) },
    });
  });
  afterAll(async () => {
    await pawl?.stop();
    await model?.close();
  });

  /** What all processes that live say now. */
  const scrapeAll = (): Promise<Scrape[]> =>
    Promise.all([
      scrape(`${pawl.url}/metrics`),
      ...pawl.workers
        .filter(({ hasEnded }) => !hasEnded())
        .map(({ ready }) => scrape(String(ready.metricsUrl))),
    ]);
  const start = async (flow: string) => (await pawl.client.startRun({ body: { flow } })).runId;

  it('when attempts fail, time out, are in doubt, have no budget or cost money, each is counted once', async () => {
    const retried = await publishFlow(pawl, [
      call('put', 'put', { retry: { maxAttempts: 3, ...quick } }),
      { id: 'next', kind: 'transform', value: 1 },
    ]);
    pawl.ledger.script({ op: 'put' }, { status: 503 });
    await endOf(pawl, await start(retried));

    const doubtful = await publishFlow(pawl, [call('charge', 'charge')]);
    pawl.ledger.script({ op: 'charge' }, { cut: 'after' });
    const inDoubt = await start(doubtful);
    await eventOf(pawl, inDoubt, 'nodeRun.waiting');
    await pawl.client.settleNodeRun({
      params: { runId: inDoubt },
      query: { path: 'charge' },
      body: { verdict: 'happened', output: {} },
    });
    await endOf(pawl, inDoubt);

    const poor = await publishFlow(
      pawl,
      [
        {
          id: 'say',
          kind: 'llm',
          model: 'compatible:fake/m',
          prompt: 'p',
          parameters: { maxOutputTokens: 100 },
        },
      ],
      { budget: { modelCalls: 0 } },
    );
    model.script({ text: 'said', usage: { input: 3, output: 50 } });
    const blocked = await start(poor);
    await eventOf(pawl, blocked, 'nodeRun.waiting');
    const gauge = async () => sumOf(await scrapeAll(), 'pawl_node_runs_blocked');
    await expect.poll(gauge, { timeout: 30_000 }).toBe(1);
    await pawl.client.raiseBudget({ params: { runId: blocked }, body: { limits: { modelCalls: 1 } } });
    await endOf(pawl, blocked);

    const late = gate();
    const slow = await publishFlow(pawl, [
      call('slow', 'stubborn_put', { timeoutMs: 400, retry: { maxAttempts: 2, ...quick } }),
    ]);
    pawl.ledger.script({ op: 'put' }, { hold: late.opened });
    const timedOut = await start(slow);
    await endOf(pawl, timedOut);
    late.open();
    await expect.poll(async () => sumOf(await scrapeAll(), 'pawl_outcomes_late_total')).toBe(1);

    const all = await scrapeAll();
    const sum = (name: string, labels?: Record<string, string>) => sumOf(all, name, labels);
    for (const flow of [retried, doubtful, poor, slow]) {
      expect(sum('pawl_runs_admitted_total', { flow, trigger: 'api' }), flow).toBe(1);
      expect(sum('pawl_runs_ended_total', { flow, status: 'succeeded' }), flow).toBe(1);
      expect(sum('pawl_run_seconds_count', { flow }), flow).toBe(1);
    }
    const attempts = (kind: string, outcome: string) => sum('pawl_attempt_seconds_count', { kind, outcome });
    expect({
      failed: attempts('tool', 'failed'),
      succeeded: attempts('tool', 'succeeded'),
      uncertain: attempts('tool', 'uncertain'),
      blocked: attempts('llm', 'blocked'),
      said: attempts('llm', 'succeeded'),
      computed: attempts('transform', 'succeeded'),
    }).toEqual({ failed: 2, succeeded: 2, uncertain: 1, blocked: 1, said: 1, computed: 1 });
    expect(sum('pawl_wait_seconds_count', { for: 'retry' })).toBe(2);
    expect(sum('pawl_wait_seconds_count', { for: 'uncertain' })).toBe(1);
    expect(sum('pawl_wait_seconds_count', { for: 'budget' })).toBe(1);
    expect(sum('pawl_effects_uncertain_total')).toBe(1);
    expect(sum('pawl_calls_lost_total', { effect: 'non_repeatable' })).toBe(1);
    expect(sum('pawl_budget_blocks_total', { flow: poor })).toBe(1);
    expect(sum('pawl_facts_refused_total', { verdict: 'late' })).toBe(1);
    expect(sum('pawl_spent_model_calls_total', { flow: poor })).toBe(1);
    expect(sum('pawl_spent_tokens_total', { flow: poor })).toBe(53);
    expect(sum('pawl_spent_usd_total', { flow: poor })).toBeCloseTo(0.0005, 10);
    expect(sum('pawl_model_call_seconds_count', { provider: 'compatible', result: 'ok' })).toBe(1);
    expect(sum('pawl_model_tokens_total', { provider: 'compatible', direction: 'out' })).toBe(50);
    expect(sum('pawl_tool_call_seconds_count', { tool: 'ledger.put@1', result: 'failed' })).toBe(1);
    expect(sum('pawl_tool_call_seconds_count', { tool: 'ledger.put@1', result: 'ok' })).toBe(1);
    expect(sum('pawl_attempts_lost_total')).toBe(0);
    // Every node run that came by way of the queue has waited; what a worker went on with has not.
    expect(sum('pawl_queue_wait_seconds_count')).toBe(sum('pawl_node_runs_claimed_total'));
    expect(sum('pawl_queue_wait_seconds_count')).toBeGreaterThanOrEqual(4);
    expect(sum('pawl_doorbells_answered_total')).toBeGreaterThanOrEqual(sum('pawl_node_runs_claimed_total'));
    expect(sum('pawl_doorbells_rung_total', { result: 'taken' })).toBeGreaterThanOrEqual(4);
    expect(sum('pawl_commit_seconds_count', { what: 'facts' })).toBeGreaterThan(4);
    expect(sum('pawl_commit_entries_sum', { what: 'admissions' })).toBe(4);
    expect(sum('pawl_worker_places')).toBe(100);
    expect(sum('pawl_worker_lease_left_seconds')).toBeGreaterThan(0);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('V3: when a worker dies, whoever took over counts the attempt and the call that were lost', async () => {
    const flow = await publishFlow(pawl, [call('put', 'put')]);
    const held = gate();
    pawl.ledger.script({ op: 'put' }, { hold: held.opened });
    const runId = await start(flow);
    await pawl.ledger.arrived(1, { key: runId });
    const [first] = pawl.workers;
    await pawl.startWorker();
    first!.kill('SIGKILL');
    await first!.ended;
    held.open();
    await endOf(pawl, runId);
    const all = await scrapeAll();
    expect(sumOf(all, 'pawl_attempts_lost_total', { effect: 'idempotent' })).toBe(1);
    expect(sumOf(all, 'pawl_calls_lost_total', { effect: 'idempotent' })).toBe(1);
    expect(sumOf(all, 'pawl_attempt_seconds_count', { kind: 'tool', outcome: 'lost' })).toBe(1);
    expect(sumOf(all, 'pawl_attempt_seconds_count', { kind: 'tool', outcome: 'succeeded' })).toBe(1);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('when something is open, every gauge of the whole system tells it, and later that it is over', async () => {
    const flow = await publishFlow(pawl, [call('put', 'put')]);
    const held = gate();
    pawl.ledger.script({ op: 'put' }, { hold: held.opened });
    const runId = await start(flow);
    await pawl.ledger.arrived(1, { key: runId });
    const engine = async (name: string, labels = {}) =>
      sumOf([await scrape(`${pawl.url}/metrics`)], name, labels);
    const slowly = { timeout: 30_000 };
    await expect.poll(() => engine('pawl_node_runs_running'), slowly).toBe(1);
    expect(await engine('pawl_runs_open', { status: 'running' })).toBe(1);
    expect(await engine('pawl_workers_live')).toBe(1);
    expect(await engine('pawl_workers_lease_left_seconds')).toBeGreaterThan(0);
    held.open();
    await endOf(pawl, runId);
    await expect.poll(() => engine('pawl_node_runs_running'), slowly).toBe(0);
    expect(await engine('pawl_runs_open', { status: 'running' })).toBe(0);
  });

  it('when anything else than its metrics is asked of a worker, it has nothing', async () => {
    const url = new URL(String(pawl.workers.at(-1)!.ready.metricsUrl));
    expect(url.hostname).toBe('127.0.0.1');
    expect((await fetch(new URL('/', url))).status).toBe(404);
    expect((await fetch(url, { method: 'POST' })).status).toBe(404);
  });
});
