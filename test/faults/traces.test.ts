// Would catch: a run that cannot be followed as a whole: spans without a parent, told twice or not at all because somebody died (C85).
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { NodeConfig } from '@pawl/dag-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { askDatabase } from '../support/ask-database.ts';
import { backends } from '../support/backends.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../support/fake-openai.ts';
import { gate } from '../support/ledger.ts';
import {
  type OtlpReceiver,
  type ReceivedSpan,
  startOtlpReceiver,
  tracingEnv,
} from '../support/otlp-receiver.ts';
import { rehearsedAgent } from '../support/rehearsal.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, eventOf, nodeRunsOf, publishFlow } from '../support/watch-run.ts';

const CALLER = 'b7ad6b7169203331';
/** Somebody with a trace of its own. */
const aCaller = (flags = '01') => {
  const traceId = randomBytes(16).toString('hex');
  return { traceId, headers: { traceparent: `00-${traceId}-${CALLER}-${flags}`, tracestate: 'shop=1' } };
};

let receiver: OtlpReceiver;
let pawl: PawlWithLedger;
beforeAll(async () => {
  receiver = await startOtlpReceiver();
});
afterAll(() => receiver.close());
afterEach(() => expect(receiver.faults).toEqual([]));

const start = async (options: Parameters<typeof startWithLedger>[0] = {}) => {
  pawl = await startWithLedger({ ...options, env: { ...tracingEnv(receiver), ...options.env } });
};

/** Spans of one run, by what they are about: `tool pay #2`, `run checkout`, `wait pay`. */
async function spansOf(runId: string): Promise<Map<string, ReceivedSpan>> {
  const ofRun = () => receiver.of((span) => span.attributes['pawl.run.id'] === runId);
  await expect.poll(() => ofRun().some(({ name }) => name.startsWith('run '))).toBe(true);
  // Every process sends on its own: those that are told of must arrive, too.
  await expect.poll(() => orphansIn(ofRun())).toEqual([]);
  return new Map(ofRun().map((span) => [titleOf(span), span]));
}

function titleOf({ name, attributes }: ReceivedSpan): string {
  const attempt = attributes['pawl.attempt.number'];
  return attempt === undefined || name.startsWith('wait') ? name : `${name} #${attempt}`;
}

/** Spans that hang under nothing or point to nothing, but for the caller's. */
function orphansIn(spans: readonly ReceivedSpan[]): string[] {
  const known = new Set([CALLER, ...spans.map(({ spanId }) => spanId)]);
  return spans.flatMap((span) => [
    ...(span.parentSpanId === undefined || known.has(span.parentSpanId)
      ? []
      : [`${titleOf(span)} hangs under nothing`]),
    ...span.links.filter(({ spanId }) => !known.has(spanId)).map(() => `${titleOf(span)} points to nothing`),
  ]);
}

const under = (spans: Map<string, ReceivedSpan>, title: string) =>
  [...spans.values()]
    .filter(({ parentSpanId }) => parentSpanId === spans.get(title)?.spanId)
    .map(titleOf)
    .sort();

describe.each(backends)('a run over the queue on %s', (queue) => {
  afterEach(() => pawl.stop());

  it('C85: with a retry, a wait and a worker that dies, all of it hangs under the caller', async () => {
    await start({ queue, workers: 1 });
    const [first] = pawl.workers;
    const held = gate();
    pawl.ledger.script({ op: 'put' }, { status: 503 }, {}, { hold: held.opened, appliesFirst: true });
    const flow = await publishFlow(pawl, [
      call('reserve', 'put', { retry: { maxAttempts: 3, initialMs: 200, jitter: 0 } }),
      call('pay', 'put'),
      { id: 'thank', kind: 'transform', value: 'thanks' },
    ]);
    const caller = aCaller();
    const { runId } = await pawl.client.startRun({ body: { flow }, headers: caller.headers });
    await pawl.ledger.arrived(3, { key: runId });
    await pawl.startWorker();
    first!.kill('SIGKILL');
    await first!.ended;
    await pawl.ledger.arrived(4, { key: runId });
    held.open();
    expect((await endOf(pawl, runId)).run.status).toBe('succeeded');

    const spans = await spansOf(runId);
    expect([...spans.keys()].sort()).toEqual([
      'POST /v1/runs',
      'execute_tool ledger.put #1',
      'execute_tool ledger.put #2',
      `run ${flow}`,
      'tool pay #1',
      'tool pay #2',
      'tool reserve #1',
      'tool reserve #2',
      'transform thank #1',
      'wait reserve',
    ]);
    expect(new Set([...spans.values()].map(({ traceId }) => traceId))).toEqual(new Set([caller.traceId]));
    expect(new Set([...spans.values()].map(({ traceState }) => traceState))).toEqual(new Set(['shop=1']));
    expect(spans.get('POST /v1/runs')!.parentSpanId).toBe(CALLER);
    expect(under(spans, 'POST /v1/runs')).toEqual([`run ${flow}`]);
    expect(under(spans, `run ${flow}`)).toEqual([
      'tool pay #1',
      'tool pay #2',
      'tool reserve #1',
      'tool reserve #2',
      'transform thank #1',
      'wait reserve',
    ]);
    const calls = receiver.of(
      ({ name, traceId }) => name.startsWith('execute_tool') && traceId === caller.traceId,
    );
    expect(calls).toHaveLength(4);

    // A retry points to the attempt before it, also over a death; the wait to the attempt it followed.
    for (const path of ['reserve', 'pay'])
      expect(spans.get(`tool ${path} #2`)!.links.map(({ spanId }) => spanId)).toEqual([
        spans.get(`tool ${path} #1`)!.spanId,
      ]);
    expect(spans.get('wait reserve')).toMatchObject({
      attributes: { 'pawl.wait.for': 'retry', 'pawl.node.path': 'reserve' },
      links: [{ spanId: spans.get('tool reserve #1')!.spanId }],
    });
    // What a dead worker cannot tell is told by whoever took over from it.
    expect(spans.get('tool pay #1')).toMatchObject({
      resource: { 'service.name': 'pawl-engine' },
      attributes: { 'pawl.attempt.outcome': 'lost', 'pawl.effect.class': 'idempotent' },
      status: { code: 2, message: 'lost' },
    });
    expect(spans.get('tool pay #2')!.resource['service.name']).toBe('pawl-worker');
    for (const span of spans.values())
      if (/^(?:tool|transform|execute)/.test(span.name))
        expect(span.attributes).toMatchObject({
          'pawl.flow.name': flow,
          'pawl.run.mode': 'live',
          'pawl.node.id': expect.any(String),
          'pawl.node.path': expect.any(String),
          'pawl.node.kind': expect.any(String),
          'pawl.attempt.number': expect.any(Number),
        });
    // The other side was told which call it answers, the one that died included.
    const ids = new Set(calls.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`));
    expect(new Set(pawl.ledger.of({ key: runId }).map(({ traceparent }) => traceparent))).toEqual(ids);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });
});

describe('spans of processes of their own', () => {
  afterEach(() => pawl.stop());

  it('C85: when a run came without a trace, its own id is that of its trace, and any process finds it', async () => {
    await start({ env: { OTEL_TRACES_EXPORTER: 'none' } });
    await pawl.startWorker({ OTEL_TRACES_EXPORTER: '' });
    pawl.workers[0]!.kill('SIGTERM');
    await pawl.workers[0]!.ended;
    const flow = await publishFlow(pawl, [{ id: 'only', kind: 'transform', value: 1 }]);
    const { runId } = await pawl.client.startRun({ body: { flow } });
    const spans = await spansOf(runId);
    const run = spans.get(`run ${flow}`)!;
    expect(run.traceId).toBe(runId.replaceAll('-', ''));
    expect(run.parentSpanId).toBeUndefined();
    expect(under(spans, `run ${flow}`)).toEqual(['transform only #1']);
  });

  it('J7: when nobody traces here, the caller is handed on to tools as it came', async () => {
    await start({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: '' } });
    const flow = await publishFlow(pawl, [call('a', 'put')]);
    const { headers } = aCaller();
    const traced = await pawl.client.startRun({ body: { flow }, headers });
    const plain = await pawl.client.startRun({ body: { flow } });
    for (const { runId } of [traced, plain]) await endOf(pawl, runId);
    expect(pawl.ledger.of({ key: traced.runId })[0]!.traceparent).toBe(headers.traceparent);
    expect(pawl.ledger.of({ key: plain.runId })[0]!.traceparent).toBeUndefined();
    const ids: unknown[] = [traced.runId, plain.runId];
    expect(receiver.of(({ attributes }) => ids.includes(attributes['pawl.run.id']))).toEqual([]);
  });

  it('C85: when a run is a replay, each of its spans says so, and none is one of the original', async () => {
    await start();
    const held = gate();
    pawl.ledger.script({ op: 'put' }, { hold: held.opened });
    const flow = await publishFlow(pawl, [call('a', 'put')]);
    const { headers } = aCaller();
    const original = await pawl.client.startRun({ body: { flow }, headers });
    await pawl.ledger.arrived(1, { key: original.runId });
    held.open();
    await endOf(pawl, original.runId);
    // No process has heard of this one when it is marked: nobody answers its doorbell.
    for (const worker of pawl.workers) worker.kill('SIGTERM');
    await Promise.all(pawl.workers.map((worker) => worker.ended));
    const replay = await pawl.client.startRun({ body: { flow }, headers });
    await askDatabase(pawl, `update run set mode = 'replay' where id = $1`, [replay.runId]);
    await pawl.startWorker();
    await endOf(pawl, replay.runId);
    const first = await spansOf(original.runId);
    const second = await spansOf(replay.runId);
    const modes = (spans: Map<string, ReceivedSpan>) =>
      new Set(
        [...spans]
          .filter(([title]) => !title.startsWith('POST'))
          .map(([, { attributes }]) => attributes['pawl.run.mode']),
      );
    expect(modes(first)).toEqual(new Set(['live']));
    expect(modes(second)).toEqual(new Set(['replay']));
    const ids = new Set([...first.values()].map(({ spanId }) => spanId));
    expect([...second.values()].filter(({ spanId }) => ids.has(spanId))).toEqual([]);
  });

  it('when a worker that is asked to stop gives a node run back, the next attempt points to that one', async () => {
    await start({ env: { PAWL_CONCURRENCY: '1' } });
    const held = gate();
    pawl.ledger.script({ op: 'put' }, { hold: held.opened });
    const flow = await publishFlow(pawl, [call('a', 'put'), call('b', 'put')]);
    const { runId } = await pawl.client.startRun({ body: { flow } });
    await pawl.ledger.arrived(1, { key: runId });
    const [first] = pawl.workers;
    first!.kill('SIGTERM');
    await pawl.startWorker();
    held.open();
    await first!.ended;
    await endOf(pawl, runId);
    await spansOf(runId);
    expect((await nodeRunsOf(pawl, runId)).b!.status).toBe('succeeded');
  });
});

describe('spans', () => {
  let model: FakeOpenAi;
  beforeAll(async () => {
    model = await startFakeOpenAi();
    const server = {
      baseUrl: model.baseUrl,
      apiKey: 'test-key',
      prices: { m: { inputUsdPerMillion: 0, outputUsdPerMillion: 10 } },
    };
    const tools = ['ledger-tools.ts', 'tracing-tools.ts'].map((name) =>
      join(import.meta.dirname, '../support', name),
    );
    await start({
      env: { PAWL_COMPATIBLE: JSON.stringify({ fake: server }), PAWL_TOOLS: tools.join(',') },
    });
  });
  afterAll(async () => {
    await pawl.stop();
    await model.close();
  });

  it('when the caller keeps no spans, nobody does, and tools are told so', async () => {
    const flow = await publishFlow(pawl, [call('a', 'put')]);
    const { headers, traceId: unkept } = aCaller('00');
    const { runId } = await pawl.client.startRun({ body: { flow }, headers });
    await endOf(pawl, runId);
    expect(pawl.ledger.of({ key: runId })[0]!.traceparent).toMatch(
      new RegExp(`^00-${unkept}-[0-9a-f]{16}-00$`),
    );
    // A run that is kept, started later, has arrived: the one before it would have, too.
    const later = await pawl.client.startRun({ body: { flow } });
    await spansOf(later.runId);
    expect(receiver.of(({ traceId }) => traceId === unkept)).toEqual([]);
  });

  it('when a map runs, what is inside hangs under it', async () => {
    const inner = {
      nodes: [{ id: 'twice', kind: 'transform' as const, value: '{{ item * 2 }}' }],
      edges: [],
    };
    const flow = await publishFlow(pawl, [
      { id: 'each', kind: 'map', over: [1, 2], body: inner },
      { id: 'after', kind: 'transform', value: '{{ nodes.each.output }}' },
    ]);
    const { runId } = await pawl.client.startRun({ body: { flow } });
    await endOf(pawl, runId);
    const spans = await spansOf(runId);
    expect(under(spans, `run ${flow}`)).toEqual(['map each', 'transform after #1']);
    const inside = receiver.of(({ parentSpanId }) => parentSpanId === spans.get('map each')!.spanId);
    expect(inside.map(({ name, attributes }) => `${name} ${attributes['pawl.node.path']}`).sort()).toEqual([
      'begin each each',
      'end each each',
      'item each each/0',
      'item each each/1',
      'transform twice each/0/twice',
      'transform twice each/1/twice',
    ]);
    const map = spans.get('map each')!;
    for (const span of inside) expect(map.startMs).toBeLessThanOrEqual(span.startMs);
  });

  it('V5: when an effect is in doubt, the wait for a person is a span, and the decision ends it', async () => {
    pawl.ledger.script({ op: 'charge' }, { cut: 'after' });
    const flow = await publishFlow(pawl, [call('charge', 'charge')]);
    const { runId } = await pawl.client.startRun({ body: { flow } });
    await eventOf(pawl, runId, 'nodeRun.waiting');
    await pawl.client.settleNodeRun({
      params: { runId },
      query: { path: 'charge' },
      body: { verdict: 'happened', output: {} },
    });
    await endOf(pawl, runId);
    const spans = await spansOf(runId);
    expect(spans.get('tool charge #1')).toMatchObject({
      attributes: { 'pawl.attempt.outcome': 'uncertain', 'error.type': 'connection_lost' },
      status: { code: 2 },
    });
    expect(spans.get('wait charge')).toMatchObject({
      attributes: { 'pawl.wait.for': 'uncertain' },
      links: [{ spanId: spans.get('tool charge #1')!.spanId }],
      resource: { 'service.name': 'pawl-engine' },
    });
    expect([...spans.keys()].filter((title) => title.startsWith('tool'))).toEqual(['tool charge #1']);
  });

  it('V2: when an answer comes too late, it is a span below the attempt it answers', async () => {
    const late = gate();
    pawl.ledger.script({ op: 'put' }, { hold: late.opened });
    const flow = await publishFlow(pawl, [
      call('put', 'stubborn_put', { timeoutMs: 400, retry: { maxAttempts: 2, initialMs: 10, jitter: 0 } }),
    ]);
    const { runId } = await pawl.client.startRun({ body: { flow } });
    await endOf(pawl, runId);
    late.open();
    await expect.poll(() => receiver.of(({ name }) => name === 'late put').length).toBe(1);
    const spans = await spansOf(runId);
    expect(spans.get('tool put #1')!.attributes).toMatchObject({ 'pawl.attempt.outcome': 'failed' });
    expect(under(spans, 'tool put #1')).toEqual(['execute_tool ledger.stubborn_put #1', 'late put #1']);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('V11: when a run is cancelled, the engine tells its end and that of what it cut off', async () => {
    const held = gate();
    pawl.ledger.script({ op: 'put' }, { hold: held.opened });
    const flow = await publishFlow(pawl, [call('slow', 'put'), { id: 'never', kind: 'transform', value: 1 }]);
    const { runId } = await pawl.client.startRun({ body: { flow } });
    await pawl.ledger.arrived(1, { key: runId });
    await pawl.client.cancelRun({ params: { runId } });
    held.open();
    await endOf(pawl, runId);
    const spans = await spansOf(runId);
    expect(spans.get(`run ${flow}`)).toMatchObject({
      attributes: { 'pawl.run.status': 'cancelled' },
      status: { code: 0 },
    });
    expect([...spans.keys()]).toContain('tool slow #1');
    expect([...spans.keys()].filter((title) => title.includes('never'))).toEqual([]);
  });

  it('when a model is called, its span has the names of the GenAI conventions, a repair call has one of its own', async () => {
    const usage = { input: 20, output: 7, cached: 5, reasoning: 3 };
    model.script({ text: 'no JSON' }, { text: '{"a":"b"}', usage });
    const flow = await publishFlow(pawl, [
      {
        id: 'ask',
        kind: 'llm',
        model: 'compatible:fake/m',
        prompt: 'a prompt that nobody may see here',
        parameters: { maxOutputTokens: 50, temperature: 0.5 },
        output: { schema: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } } },
      },
    ]);
    const { runId } = await pawl.client.startRun({ body: { flow } });
    const { run } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'succeeded', output: { ask: { a: 'b' } } });
    await spansOf(runId);
    const calls = receiver
      .of(({ name, attributes }) => name === 'chat fake/m' && attributes['pawl.run.id'] === runId)
      .sort((a, b) => a.startMs - b.startMs);
    expect(calls.map(({ kind, attributes }) => [kind, attributes['pawl.call']])).toEqual([
      [3, 0],
      [3, 1],
    ]);
    expect(calls[1]!.attributes).toEqual({
      'pawl.run.id': runId,
      'pawl.flow.name': flow,
      'pawl.run.mode': 'live',
      'pawl.node.path': 'ask',
      'pawl.node.id': 'ask',
      'pawl.node.kind': 'llm',
      'pawl.attempt.number': 1,
      'pawl.call': 1,
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'compatible',
      'gen_ai.request.model': 'fake/m',
      'gen_ai.request.max_tokens': 50,
      'gen_ai.request.temperature': 0.5,
      'gen_ai.output.type': 'json',
      'gen_ai.response.model': expect.any(String),
      'gen_ai.response.id': expect.any(String),
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 20,
      'gen_ai.usage.output_tokens': 7,
      'gen_ai.usage.cache_read.input_tokens': 5,
      'gen_ai.usage.reasoning.output_tokens': 3,
      'pawl.cost_usd': 0.00007,
      'pawl.first_token_ms': expect.any(Number),
    });
    expect(receiver.bodies.join('')).not.toMatch(/nobody may see|no JSON/);
  });

  it('when a model call fails, its span says with which code', async () => {
    model.script({ status: 401, message: 'who are you' });
    const flow = await publishFlow(pawl, [
      { id: 'ask', kind: 'llm', model: 'compatible:fake/m', prompt: 'p' },
    ]);
    const { runId } = await pawl.client.startRun({ body: { flow } });
    const { run } = await endOf(pawl, runId);
    const spans = await spansOf(runId);
    for (const title of ['chat fake/m #1', 'llm ask #1', `run ${flow}`])
      expect(spans.get(title), title).toMatchObject({
        attributes: { 'error.type': run.failure!.code },
        status: { code: 2, message: run.failure!.code },
      });
    expect(receiver.bodies.join('')).not.toContain('who are you');
  });

  it('when a tool makes spans of its own, they hang below its call, and so does what it asks', async () => {
    const flow = await publishFlow(pawl, [{ id: 'look', kind: 'tool', tool: 'tracing.in_span@1', args: {} }]);
    const caller = aCaller();
    const { runId } = await pawl.client.startRun({ body: { flow }, headers: caller.headers });
    await endOf(pawl, runId);
    const spans = await spansOf(runId);
    const call = spans.get('execute_tool tracing.in_span #1')!;
    expect(call.attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'tracing.in_span',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': `${runId}:look:0`,
      'pawl.tool.version': '1',
      'pawl.effect.class': 'pure',
    });
    const [own] = receiver.of(({ name }) => name === 'look it up');
    expect(own).toMatchObject({ traceId: caller.traceId, parentSpanId: call.spanId });
    expect(pawl.ledger.of({ key: runId })[0]?.traceparent ?? lastSeen()).toBe(
      `00-${caller.traceId}-${call.spanId}-01`,
    );
  });

  /** A request that only reads carries no key. */
  const lastSeen = () => pawl.ledger.rows.at(-1)!.traceparent;

  it('when a node waits and a loop turns, each turn and each wait is seen, under the loop', async () => {
    const body = {
      nodes: [{ id: 'rest', kind: 'wait' as const, for: 20 }],
      edges: [],
    };
    const flow = await publishFlow(pawl, [{ id: 'again', kind: 'loop', body, until: 'index = 1' }]);
    const { runId } = await pawl.client.startRun({ body: { flow } });
    expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
    const spans = await spansOf(runId);
    expect(under(spans, `run ${flow}`)).toEqual(['loop again']);
    // Engine and worker send theirs each in their own time.
    const inside = () => receiver.of(({ parentSpanId }) => parentSpanId === spans.get('loop again')!.spanId);
    const named = () => inside().map(({ name, attributes }) => `${name} ${attributes['pawl.node.path']}`);
    await expect
      .poll(() => named().sort())
      .toEqual([
        'end again again',
        'item again again/0',
        'item again again/1',
        'turn of again again',
        'turn of again again',
        'wait rest again/0/rest',
        'wait rest again/0/rest',
        'wait rest again/1/rest',
        'wait rest again/1/rest',
      ]);
    const waits = inside().filter(({ attributes }) => attributes['pawl.wait.for'] === 'timer');
    expect(waits).toHaveLength(2);
    for (const wait of waits) expect(wait.links).toHaveLength(1);
  });

  it('when a person is asked, the wait for the answer is a span, and the attempt after it points to the one before', async () => {
    const flow = await publishFlow(pawl, [
      { id: 'may', kind: 'approval', subject: 'May it?' } as NodeConfig,
      { id: 'then', kind: 'transform', value: 1 },
    ]);
    const { runId } = await pawl.client.startRun({ body: { flow } });
    await eventOf(pawl, runId, 'inbox.asked');
    const { items } = await pawl.client.listInbox({ query: { runId } });
    const { question } = items[0]!;
    await pawl.client.answerQuestion({ params: { question }, body: { decision: 'approved' } });
    expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
    const spans = await spansOf(runId);
    expect(spans.get('wait may')!.attributes).toMatchObject({ 'pawl.wait.for': 'approval' });
  });

  it('K18: when an agent works, its turns, model calls and tool calls hang under it', async () => {
    const turns = [{ calls: [{ name: 'put', args: { what: 'a' } }] }, { say: 'done' }];
    const flow = await publishFlow(pawl, [rehearsedAgent(turns)]);
    const { runId } = await pawl.client.startRun({ body: { flow } });
    expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
    const spans = await spansOf(runId);
    expect(under(spans, `run ${flow}`)).toEqual(['invoke_agent agent']);
    expect(spans.get('invoke_agent agent')!.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'agent',
    });
    const inside = receiver.of(
      ({ parentSpanId }) => parentSpanId === spans.get('invoke_agent agent')!.spanId,
    );
    const attempts = inside.map(({ name, attributes }) => `${name} ${attributes['pawl.node.path']}`);
    expect(attempts).toEqual(
      expect.arrayContaining([
        'turn of agent agent',
        'llm agent agent/turn-0/model',
        'tool agent agent/turn-0/put-0',
        'llm agent agent/turn-1/model',
        'end agent agent',
      ]),
    );
    const calls = receiver.of(
      ({ name, attributes }) => /^(?:chat|execute_tool) /.test(name) && attributes['pawl.run.id'] === runId,
    );
    expect(calls.map(({ name }) => name).sort()).toEqual([
      'chat writer',
      'chat writer',
      'execute_tool ledger.put',
    ]);
  });

  it('S1: when an effect is undone, that is an attempt of its own under the run', async () => {
    const flow = await publishFlow(
      pawl,
      [
        call('reserve', 'reserve'),
        { id: 'fail', kind: 'tool', tool: 'ledger.fail@1', args: { error: 'permanent' } },
      ],
      { onFailure: 'compensate' },
    );
    const { runId } = await pawl.client.startRun({ body: { flow } });
    await endOf(pawl, runId);
    const spans = await spansOf(runId);
    expect(under(spans, `run ${flow}`)).toEqual(['tool fail #1', 'tool reserve #1', 'undo reserve #1']);
    expect(under(spans, 'undo reserve #1')).toEqual(['execute_tool ledger.reserve #1']);
    expect(spans.get('undo reserve #1')!.attributes['pawl.node.path']).toBe('reserve/undo');
  });
});
