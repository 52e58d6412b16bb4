// Would catch: a call that is sent unasked or otherwise than it was allowed, a model that does not hear who said no, a person who gets
// past what the flow fixed, a question that dies with a process or is asked twice.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backends } from '../support/backends.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../support/fake-openai.ts';
import type { Pawl } from '../support/pawl.ts';
import { rehearsedAgent } from '../support/rehearsal.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { eventOf, nodeRunsOf, startFlow } from '../support/watch-run.ts';

type Tools = Parameters<typeof rehearsedAgent>[1] & object;

describe.each(backends)('people in the middle of agents, queue on %s', (queue) => {
  let model: FakeOpenAi;
  let pawl: PawlWithLedger;
  beforeAll(async () => {
    model = await startFakeOpenAi();
    const server = { baseUrl: model.baseUrl, apiKey: 'test-key' };
    pawl = await startWithLedger({
      queue,
      env: { PAWL_COMPATIBLE: JSON.stringify({ fake: server }), PAWL_SECRET_TOKEN: 'very-secret-token' },
    });
  });
  afterAll(async () => {
    await pawl?.stop();
    await model?.close();
  });

  /** Starts an agent whose model asks for these calls in its first turn and is done in the second. */
  async function start(
    tools: Tools['tools'],
    calls: readonly { name: string; args: object }[],
    more: Partial<Tools> = {},
  ): Promise<string> {
    model.decideBy(({ body }) => {
      const isFirst = (body.messages as { role: string }[]).every(({ role }) => role !== 'assistant');
      const toolCalls = calls.map(({ name, args }, i) => ({
        id: `c${i}`,
        name,
        arguments: JSON.stringify(args),
      }));
      return isFirst ? { text: 'It is for the best.', toolCalls } : { text: 'Done.' };
    });
    const { system: _, ...agent } = rehearsedAgent([], {
      model: 'compatible:fake/m',
      ...(tools && { tools }),
      ...more,
    });
    return startFlow(pawl, [agent]);
  }

  /** What the model was told in its last call about each call of the turn before. */
  const told = (runId: string) => {
    const { body } = model.requests.findLast(({ key }) => key?.startsWith(runId))!;
    return (body.messages as { role: string; content: string }[])
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => content);
  };

  async function questionOf(runId: string) {
    const list = () => pawl.client.listInbox({ query: { runId } });
    await expect.poll(async () => (await list()).items).toHaveLength(1);
    return (await list()).items[0]!;
  }
  const answer = (question: string, body: Parameters<Pawl['client']['answerQuestion']>[0]['body']) =>
    pawl.client.answerQuestion({ params: { question }, body });

  const charge = (approve: string | object, more: object = {}) => [
    { tool: 'ledger.charge@1', name: 'charge', approve: approve as never, ...more },
  ];

  it('K20: only what the rule names is asked about; nothing is sent before, and what was edited is what is sent', async () => {
    const runId = await start(charge('args.what > 100'), [
      { name: 'charge', args: { what: 5 } },
      { name: 'charge', args: { what: 500 } },
    ]);
    const question = await questionOf(runId);
    expect(question).toMatchObject({
      kind: 'approval',
      asks: 'tool',
      path: 'agent/turn-0/charge-1',
      subject: 'Call ledger.charge@1?',
      details: expect.stringContaining('It is for the best.'),
      values: { what: 500 },
      form: { type: 'object', properties: { what: {} } },
    });
    await eventOf(pawl, runId, 'outcome.succeeded', ({ path }) => path === 'agent/turn-0/charge-0');
    expect(pawl.ledger.of({ key: runId })).toHaveLength(1);
    const nodes = await nodeRunsOf(pawl, runId);
    expect(nodes['agent/turn-0/charge-1']).toMatchObject({
      status: 'waiting',
      waitingFor: { kind: 'person' },
    });
    await answer(question.question, { decision: 'approved', values: { what: 99 } });
    const { run, events } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'succeeded', output: { agent: 'Done.' } });
    expect(pawl.ledger.of({ key: runId }).map(({ body }) => body.what)).toEqual([5, 99]);
    const intent = events.find(
      ({ type, path }) => type === 'intent.recorded' && path === 'agent/turn-0/charge-1',
    );
    expect(intent).toMatchObject({ data: { request: { what: 99 } } });
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('K20: a rejected call is not made; the model hears who said no and why', async () => {
    const runId = await start(charge('true'), [{ name: 'charge', args: { what: 7 } }]);
    const { question } = await questionOf(runId);
    await answer(question, { decision: 'rejected', reason: 'Twice this month.' });
    await expect(answer(question, { decision: 'approved' })).rejects.toMatchObject({ status: 409 });
    const { run } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'succeeded', output: { agent: 'Done.' } });
    expect(pawl.ledger.of({ key: runId })).toHaveLength(0);
    expect(told(runId)).toEqual([
      expect.stringContaining('local did not allow this call: Twice this month.'),
    ]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('K20: a rule that finds nothing to look at asks; arguments that do not fit are told and not asked about', async () => {
    const tools = [
      { tool: 'ledger.pure@1', name: 'pure', approve: 'args.what.amount > 100' },
      { tool: 'ledger.fail@1', name: 'fail', approve: 'true' },
    ];
    const runId = await start(tools, [
      { name: 'pure', args: { what: {} } },
      { name: 'fail', args: { error: 'no such' } },
    ]);
    const question = await questionOf(runId);
    expect(question.path).toBe('agent/turn-0/pure-0');
    await answer(question.question, { decision: 'approved' });
    const { run } = await endOf(pawl, runId);
    expect(run.status).toBe('succeeded');
    expect(pawl.ledger.of({ key: runId, op: 'pure' })).toHaveLength(1);
    expect(told(runId)[1]).toContain('tool_input_invalid');
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('V13: a person cannot change what the flow gives, nor get at a secret', async () => {
    const tools = [
      {
        tool: 'ledger.put@1',
        name: 'put',
        args: { what: 'for {{ secrets.TOKEN }}' },
        approve: 'true',
      },
      { tool: 'ledger.charge@1', name: 'charge', approve: 'true' },
    ];
    const fixed = await start(tools, [{ name: 'put', args: { what: 'mine' } }]);
    const shown = await questionOf(fixed);
    expect(shown.values).toEqual({});
    expect(shown.details).toContain('Given by the flow: {"what":"for {\\"$secret\\":\\"TOKEN\\"}"}');
    await answer(shown.question, { decision: 'approved', values: { what: 'theirs' } });
    expect((await endOf(pawl, fixed)).run.status).toBe('succeeded');
    expect(pawl.ledger.of({ key: fixed }).map(({ body }) => body.what)).toEqual(['for very-secret-token']);
    const forged = await start(tools, [{ name: 'charge', args: { what: 1 } }]);
    const { question } = await questionOf(forged);
    await answer(question, { decision: 'approved', values: { what: { $secret: 'TOKEN' } } });
    const { events } = await endOf(pawl, forged);
    expect(pawl.ledger.of({ key: forged })).toHaveLength(0);
    expect(told(forged)[0]).toContain('secret_not_allowed');
    expect(JSON.stringify(events)).not.toContain('very-secret');
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('T14: a deadline that nobody met is told, or decides as the rule says', async () => {
    const late = await start(charge({ when: 'true', deadline: 50 }), [{ name: 'charge', args: { what: 1 } }]);
    expect((await endOf(pawl, late)).run.status).toBe('succeeded');
    expect(told(late)).toEqual([expect.stringContaining('Nobody answered')]);
    const rejected = await start(charge({ when: 'true', deadline: '{{ 50 }}', onDeadline: 'reject' }), [
      { name: 'charge', args: { what: 1 } },
    ]);
    expect((await endOf(pawl, rejected)).run.status).toBe('succeeded');
    expect(told(rejected)).toEqual([expect.stringContaining('Nobody allowed this call in time')]);
    const approved = await start(charge({ when: 'true', deadline: 50, onDeadline: 'approve' }), [
      { name: 'charge', args: { what: 3 } },
    ]);
    expect((await endOf(pawl, approved)).run.status).toBe('succeeded');
    expect([late, rejected, approved].map((runId) => pawl.ledger.of({ key: runId }).length)).toEqual([
      0, 0, 1,
    ]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  const person = [{ ask: 'person', name: 'ask' } as const];

  it('K20: the model asks a person and hears the answer, or that there is none', async () => {
    const runId = await start(person, [
      { name: 'ask', args: { question: 'Blue or red?', details: 'For the door.' } },
    ]);
    const question = await questionOf(runId);
    expect(question).toMatchObject({
      asks: 'question',
      nodeKind: 'approval',
      path: 'agent/turn-0/ask-0',
      subject: 'Blue or red?',
      details: 'For the door.',
      form: { required: ['answer'] },
    });
    await expect(answer(question.question, { decision: 'approved', values: {} })).rejects.toMatchObject({
      status: 422,
    });
    await answer(question.question, { decision: 'approved', values: { answer: 'Blue.' } });
    expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
    expect(JSON.parse(told(runId)[0]!)).toMatchObject({
      decision: 'approved',
      values: { answer: 'Blue.' },
      by: 'local',
    });
    const silent = await start(person, [{ name: 'ask', args: { question: 'Red?' } }]);
    await answer((await questionOf(silent)).question, { decision: 'rejected', reason: 'Ask Ada.' });
    expect((await endOf(pawl, silent)).run.status).toBe('succeeded');
    expect(JSON.parse(told(silent)[0]!)).toMatchObject({ decision: 'rejected', reason: 'Ask Ada.' });
    const empty = await start(person, [{ name: 'ask', args: { question: ' ' } }]);
    expect((await endOf(pawl, empty)).run.status).toBe('succeeded');
    expect(told(empty)[0]).toContain('Nobody was asked');
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('V5, T14: the worker dies while a person thinks, and again when they have answered: one question, one charge', async () => {
    const runId = await start(charge('true'), [{ name: 'charge', args: { what: 8 } }]);
    const { question } = await questionOf(runId);
    const replaceWorker = async () => {
      const worker = pawl.workers.at(-1)!;
      worker.kill('SIGKILL');
      await worker.ended;
      await pawl.startWorker();
    };
    await replaceWorker();
    expect((await questionOf(runId)).question).toBe(question);
    await answer(question, { decision: 'approved', values: { what: 9 } });
    await replaceWorker();
    // The answer was recorded; what the dead worker made of it is either nothing, or a doubt about the charge.
    for await (const signal of pawl.client.runEvents(runId)) {
      if (signal.kind !== 'event') continue;
      const { type, data } = signal.event;
      if (type !== 'attempt.lost' || data.next !== 'uncertain') continue;
      const happened = pawl.ledger.of({ key: runId }).find((row) => row.isApplied);
      const doubt = await questionOf(runId);
      await answer(
        doubt.question,
        happened ? { decision: 'happened', output: { nonce: happened.at } } : { decision: 'did_not_happen' },
      );
      if (!happened)
        await answer((await questionOf(runId)).question, { decision: 'approved', values: { what: 9 } });
    }
    expect((await pawl.client.getRun({ params: { runId } })).status).toBe('succeeded');
    const applied = pawl.ledger.of({ key: runId }).filter((row) => row.isApplied);
    expect(applied.map(({ body }) => body.what)).toEqual([9]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });
});
