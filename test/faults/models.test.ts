// Would catch: a call retried that cannot work, spend that passes its limit or is forgotten, half an answer taken for a whole one.
import type { JsonSchema, NodeConfig } from '@pawl/dag-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FakeAnswer } from '../support/fake-openai/script.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../support/fake-openai.ts';
import { gate } from '../support/ledger.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { eventOf, nodeRunsOf, startFlow } from '../support/watch-run.ts';

const quick = { initialMs: 10, jitter: 0 };
const answerSchema: JsonSchema = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } };

describe('models that misbehave', () => {
  let model: FakeOpenAi;
  let pawl: PawlWithLedger;
  beforeAll(async () => {
    model = await startFakeOpenAi();
    // An answer of 1,000 tokens costs 0.03 USD, and nothing else costs anything.
    const server = {
      baseUrl: model.baseUrl,
      apiKey: 'test-key',
      prices: { m: { inputUsdPerMillion: 0, outputUsdPerMillion: 30 } },
    };
    pawl = await startWithLedger({ workers: 2, env: { PAWL_COMPATIBLE: JSON.stringify({ fake: server }) } });
  });
  afterAll(async () => {
    await pawl?.stop();
    await model?.close();
  });

  const say = (more: Partial<Extract<NodeConfig, { kind: 'llm' }>> = {}): NodeConfig => ({
    id: 'say',
    kind: 'llm',
    model: 'compatible:fake/m',
    prompt: 'Say it.',
    retry: quick,
    parameters: { maxOutputTokens: 1_000 },
    ...more,
  });

  /** Runs one model node against these answers; tells how the run ended and what reached the model. */
  async function saying(answers: FakeAnswer[], more: Partial<Extract<NodeConfig, { kind: 'llm' }>> = {}) {
    const before = model.requests.length;
    model.script(...answers);
    const runId = await startFlow(pawl, [say(more)]);
    const ended = await endOf(pawl, runId);
    return { ...ended, requests: model.requests.slice(before) };
  }

  it('C10: 400, 401, 404 and 422 are final: one call each, the words of the provider are kept', async () => {
    for (const status of [400, 401, 404, 422]) {
      const { run, requests } = await saying([{ status, message: `no, because ${status}` }]);
      expect([status, run.status, run.failure?.class]).toEqual([status, 'failed', 'permanent']);
      expect(run.failure!.message).toContain(`no, because ${status}`);
      expect(requests).toHaveLength(1);
    }
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C10 V4: 408, 429, 500 and 529 are tried again, with one key', async () => {
    for (const status of [408, 429, 500, 529]) {
      const { run, requests } = await saying([{ status, message: 'later' }, { text: 'said' }]);
      expect([status, run.status, run.output]).toEqual([status, 'succeeded', { say: 'said' }]);
      expect(requests).toHaveLength(2);
      expect(new Set(requests.map(({ key }) => key))).toEqual(new Set([`${run.id}:say:0`]));
      expect(run.budget.spent.modelCalls).toBe(2);
    }
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C67: a model that asks for a wait is not called before it, in seconds and in milliseconds', async () => {
    for (const [headers, askedMs] of [
      [{ 'retry-after': '1' }, 1_000],
      [{ 'retry-after-ms': '600' }, 600],
    ] as const) {
      const { run, events } = await saying([
        { status: 429, message: 'slow down', headers: { ...headers } },
        { text: 'said' },
      ]);
      expect(run.status).toBe('succeeded');
      const failed = events.find((event) => event.type === 'outcome.failed')!;
      const [, again] = events.filter(({ type }) => type === 'intent.recorded');
      expect(again!.at - failed.at).toBeGreaterThanOrEqual(askedMs - 50);
    }
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('a call whose answer was lost is made again; what it may have cost is counted as spent', async () => {
    const { run, events } = await saying([
      { cut: 'after' },
      { text: 'said', usage: { input: 10, output: 100 } },
    ]);
    expect(run).toMatchObject({ status: 'succeeded', output: { say: 'said' } });
    expect(events.find(({ type }) => type === 'outcome.failed')).toMatchObject({
      data: { next: 'retry', lostSpend: true },
    });
    // 0.03 USD was reserved for the lost call; the good one cost a tenth.
    expect(run.budget.spent).toMatchObject({ costNanoUsd: 33_000_000, modelCalls: 2 });
    expect(run.budget.reserved).toMatchObject({ costNanoUsd: 0, modelCalls: 0 });
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C61: fenced JSON and JSON after reasoning are read; each call is charged', async () => {
    for (const text of ['Here you are:\n```json\n{"a": "b"}\n```', '<think>{ maybe }</think>\n{"a": "b"}']) {
      const { run } = await saying([{ text }, { text: '{"a": "b"}' }], { output: { schema: answerSchema } });
      expect([text, run.status, run.output]).toEqual([text, 'succeeded', { say: { a: 'b' } }]);
    }
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C61: two values and a trailing comma are not guessed at: one repair call, then a failure with the raw text kept', async () => {
    for (const text of ['{"a": "b"} {"a": "c"}', '{"a": "b",}']) {
      const { run, events, requests } = await saying([{ text }], { output: { schema: answerSchema } });
      expect(run).toMatchObject({
        status: 'failed',
        failure: { code: 'output_invalid_json', class: 'permanent' },
      });
      expect(requests.map(({ key }) => key)).toEqual([`${run.id}:say:0`, `${run.id}:say:1`]);
      const texts = events.flatMap(({ data }) => ('answer' in data && data.answer ? [data.answer.text] : []));
      expect(texts).toEqual([text, text]);
      expect(run.budget.spent.modelCalls).toBe(2);
    }
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C61: a repair call that mends the answer is an answer of its own, recorded and charged', async () => {
    const { run, events } = await saying([{ text: 'no JSON' }, { text: '{"a": "b"}' }], {
      output: { schema: answerSchema },
    });
    expect(run).toMatchObject({ status: 'succeeded', output: { say: { a: 'b' } } });
    expect(events.map(({ type }) => type)).toEqual([
      'run.admitted',
      'intent.recorded',
      'call.answered',
      'intent.recorded',
      'outcome.succeeded',
      'run.statusChanged',
    ]);
    expect(run.budget.spent.modelCalls).toBe(2);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C62: an answer that ends inside a string is truncated when the limit says so, else invalid; no part goes on', async () => {
    const text = '{"a":"b';
    const cut = await saying([{ text, finish: 'length' }], { output: { schema: answerSchema } });
    expect(cut.run).toMatchObject({ status: 'failed', failure: { code: 'output_truncated' } });
    expect(cut.run.failure!.message).toMatch(/maxOutputTokens/);
    expect(cut.requests).toHaveLength(1);
    const invalid = await saying([{ text, finish: 'stop' }], {
      output: { schema: answerSchema, repairs: 0 },
    });
    expect(invalid.run).toMatchObject({ status: 'failed', failure: { code: 'output_invalid_json' } });
    for (const { events } of [cut, invalid]) {
      expect(events.find(({ type }) => type === 'outcome.failed')).toMatchObject({
        data: { answer: { text } },
      });
      expect(events.map(({ type }) => type)).not.toContain('outcome.succeeded');
    }
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C71 V6: of 20 calls at 0.03 on a budget of 0.10 at most three are made; raising it makes the rest', async () => {
    const held = gate();
    const before = model.requests.length;
    model.script({ text: 'said', usage: { input: 1, output: 1_000 }, hold: held.opened });
    const over = Array.from({ length: 20 }, (_, i) => i);
    const runId = await startFlow(
      pawl,
      [{ id: 'each', kind: 'map', over, concurrency: 20, body: { nodes: [say()], edges: [] } }],
      { budget: { costUsd: 0.1 } },
    );
    await eventOf(pawl, runId, 'run.statusChanged', ({ data }) => data.status === 'paused');
    await model.arrived(before + 3);
    held.open();
    const succeeded = async () =>
      Object.values(await nodeRunsOf(pawl, runId)).filter(
        ({ kind, status }) => kind === 'llm' && status === 'succeeded',
      ).length;
    await expect.poll(succeeded).toBe(3);
    const paused = await pawl.client.getRun({ params: { runId } });
    expect(paused).toMatchObject({ status: 'paused', waitingFor: { kind: 'budget' } });
    expect(paused.budget).toMatchObject({ spent: { costNanoUsd: 90_000_000 }, reserved: { costNanoUsd: 0 } });
    expect(model.requests).toHaveLength(before + 3);
    const blocked = Object.values(await nodeRunsOf(pawl, runId)).filter(({ status }) => status === 'blocked');
    expect(blocked.length).toBeGreaterThan(0);
    for (const node of blocked)
      expect(node.waitingFor).toMatchObject({ kind: 'budget', since: expect.any(String) });
    // A little more does not do; the run is paused again, and nothing is sent.
    await pawl.client.raiseBudget({ params: { runId }, body: { limits: { costUsd: 0.11 } } });
    await eventOf(
      pawl,
      runId,
      'run.statusChanged',
      ({ seq, data }) => data.status === 'paused' && seq > paused.lastSeq,
    );
    expect(model.requests).toHaveLength(before + 3);
    await pawl.client.raiseBudget({ params: { runId }, body: { limits: { costUsd: 1 } } });
    const { run } = await endOf(pawl, runId);
    expect(run).toMatchObject({
      status: 'succeeded',
      budget: { spent: { costNanoUsd: 600_000_000, modelCalls: 20 } },
    });
    expect(model.requests).toHaveLength(before + 20);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('V6: a reservation dies with its worker: the lost call is counted once and its repetition fits or is blocked', async () => {
    const held = gate();
    const before = model.requests.length;
    model.script({ text: 'said', hold: held.opened }, { text: 'said', usage: { input: 1, output: 500 } });
    const runId = await startFlow(pawl, [say()], { budget: { costUsd: 0.06 } });
    await model.arrived(before + 1);
    const workers = pawl.workers.splice(0);
    for (const worker of workers) worker.kill('SIGKILL');
    await Promise.all(workers.map((worker) => worker.ended));
    await pawl.startWorker();
    const { run, events } = await endOf(pawl, runId);
    held.open();
    expect(events.map(({ type }) => type)).toContain('attempt.lost');
    expect(run).toMatchObject({
      status: 'succeeded',
      budget: { spent: { costNanoUsd: 45_000_000, modelCalls: 2 }, reserved: { costNanoUsd: 0 } },
    });
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });
});
