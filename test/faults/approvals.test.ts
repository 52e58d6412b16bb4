// Would catch: a run that goes on unasked, two answers to one question, an answer that reaches another question, values that nobody
// approved, a question that dies with a process.
import { createClient } from '@pawl/api';
import type { NodeConfig } from '@pawl/dag-core';
import { createKey, createUser, DEFAULT_WORKSPACE_ID, openOrm } from '@pawl/run-store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backends } from '../support/backends.ts';
import type { Pawl } from '../support/pawl.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, eventOf, nodeRunsOf, publishFlow, startFlow } from '../support/watch-run.ts';

const ask = (id: string, more: object = {}): NodeConfig =>
  ({ id, kind: 'approval', subject: `May ${id}?`, ...more }) as NodeConfig;

/** The open questions of a run by path, once there are as many as expected. */
async function questionsOf({ client }: Pick<Pawl, 'client'>, runId: string, count: number) {
  await expect.poll(async () => (await client.listInbox({ query: { runId } })).items).toHaveLength(count);
  const { items } = await client.listInbox({ query: { runId } });
  return Object.fromEntries(items.map((item) => [item.path, item]));
}

describe.each(backends)('approvals, queue on %s', (queue) => {
  let pawl: PawlWithLedger;
  beforeAll(async () => {
    pawl = await startWithLedger({ queue, env: { PAWL_CONCURRENCY: '2' } });
  });
  afterAll(() => pawl?.stop());
  const answer = (question: string, body: Parameters<Pawl['client']['answerQuestion']>[0]['body']) =>
    pawl.client.answerQuestion({ params: { question }, body });
  const approve = (question: string) => answer(question, { decision: 'approved' });

  it('K17 T14: what is approved, as it was edited, is the only thing the flow sees', async () => {
    const form = {
      type: 'object',
      required: ['amount'],
      properties: { amount: { type: 'number', maximum: 500 }, note: { type: 'string', default: 'none' } },
    };
    const runId = await startFlow(
      pawl,
      [
        ask('ok', {
          subject: 'Refund {{ input.amount }}?',
          details: 'Order {{ input.order }}',
          form,
          values: { amount: '{{ input.amount }}' },
        }),
        call('pay', 'charge', { args: { what: '{{ nodes.ok.output.values }}' } }),
      ],
      { start: { amount: 12, order: 'o-1' }, output: '{{ nodes.ok.output }}' },
    );
    const { ok } = await questionsOf(pawl, runId, 1);
    expect(ok).toMatchObject({
      kind: 'approval',
      subject: 'Refund 12?',
      details: 'Order o-1',
      form,
      values: { amount: 12 },
      decisions: ['approved', 'rejected'],
    });
    expect(pawl.ledger.of({ key: runId })).toHaveLength(0);
    await expect(
      answer(ok!.question, { decision: 'approved', values: { amount: 900 } }),
    ).rejects.toMatchObject({
      status: 422,
      code: 'answer_invalid',
      problem: { issues: [{ pointer: '/amount' }] },
    });
    const given = await answer(ok!.question, { decision: 'approved', values: { amount: 10 } });
    expect(given).toMatchObject({ state: 'answered', answer: { decision: 'approved', by: 'local' } });
    const { run, events } = await endOf(pawl, runId);
    const values = { amount: 10, note: 'none' };
    expect(run).toMatchObject({
      status: 'succeeded',
      output: { decision: 'approved', values, by: 'local', at: expect.any(String) },
    });
    expect(pawl.ledger.of({ key: runId })).toMatchObject([{ body: { what: values } }]);
    expect(events.find(({ type }) => type === 'inbox.asked')).toMatchObject({
      data: { shown: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(events.find(({ type }) => type === 'inbox.answered')).toMatchObject({
      data: { decision: 'approved', by: 'local', values },
    });
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C73: arms and items of a map that end in a question are all waited for before the effect', async () => {
    const flow = await publishFlow(
      pawl,
      [
        ask('left'),
        ask('right'),
        {
          id: 'each',
          kind: 'map',
          over: [1, 2],
          body: { nodes: [ask('item')], edges: [] },
        },
        { ...call('pay', 'charge'), join: 'every' },
      ],
      { edges: ['left', 'right', 'each'].map((from) => ({ from, to: 'pay' })) },
    );
    const { runId } = await pawl.client.startRun({ body: { flow } });
    const open = await questionsOf(pawl, runId, 4);
    expect(Object.keys(open).sort()).toEqual(['each/0/item', 'each/1/item', 'left', 'right']);
    expect(await pawl.client.getRun({ params: { runId } })).toMatchObject({
      status: 'waiting',
      waitingFor: { kind: 'person', detail: { nodeRuns: 4 } },
    });
    const [last, ...others] = Object.values(open);
    for (const { question } of others) {
      await approve(question);
      expect(pawl.ledger.of({ key: runId })).toHaveLength(0);
    }
    await questionsOf(pawl, runId, 1);
    expect(pawl.ledger.of({ key: runId })).toHaveLength(0);
    await approve(last!.question);
    expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
    expect(pawl.ledger.of({ key: runId })).toHaveLength(1);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C74: an answer is used up by its question; the next stays open, also over a death of the worker', async () => {
    const runId = await startFlow(pawl, [ask('first'), ask('second'), call('pay', 'charge')]);
    const { first } = await questionsOf(pawl, runId, 1);
    await approve(first!.question);
    await eventOf(pawl, runId, 'inbox.asked', ({ path }) => path === 'second');
    await expect(approve(first!.question)).rejects.toMatchObject({
      status: 409,
      code: 'question_answered',
      problem: { answer: { decision: 'approved', by: 'local' } },
    });
    await expect(pawl.client.retryRun({ params: { runId } })).rejects.toMatchObject({
      code: 'run_not_retryable',
    });
    const worker = pawl.workers.at(-1)!;
    worker.kill('SIGKILL');
    await worker.ended;
    await pawl.startWorker();
    const { second } = await questionsOf(pawl, runId, 1);
    expect(second!.question).not.toBe(first!.question);
    expect((await nodeRunsOf(pawl, runId)).second!.status).toBe('waiting');
    await approve(second!.question);
    const { run, events } = await endOf(pawl, runId);
    expect(run.status).toBe('succeeded');
    const answered = events.flatMap((event) =>
      event.type === 'inbox.answered' ? [event.data.question] : [],
    );
    expect(answered).toHaveLength(2);
    expect(new Set(answered).size).toBe(2);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('T14: ten who answer at once make one answer; the others are told which', async () => {
    const runId = await startFlow(pawl, [ask('ok')]);
    const { ok } = await questionsOf(pawl, runId, 1);
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, (_, i) =>
        i % 2 ? approve(ok!.question) : answer(ok!.question, { decision: 'rejected', reason: `no ${i}` }),
      ),
    );
    const taken = answers.filter(({ status }) => status === 'fulfilled');
    expect(taken).toHaveLength(1);
    const { decision } = (taken[0] as PromiseFulfilledResult<{ answer?: { decision: string } }>).value
      .answer!;
    for (const one of answers)
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject({ code: 'question_answered', problem: { answer: { decision } } });
    const { events } = await endOf(pawl, runId);
    expect(events.filter(({ type }) => type === 'inbox.answered')).toHaveLength(1);
  });

  it('K17: rejected leaves by its own port; a deadline rejects, approves or fails in the place of everybody', async () => {
    const flow = await publishFlow(
      pawl,
      [
        ask('ok', {
          values: { n: 1 },
          deadline: '{{ input.deadline ?? "P1D" }}',
          onDeadline: 'approve',
          deadlineValues: { n: 2 },
        }),
        { id: 'yes', kind: 'transform', value: '{{ nodes.ok.output }}' },
        { id: 'no', kind: 'transform', value: '{{ nodes.ok.output }}' },
      ],
      {
        edges: [
          { from: 'ok', to: 'yes' },
          { from: 'ok', port: 'rejected', to: 'no' },
        ],
      },
    );
    const { runId } = await pawl.client.startRun({ body: { flow } });
    const { ok } = await questionsOf(pawl, runId, 1);
    expect(ok!.until).toBeDefined();
    await answer(ok!.question, { decision: 'rejected', reason: 'not today' });
    expect((await endOf(pawl, runId)).run).toMatchObject({
      status: 'succeeded',
      output: { no: { decision: 'rejected', reason: 'not today', values: { n: 1 } } },
    });
    const timed = await pawl.client.startRun({ body: { flow, input: { deadline: 200 } } });
    expect((await endOf(pawl, timed.runId)).run).toMatchObject({
      status: 'succeeded',
      output: { yes: { decision: 'approved', by: 'deadline', values: { n: 2 } } },
    });

    const failing = await startFlow(pawl, [ask('ok', { deadline: 200 })]);
    const { run, events } = await endOf(pawl, failing);
    expect(run).toMatchObject({ status: 'failed', failure: { code: 'deadline_passed' } });
    const asked = events.find(({ type }) => type === 'inbox.asked')!;
    await expect(approve(`${failing}.${asked.seq}`)).rejects.toMatchObject({
      status: 410,
      code: 'question_closed',
    });
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('T14: those it is for may answer, others are told so and the question stays open', async () => {
    const orm = await openOrm(pawl.databaseUrl);
    const keyOf = async (name: string) =>
      (await createKey(orm, { workspaceId: DEFAULT_WORKSPACE_ID, name, role: 'operator' })).key;
    const [ada, bob] = [await keyOf(`ada`), await keyOf('bob')].map((apiKey) =>
      createClient({ baseUrl: pawl.url, apiKey }),
    );
    await orm.close();
    const runId = await startFlow(pawl, [ask('ok', { who: ['ada'] })]);
    const { ok } = await questionsOf(pawl, runId, 1);
    const approving = { params: { question: ok!.question }, body: { decision: 'approved' as const } };
    await expect(bob!.answerQuestion(approving)).rejects.toMatchObject({
      status: 403,
      code: 'answer_not_allowed',
    });
    expect(await ada!.answerQuestion(approving)).toMatchObject({ answer: { by: 'key:ada' } });
    expect((await endOf(pawl, runId)).run).toMatchObject({
      status: 'succeeded',
      output: { ok: { by: 'key:ada' } },
    });
  });

  it('T14: users and keys of one name may both answer, unless the question tells them apart', async () => {
    const orm = await openOrm(pawl.databaseUrl);
    const who = { workspaceId: DEFAULT_WORKSPACE_ID, role: 'operator' as const };
    const { key } = await createKey(orm, { ...who, name: 'eve' });
    await createUser(orm, { ...who, user: 'eve', password: 'correct horse battery' });
    await orm.close();
    const signedIn = await fetch(`${pawl.url}/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'eve', password: 'correct horse battery' }),
    });
    const [cookie] = signedIn.headers.get('set-cookie')!.split(';');
    const asKey = createClient({ baseUrl: pawl.url, apiKey: key });
    const asUser = createClient({
      baseUrl: pawl.url,
      fetch: (input, init) =>
        fetch(input, { ...init, headers: { ...init?.headers, cookie: cookie!, origin: pawl.url } }),
    });
    const answer = async (client: typeof asKey, name: string) => {
      const runId = await startFlow(pawl, [ask('ok', { who: [name] })]);
      const { ok } = await questionsOf(pawl, runId, 1);
      const call = { params: { question: ok!.question }, body: { decision: 'approved' as const } };
      return client.answerQuestion(call).then(
        ({ answer }) => answer?.by,
        ({ code }) => code,
      );
    };
    expect([await answer(asKey, 'eve'), await answer(asUser, 'eve')]).toEqual(['key:eve', 'user:eve']);
    expect([await answer(asKey, 'user:eve'), await answer(asUser, 'user:eve')]).toEqual([
      'answer_not_allowed',
      'user:eve',
    ]);
  });

  it('V11: a cancel closes the question', async () => {
    const runId = await startFlow(pawl, [ask('ok')]);
    const { ok } = await questionsOf(pawl, runId, 1);
    await pawl.client.cancelRun({ params: { runId } });
    expect((await endOf(pawl, runId)).run.status).toBe('cancelled');
    await expect(approve(ok!.question)).rejects.toMatchObject({ status: 410, code: 'question_closed' });
    expect((await pawl.client.listInbox({ query: { runId } })).items).toEqual([]);
    expect(await pawl.client.getQuestion({ params: { question: ok!.question } })).toMatchObject({
      state: 'closed',
    });
  });

  it('the inbox holds doubts and failures too, and takes what they take', async () => {
    const quick = { maxAttempts: 1, initialMs: 10 };
    pawl.ledger.script({ op: 'charge' }, { cut: 'after' });
    pawl.ledger.script({ op: 'put' }, { status: 503, message: 'not now' });
    const flow = await publishFlow(pawl, [call('charge', 'charge'), call('put', 'put', { retry: quick })], {
      edges: [],
    });
    const { runId } = await pawl.client.startRun({ body: { flow } });
    const { charge, put } = await questionsOf(pawl, runId, 2);
    expect(charge).toMatchObject({
      kind: 'uncertain',
      decisions: ['happened', 'did_not_happen', 'skip', 'fail'],
      doubt: { reason: 'connection_lost', attempt: 1 },
      effect: {
        target: 'ledger.charge@1',
        effect: 'non_repeatable',
        key: `${runId}:charge:0`,
        request: { what: 'charge' },
        attempt: 1,
      },
    });
    expect(put).toMatchObject({
      kind: 'failure',
      subject: expect.stringContaining('not now'),
      failure: { code: 'http_503' },
    });
    await expect(answer(put!.question, { decision: 'approved' })).rejects.toMatchObject({
      status: 409,
      code: 'decision_not_offered',
      problem: { offered: ['retry', 'happened', 'skip', 'fail'] },
    });
    await answer(charge!.question, { decision: 'happened', output: { seen: true } });
    await answer(put!.question, { decision: 'retry' });
    await expect(answer(put!.question, { decision: 'skip' })).rejects.toMatchObject({
      code: 'question_answered',
      problem: { answer: { decision: 'retry' } },
    });
    expect((await endOf(pawl, runId)).run).toMatchObject({
      status: 'succeeded',
      output: { charge: { seen: true } },
    });
    expect(pawl.ledger.of({ key: `${runId}:charge` })).toHaveLength(1);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });
});
