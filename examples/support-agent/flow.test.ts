// Would catch: an agent that pays twice, or more than was allowed, or for somebody else's order; one that forgets what it did when a
// worker dies; a colleague who is not asked, or is asked again; a budget that does not hold.
import type { Client } from '@pawl/api';
import type { RecordedEvent } from '@pawl/dag-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backends } from '../../test/support/backends.ts';
import { type ExampleStage, modelAnswers, runToEnd, startExample } from '../../test/support/example-run.ts';
import { endOf } from '../../test/support/run-to-end.ts';
import { SHORT_TIMES } from '../../test/support/start-faulty.ts';
import { eventOf } from '../../test/support/watch-run.ts';
import { startServices } from './services.ts';

const FLOW = 'support-agent';

interface Output {
  readonly reply: string;
  readonly state: string;
  readonly refundedCents: number;
  readonly notes: readonly string[];
}

/** Calls of tools by their names, in the order of turns. */
const callsIn = (events: readonly RecordedEvent[]): string[] => [
  ...new Set(
    events.flatMap(({ path }) => {
      const [, call] = /^answer\/turn-\d+\/(?!model$)([a-z_]+)-0$/.exec(path) ?? [];
      return call === undefined ? [] : [call];
    }),
  ),
];

describe.each(backends)('support-agent, queue on %s', (queue) => {
  let services: Awaited<ReturnType<typeof startServices>>;
  let stage: ExampleStage;
  beforeAll(async () => {
    services = await startServices();
    stage = await startExample({ name: FLOW, workers: 1, queue, env: { ...SHORT_TIMES, ...services.env } });
  });
  afterAll(async () => {
    const differences = await stage?.rowsEqualFold();
    await stage?.stop();
    await services?.stop();
    expect(differences).toEqual([]);
  });

  const start = async (ticket: string, more: object = {}) =>
    (await stage.client.startRun({ body: { flow: FLOW, input: { ticket }, ...more } })).runId;
  const refundsOf = (orderId: string) =>
    services.desk.refunds.filter((refund) => refund.orderId === orderId).map(({ cents }) => cents);
  const outputOf = ({ run }: Awaited<ReturnType<typeof endOf>>) => run.output as unknown as Output;

  /** The open question of a run, once it is asked. */
  async function questionOf(runId: string) {
    await expect.poll(async () => (await stage.client.listInbox({ query: { runId } })).items.length).toBe(1);
    return (await stage.client.listInbox({ query: { runId } })).items[0]!;
  }
  const answer = (question: string, body: Parameters<Client['answerQuestion']>[0]['body']) =>
    stage.client.answerQuestion({ params: { question }, body });

  test('V1, K18: it looks, pays what was promised, notes it, and every call has an intent', async () => {
    const { run, events } = await runToEnd(stage.client, { flow: FLOW, input: { ticket: 'T-1001' } });
    expect(run.status).toBe('succeeded');
    expect(callsIn(events)).toEqual(['find_order', 'read_promise', 'refund', 'update_ticket']);
    expect(refundsOf('LW-2001')).toEqual([1900]);
    expect(run.output).toMatchObject({ state: 'answered', refundedCents: 1900, notes: [expect.any(String)] });
    const promise = events.find(
      ({ path, type }) => type === 'outcome.succeeded' && path.includes('read_promise'),
    );
    expect(promise).toMatchObject({ data: { output: expect.stringContaining('broken') } });
    expect(modelAnswers(events)).toHaveLength(5);
    expect(modelAnswers(events).filter(({ intent }) => intent === undefined)).toEqual([]);
    expect(events.filter(({ type }) => type === 'inbox.asked')).toEqual([]);
  });

  test('V2, V4: when the worker is killed again and again, it pays once, notes once and asks its model nothing twice', async () => {
    const moments = [
      'outcome.succeeded answer/turn-1/model',
      'outcome.succeeded answer/turn-2/refund-0',
      'intent.recorded answer/turn-3/update_ticket-0',
    ];
    const restarted: Promise<unknown>[] = [];
    const { run, events } = await runToEnd(
      stage.client,
      { flow: FLOW, input: { ticket: 'T-1005' } },
      ({ type, path }) => {
        if (`${type} ${path}` === moments[restarted.length]) restarted.push(stage.replaceWorkers());
      },
    );
    await Promise.all(restarted);
    expect(restarted).toHaveLength(moments.length);
    expect(run.status).toBe('succeeded');
    expect(callsIn(events)).toEqual(['find_order', 'read_promise', 'refund', 'update_ticket']);
    expect(refundsOf('LW-2005')).toEqual([2900]);
    expect(services.desk.notesOf('T-1005')).toHaveLength(1);
    expect(modelAnswers(events)).toHaveLength(5);
  });

  if (queue !== backends[0]) return;

  test('V5, T20, K20: above the limit a person allows it first; what they allow is paid once, though its answer is lost', async () => {
    const runId = await start('T-1002');
    const asked = await questionOf(runId);
    expect(asked).toMatchObject({ asks: 'tool', values: { cents: 8400 } });
    expect(asked.details).toContain('desk.refund@1');
    const held = services.desk.holdNextRefund();
    await answer(asked.question, {
      decision: 'approved',
      values: { ...(asked.values as object), cents: 2800 },
    });
    await held.paid;
    await stage.replaceWorkers();
    held.release();
    const ended = await endOf(stage, runId);
    expect(ended.run.status).toBe('succeeded');
    expect(outputOf(ended).refundedCents).toBe(2800);
    expect(ended.events.find(({ type }) => type === 'probe.answered')).toMatchObject({
      data: { says: 'applied' },
    });
    expect(refundsOf('LW-2002')).toEqual([2800]);
  });

  test('K20: what was not allowed is not paid, and the agent hears who said no', async () => {
    const runId = await start('T-1006');
    const { question } = await questionOf(runId);
    await answer(question, { decision: 'rejected', reason: 'Send a new one instead.' });
    const ended = await endOf(stage, runId);
    expect(ended.run.status).toBe('succeeded');
    expect(refundsOf('LW-2006')).toEqual([]);
    expect(services.desk.notesOf('T-1006')).toHaveLength(1);
    const refused = ended.events.find(
      ({ path, type }) => type === 'outcome.failed' && path.endsWith('refund-0'),
    );
    expect(refused).toMatchObject({
      data: { failure: { code: 'call_rejected', message: expect.stringContaining('Send a new one') } },
    });
  });

  test('T14: a colleague is asked in the middle, once, also when the worker dies meanwhile', async () => {
    const runId = await start('T-1004');
    const asked = await questionOf(runId);
    expect(asked).toMatchObject({ asks: 'question', path: 'answer/turn-2/ask_for_exception-0' });
    expect(refundsOf('LW-2004')).toEqual([]);
    await stage.replaceWorkers();
    await answer(asked.question, {
      decision: 'approved',
      values: { answer: 'Yes, make an exception and pay it back.' },
    });
    const ended = await endOf(stage, runId);
    expect(callsIn(ended.events)).toEqual([
      'find_order',
      'read_promise',
      'ask_for_exception',
      'refund',
      'update_ticket',
    ]);
    expect(ended.events.filter(({ type }) => type === 'inbox.asked')).toHaveLength(1);
    expect(refundsOf('LW-2004')).toEqual([2200]);
  });

  test('V6: with too little budget it stops before a call, and goes on with that very call', async () => {
    const runId = await start('T-1003', { budget: { modelCalls: 2 } });
    await eventOf(stage, runId, 'run.statusChanged', ({ data }) => data.status === 'paused');
    await stage.client.raiseBudget({ params: { runId }, body: { limits: { modelCalls: 10 } } });
    const ended = await endOf(stage, runId);
    expect(ended.run.status).toBe('succeeded');
    expect(callsIn(ended.events)).toEqual(['find_order', 'read_promise', 'update_ticket']);
    expect(modelAnswers(ended.events)).toHaveLength(4);
    expect(refundsOf('LW-2003')).toEqual([]);
  });

  test('an order that is not there is not paid back, whatever the model makes up and a person allows', async () => {
    const runId = await start('T-1007');
    await answer((await questionOf(runId)).question, { decision: 'approved' });
    const ended = await endOf(stage, runId);
    expect(ended.run.status).toBe('succeeded');
    expect(outputOf(ended)).toMatchObject({ refundedCents: 0, state: 'answered' });
    expect(services.desk.refunds.filter(({ orderId }) => orderId === 'LW-9999')).toEqual([]);
  });
});
