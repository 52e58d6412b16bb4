// Would catch: an agent's effect that happens twice or without its model having asked, a conversation that a crash changes, a model
// that is not told what went wrong, a budget or a secret that an agent gets around.
import type { NodeConfig, RecordedEvent } from '@pawl/dag-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeOpenAi, startFakeOpenAi } from '../support/fake-openai.ts';
import { gate } from '../support/ledger.ts';
import { ledgerTools, type RehearsedTurn, rehearsedAgent } from '../support/rehearsal.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { eventOf, journalOf, nodeRunsOf, startFlow } from '../support/watch-run.ts';

const call = (name: string, what: unknown = null) => ({ name, args: { what } as never });
const succeededOf = (events: readonly RecordedEvent[], path: string) =>
  events.filter((event) => event.type === 'outcome.succeeded' && event.path === path);

describe.each(['redis', 'postgres'] as const)('agents, doorbells on %s', (queue) => {
  let model: FakeOpenAi;
  let pawl: PawlWithLedger;
  beforeAll(async () => {
    model = await startFakeOpenAi();
    const server = {
      baseUrl: model.baseUrl,
      apiKey: 'test-key',
      prices: { m: { inputUsdPerMillion: 0, outputUsdPerMillion: 30 } },
    };
    pawl = await startWithLedger({
      queue,
      workers: 2,
      env: { PAWL_COMPATIBLE: JSON.stringify({ fake: server }), PAWL_SECRET_TOKEN: 'very-secret-token' },
    });
  });
  afterAll(async () => {
    await pawl?.stop();
    await model?.close();
  });

  const run = async (turns: readonly RehearsedTurn[], more: Parameters<typeof rehearsedAgent>[1] = {}) => {
    const runId = await startFlow(pawl, [rehearsedAgent(turns, more)]);
    return { runId, ...(await endOf(pawl, runId)) };
  };

  it('K18: each model call and each tool call is a node run of its own, with its class, intent and key', async () => {
    const {
      runId,
      run: ended,
      events,
    } = await run([
      { say: 'Two at once.', calls: [call('pure', 'a'), call('put', 'b')] },
      { calls: [call('charge', 'c')] },
      { say: 'All done.' },
    ]);
    expect(ended).toMatchObject({ status: 'succeeded', output: { agent: 'All done.' } });
    const nodes = await nodeRunsOf(pawl, runId);
    expect(
      Object.fromEntries(Object.values(nodes).map(({ path, kind, effect }) => [path, [kind, effect]])),
    ).toEqual({
      agent: ['agent', undefined],
      'agent/turn-0': ['turn', undefined],
      'agent/turn-0/model': ['llm', 'model'],
      'agent/turn-0/pure-0': ['tool', undefined],
      'agent/turn-0/put-1': ['tool', 'idempotent'],
      'agent/turn-1': ['turn', undefined],
      'agent/turn-1/model': ['llm', 'model'],
      'agent/turn-1/charge-0': ['tool', 'non_repeatable'],
      'agent/turn-2': ['turn', undefined],
      'agent/turn-2/model': ['llm', 'model'],
    });
    for (const node of Object.values(nodes))
      expect([node.nodeId, node.status]).toEqual(['agent', 'succeeded']);
    expect(
      pawl.ledger
        .of({ key: runId })
        .map(({ key }) => key.slice(37))
        .sort(),
    ).toEqual(['agent/turn-0/pure-0:0', 'agent/turn-0/put-1:0', 'agent/turn-1/charge-0:0']);
    expect(ended.budget.spent.modelCalls).toBe(3);
    // J3: the first request is recorded whole, the others by what they continue.
    const requests = events.flatMap((event) =>
      event.type === 'intent.recorded' && event.data.effect === 'model' ? [event.data.request] : [],
    );
    expect(requests[0]).toMatchObject({ messages: expect.any(Array), tools: expect.any(Array) });
    expect(requests.slice(1)).toEqual([
      { continues: 'agent/turn-0/model', turns: 1 },
      { continues: 'agent/turn-0/model', turns: 2 },
    ]);
    expect(events.find(({ path }) => path === 'agent/turn-0')).toMatchObject({
      data: {
        output: {
          model: 'agent/turn-0/model',
          calls: ['agent/turn-0/pure-0', 'agent/turn-0/put-1'],
        },
      },
    });
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  /** An agent on a server that speaks the protocol, so that what is sent can be looked at. */
  const onWire = (more: Parameters<typeof rehearsedAgent>[1] = {}): NodeConfig => ({
    ...rehearsedAgent([], { retry: { initialMs: 10, jitter: 0 }, ...more }),
    model: 'compatible:fake/m',
    system: 'You keep a ledger.',
    prompt: 'Write {{ input.what }} down.',
  });
  const asks = (...toolCalls: { id: string; name: string; arguments: string }[]) => ({ text: '', toolCalls });
  const messagesIn = (request: FakeOpenAi['requests'][number]) =>
    request.body.messages as { role: string; content?: unknown; tool_call_id?: string }[];

  it('K19: the conversation grows by the answer and the results of each turn; the tools are offered each time', async () => {
    const before = model.requests.length;
    model.script(
      asks(
        { id: 'a', name: 'put', arguments: '{"what":"x"}' },
        { id: 'b', name: 'fail', arguments: '{"error":"permanent","text":"No room."}' },
      ),
      { text: 'Written, but one failed.' },
    );
    const runId = await startFlow(pawl, [onWire()], { start: { what: 'x' } });
    const { run: ended } = await endOf(pawl, runId);
    expect(ended).toMatchObject({ status: 'succeeded', output: { agent: 'Written, but one failed.' } });
    const [first, second] = model.requests.slice(before);
    expect([first!.refused, second!.refused]).toEqual([undefined, undefined]);
    expect(messagesIn(first!)).toEqual([
      { role: 'system', content: 'You keep a ledger.' },
      { role: 'user', content: 'Write x down.' },
    ]);
    expect(messagesIn(second!).slice(0, 2)).toEqual(messagesIn(first!));
    expect(messagesIn(second!).slice(2)).toMatchObject([
      { role: 'assistant', tool_calls: [{ id: 'a' }, { id: 'b' }] },
      { role: 'tool', tool_call_id: 'a', content: expect.stringContaining('nonce') },
      { role: 'tool', tool_call_id: 'b', content: expect.stringContaining('No room.') },
    ]);
    expect(second!.body.tools).toEqual(first!.body.tools);
    expect([first!.key, second!.key]).toEqual([
      `${runId}:agent/turn-0/model:0`,
      `${runId}:agent/turn-1/model:0`,
    ]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C64, C65: what cannot be called is told to the model and has no effect', async () => {
    const before = model.requests.length;
    model.script(
      asks(
        { id: 'a', name: 'gone', arguments: '{}' },
        { id: 'b', name: 'put', arguments: '{"what":' },
        { id: 'c', name: 'fail', arguments: '{}' },
        { id: 'd', name: 'pure', arguments: '' },
        { id: 'd2', name: 'put', arguments: '{"what":1}{"what":2}' },
      ),
      asks({ id: 'x', name: 'charge', arguments: 'null' }, { id: 'x', name: 'charge', arguments: '{}' }),
      { text: 'Enough.' },
    );
    const runId = await startFlow(pawl, [onWire()], { start: { what: 'x' } });
    const { run: ended } = await endOf(pawl, runId);
    expect(ended).toMatchObject({ status: 'succeeded', output: { agent: 'Enough.' } });
    expect(pawl.ledger.of({ key: runId }).map(({ key }) => key.slice(37))).toEqual([
      'agent/turn-0/pure-3:0',
      'agent/turn-1/charge-0:0',
    ]);
    const [, second, third] = model.requests.slice(before);
    expect([second!.refused, third!.refused]).toEqual([undefined, undefined]);
    const told = messagesIn(second!).filter(({ role }) => role === 'tool');
    expect(told.map(({ content }) => content)).toEqual([
      expect.stringContaining('there are pure, put, charge, fail'),
      expect.stringContaining('arguments_unreadable'),
      expect.stringContaining('tool_input_invalid'),
      expect.not.stringContaining('error'),
      expect.stringContaining('arguments_unreadable'),
    ]);
    expect(messagesIn(third!).at(-1)!.content).toContain('call_id_repeated');
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('V13: what the flow gives is not offered, goes over what the model writes, and secrets stay references', async () => {
    const tools = [
      { tool: 'ledger.put@1', name: 'put', args: { what: 'token {{ secrets.TOKEN }} for {{ input.what }}' } },
      { tool: 'ledger.put@1', name: 'other' },
    ];
    const before = model.requests.length;
    model.script(
      asks(
        { id: 'a', name: 'put', arguments: '{"what":"something else"}' },
        { id: 'b', name: 'other', arguments: '{"what":{"$secret":"TOKEN"}}' },
      ),
      { text: 'Done.' },
    );
    const runId = await startFlow(pawl, [onWire({ tools })], { start: { what: 'x' } });
    const { run: ended, events } = await endOf(pawl, runId);
    expect(ended.status).toBe('succeeded');
    const [offered] = model.requests[before]!.body.tools as unknown[];
    expect(JSON.stringify(offered)).not.toContain('what');
    expect(pawl.ledger.of({ key: runId }).map(({ body }) => body.what)).toEqual([
      'token very-secret-token for x',
    ]);
    expect(JSON.stringify(events)).not.toContain('very-secret-token');
    expect(JSON.stringify(model.requests.slice(before).map(({ body }) => body))).not.toContain('very-secret');
    expect(messagesIn(model.requests.at(-1)!).at(-1)!.content).toContain('secret_not_allowed');
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('K18: it ends by an answer, by stop, or fails when its turns are used up', async () => {
    const again = { calls: [call('pure')] };
    const limited = await run([again, again, again], { maxTurns: 2 });
    expect(limited.run).toMatchObject({ status: 'failed', failure: { code: 'agent_max_turns' } });
    expect(limited.run.failure!.message).toContain('2 turns');
    const going = await run([again, again], { maxTurns: 1, onError: { do: 'fallback', value: 'tired' } });
    expect(going.run).toMatchObject({
      status: 'partial',
      output: { agent: 'tired' },
      degraded: [{ path: 'agent', reason: 'agent_max_turns' }],
    });
    const stopped = await run([{ say: 'Kept.', calls: [call('put', 7)] }, again], {
      stop: 'turn.calls[name = "put" and args.what = 7].result',
    });
    expect(stopped.run).toMatchObject({ status: 'succeeded', output: { agent: 'Kept.' } });
    const valued = await run([{ calls: [call('put', 7)] }], {
      stop: '$count(turn.calls) > 0',
      output: { value: { put: '{{ turn.calls.args.what }}', turn: '{{ turn.index }}' } as never },
    });
    expect(valued.run.output).toEqual({ agent: { put: 7, turn: 0 } });
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('K18: a last answer with a schema is mended by repair calls, and is then the value', async () => {
    const schema = { type: 'object', required: ['done'], properties: { done: { type: 'boolean' } } };
    const before = model.requests.length;
    model.script(
      asks({ id: 'a', name: 'pure', arguments: '{}' }),
      { text: 'no JSON' },
      { text: '{"done":true}' },
    );
    const runId = await startFlow(pawl, [onWire({ output: { schema } })], { start: { what: 'x' } });
    const { run: ended, events } = await endOf(pawl, runId);
    expect(ended).toMatchObject({ status: 'succeeded', output: { agent: { done: true } } });
    expect(model.requests.slice(before).map(({ key }) => key!.slice(37))).toEqual([
      'agent/turn-0/model:0',
      'agent/turn-1/model:0',
      'agent/turn-1/model:1',
    ]);
    expect(
      events.flatMap((event) => (event.type === 'intent.recorded' ? [event.data.request] : [])).slice(1),
    ).toEqual([
      { continues: 'agent/turn-0/model', turns: 1 },
      { continues: 'agent/turn-0/model', turns: 1, repairs: 1 },
    ]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('V6: a budget that is used up pauses the agent between two calls; raising it goes on with the next', async () => {
    const again = { calls: [call('put')] };
    const runId = await startFlow(pawl, [rehearsedAgent([again, again, { say: 'Done.' }])], {
      budget: { modelCalls: 2 },
    });
    await eventOf(pawl, runId, 'run.statusChanged', ({ data }) => data.status === 'paused');
    const nodes = await nodeRunsOf(pawl, runId);
    expect(nodes['agent/turn-2/model']).toMatchObject({ status: 'blocked', waitingFor: { kind: 'budget' } });
    expect(nodes.agent!.waitingFor).toMatchObject({ kind: 'children' });
    await pawl.client.raiseBudget({ params: { runId }, body: { limits: { modelCalls: 3 } } });
    const { run: ended } = await endOf(pawl, runId);
    expect(ended).toMatchObject({ status: 'succeeded', budget: { spent: { modelCalls: 3 } } });
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('V5: a charge whose answer was cut waits for a person; what they say is what the model hears', async () => {
    pawl.ledger.decideBy(({ op }) => (op === 'charge' ? { cut: 'before', appliesFirst: true } : undefined));
    const before = model.requests.length;
    model.script(asks({ id: 'a', name: 'charge', arguments: '{"what":5}' }), { text: 'Charged.' });
    const runId = await startFlow(pawl, [onWire()], { start: { what: 'x' } });
    await eventOf(pawl, runId, 'nodeRun.waiting', ({ data }) => data.status === 'uncertain');
    pawl.ledger.decideBy(undefined);
    expect(model.requests).toHaveLength(before + 1);
    await pawl.client.settleNodeRun({
      params: { runId },
      query: { path: 'agent/turn-0/charge-0' },
      body: { verdict: 'happened', output: { receipt: 'by hand' } },
    });
    const { run: ended } = await endOf(pawl, runId);
    expect(ended).toMatchObject({ status: 'succeeded', output: { agent: 'Charged.' } });
    expect(messagesIn(model.requests.at(-1)!).at(-1)!.content).toContain('by hand');
    expect(pawl.ledger.of({ key: runId })).toHaveLength(1);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('V11: a cancel ends an agent in the middle of its calls; the model is not called again', async () => {
    const held = gate();
    pawl.ledger.decideBy(({ op }) => (op === 'put' ? { hold: held.opened } : undefined));
    const runId = await startFlow(pawl, [
      rehearsedAgent([{ calls: [call('put', 1), call('put', 2)] }, { say: 'Done.' }]),
    ]);
    await pawl.ledger.arrived(2, { key: runId });
    await pawl.client.cancelRun({ params: { runId }, body: {} });
    const { run: ended, events } = await endOf(pawl, runId);
    pawl.ledger.decideBy(undefined);
    held.open();
    expect(ended).toMatchObject({ status: 'cancelled', budget: { spent: { modelCalls: 1 } } });
    expect(events.some(({ path }) => path.startsWith('agent/turn-1'))).toBe(false);
    const nodes = Object.values(await nodeRunsOf(pawl, runId));
    for (const node of nodes) expect([node.path, node.waitingFor]).toEqual([node.path, undefined]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('S1, S2: what an agent did is undone like anything else, the last first', async () => {
    const tools = ['reserve', 'fail'].map((name) => ({
      tool: `ledger.${name}@1`,
      name,
      ...(name === 'fail' && { onError: 'fail' as const }),
    }));
    const turns = [
      { calls: [call('reserve', 1)] },
      { calls: [call('reserve', 2)] },
      { calls: [{ name: 'fail', args: { error: 'permanent' } }] },
    ];
    const runId = await startFlow(pawl, [rehearsedAgent(turns, { tools })], { onFailure: 'compensate' });
    const { run: ended } = await endOf(pawl, runId);
    expect(ended).toMatchObject({ status: 'failed', compensation: { planned: 2, left: [] } });
    const undone = pawl.ledger.of({ op: 'unput', key: runId }).map(({ key }) => key.slice(37));
    expect(undone).toEqual(['agent/turn-1/reserve-0/undo:0', 'agent/turn-0/reserve-0/undo:0']);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('K15, K18: an agent in a loop begins anew in each turn of it', async () => {
    const agent = rehearsedAgent([{ calls: [call('put', 'x')] }, { say: 'Done.' }]);
    const runId = await startFlow(pawl, [
      { id: 'again', kind: 'loop', until: 'index = 1', body: { nodes: [agent], edges: [] } },
    ]);
    const { run: ended } = await endOf(pawl, runId);
    expect(ended).toMatchObject({ status: 'succeeded', output: { again: 'Done.' } });
    expect([...pawl.ledger.effects({ key: runId }).keys()].map((key) => key.slice(37)).sort()).toEqual([
      'again/0/agent/turn-0/put-0:0',
      'again/1/agent/turn-0/put-0:0',
    ]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('K18: agents in a map keep their conversations apart', async () => {
    const agent = rehearsedAgent([{ calls: [call('put', 'x')] }, { say: 'Done.' }], {
      output: { value: '{{ item }}' },
    });
    const runId = await startFlow(pawl, [
      { id: 'each', kind: 'map', over: [1, 2, 3, 4], concurrency: 2, body: { nodes: [agent], edges: [] } },
    ]);
    const { run: ended } = await endOf(pawl, runId);
    expect(ended).toMatchObject({ status: 'succeeded', output: { each: [1, 2, 3, 4] } });
    expect(pawl.ledger.effects({ key: runId }).size).toBe(4);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('the simulator plays an agent by itself: it calls what the task speaks of and answers from what it got', async () => {
    const tools = [
      { tool: 'ledger.put@1', name: 'put', description: 'Puts a parcel on the shelf.' },
      ...ledgerTools.slice(2),
    ];
    const { system: _, ...agent } = rehearsedAgent([], {
      tools,
      prompt: 'Put the parcel of Ada on the shelf.',
    });
    const runId = await startFlow(pawl, [agent]);
    const { run: ended, events } = await endOf(pawl, runId);
    expect(ended.status).toBe('succeeded');
    expect(succeededOf(events, 'agent/turn-0/put-0')).toHaveLength(1);
    expect(typeof (ended.output as { agent: unknown }).agent).toBe('string');
    expect(pawl.ledger.of({ key: runId, op: 'put' }).length).toBe(1);
    expect((await journalOf(pawl, runId)).length).toBe(events.length);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });
});
