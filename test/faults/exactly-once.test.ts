// Would catch: an effect that may have happened sent again, a key that changes between attempts, a retry run twice at once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate } from '../support/ledger.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, eventOf, journalOf, nodeRunsOf, publishFlow, startFlow } from '../support/watch-run.ts';

const quick = { initialMs: 10, jitter: 0 };
/** What a person answers in place of the lost answer. */
const entered = { op: 'charge', nonce: 'looked up by hand' };

describe('effects when the answer is lost', () => {
  let pawl: PawlWithLedger;
  beforeAll(async () => {
    pawl = await startWithLedger({ workers: 2, env: { PAWL_CONCURRENCY: '5' } });
  });
  afterAll(() => pawl?.stop());

  /** A charge whose socket was cut after it happened, and a node after it. */
  async function startDoubtful(id: string): Promise<string> {
    pawl.ledger.script({ op: 'charge' }, { cut: 'after' });
    const runId = await startFlow(pawl, [
      call('charge', 'charge', { retry: { maxAttempts: 3, ...quick } }),
      { id: 'after', kind: 'transform', value: { of: '{{ nodes.charge.output }}', id } },
    ]);
    await eventOf(pawl, runId, 'nodeRun.waiting', ({ data }) => data.status === 'uncertain');
    return runId;
  }

  it('C01 V5: a charge whose answer was cut off is not sent again; it waits for a person, visibly', async () => {
    const runId = await startDoubtful('doubt');
    const rows = pawl.ledger.of({ key: runId });
    expect(rows).toMatchObject([{ attempt: 1, isApplied: true, answered: 'cut', key: `${runId}:charge:0` }]);
    expect((await nodeRunsOf(pawl, runId)).charge).toMatchObject({
      status: 'uncertain',
      effect: 'non_repeatable',
      attempt: 1,
      waitingFor: { kind: 'person', since: expect.any(String), detail: { reason: 'connection_lost' } },
    });
    const run = await pawl.client.getRun({ params: { runId } });
    expect(run.status).toBe('waiting');
    expect(run.waitingFor?.kind).toBeDefined();

    await pawl.client.settleNodeRun({
      params: { runId },
      query: { path: 'charge' },
      body: { verdict: 'happened', output: entered },
    });
    const { run: ended, events } = await endOf(pawl, runId);
    expect(ended).toMatchObject({ status: 'succeeded', output: { after: { of: entered, id: 'doubt' } } });
    expect(
      events.find((event) => event.type === 'outcome.succeeded' && event.path === 'charge'),
    ).toMatchObject({
      data: { output: entered, settledBy: expect.any(String) },
    });
    expect(pawl.ledger.of({ key: runId })).toHaveLength(1);
    await expect(
      pawl.client.settleNodeRun({ params: { runId }, query: { path: 'charge' }, body: { verdict: 'skip' } }),
    ).rejects.toMatchObject({
      status: 409,
      code: 'node_run_not_settleable',
      problem: { decision: { verdict: 'happened', by: expect.any(String), at: expect.any(String) } },
    });
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C01 V5: told that it did not happen, exactly one further call is made', async () => {
    const runId = await startDoubtful('again');
    await pawl.client.settleNodeRun({
      params: { runId },
      query: { path: 'charge' },
      body: { verdict: 'did_not_happen' },
    });
    const { run } = await endOf(pawl, runId);
    expect(run.status).toBe('succeeded');
    expect(pawl.ledger.of({ key: runId }).map((row) => row.attempt)).toEqual([1, 2]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('V5: two people who settle at once make one decision; the other is told', async () => {
    const runId = await startDoubtful('race');
    const settle = (output: string) =>
      pawl.client.settleNodeRun({
        params: { runId },
        query: { path: 'charge' },
        body: { verdict: 'happened', output },
      });
    const answers = await Promise.allSettled([settle('one'), settle('two')]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const { run, events } = await endOf(pawl, runId);
    expect(run.status).toBe('succeeded');
    expect(
      events.filter((event) => event.type === 'outcome.succeeded' && event.path === 'charge'),
    ).toHaveLength(1);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('a charge that the service refused is neither sent again nor in doubt', async () => {
    pawl.ledger.script({ op: 'charge' }, { status: 422, message: 'no such card' });
    const runId = await startFlow(pawl, [call('charge', 'charge', { retry: quick })]);
    const { run } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'failed', failure: { class: 'permanent', code: 'http_422' } });
    expect(run.failure?.message).toContain('no such card');
    expect(pawl.ledger.of({ key: runId })).toHaveLength(1);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('a charge whose tool proves that nothing happened is sent again', async () => {
    pawl.ledger.script({ op: 'charge' }, { status: 402, message: 'not now' });
    const runId = await startFlow(pawl, [call('charge', 'charge', { retry: quick })]);
    const { run } = await endOf(pawl, runId);
    expect(run.status).toBe('succeeded');
    expect(pawl.ledger.of({ key: runId }).map(({ attempt, isApplied }) => [attempt, isApplied])).toEqual([
      [1, false],
      [2, true],
    ]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C02 V4: 50 runs that fail once retry once each, with the same key, and their next node starts once', async () => {
    const failed = new Set<string>();
    pawl.ledger.decideBy((row) => {
      if (row.op !== 'put' || failed.has(row.key)) return undefined;
      failed.add(row.key);
      return { status: 500 };
    });
    const flow = await publishFlow(pawl, [
      call('put', 'put', { retry: { initialMs: 400, jitter: 0 } }),
      call('next', 'charge'),
    ]);
    const started = await Promise.all(
      Array.from({ length: 50 }, () => pawl.client.startRun({ body: { flow } })),
    );
    const ends = await Promise.all(started.map(({ runId }) => endOf(pawl, runId)));
    pawl.ledger.decideBy(undefined);
    for (const { run, events } of ends) {
      expect(run.status).toBe('succeeded');
      const puts = pawl.ledger.of({ key: `${run.id}:put` });
      expect(puts.map(({ attempt, key }) => `${attempt} ${key}`)).toEqual([
        `1 ${run.id}:put:0`,
        `2 ${run.id}:put:0`,
      ]);
      expect(events.filter(({ type, path }) => type === 'outcome.succeeded' && path === 'put')).toHaveLength(
        1,
      );
      expect(pawl.ledger.of({ key: `${run.id}:next` })).toHaveLength(1);
    }
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C13 V2 V4: a timed-out idempotent attempt is sent again with its key; its late answer is evidence only', async () => {
    const late = gate();
    const second = gate();
    pawl.ledger.script({ op: 'put' }, { hold: late.opened }, { hold: second.opened });
    const runId = await startFlow(pawl, [
      call('put', 'stubborn_put', { timeoutMs: 3_000, retry: { maxAttempts: 2, ...quick } }),
      { id: 'after', kind: 'transform', value: '{{ nodes.put.output.op }}' },
    ]);
    const timeout = await eventOf(pawl, runId, 'outcome.failed');
    expect(timeout).toMatchObject({ attempt: 1, data: { failure: { class: 'timed_out' }, next: 'retry' } });
    const again = await pawl.ledger.arrived(2, { key: runId });
    const [first] = pawl.ledger.of({ key: runId });
    expect(again).toMatchObject({ key: first!.key, attempt: 2 });

    // The first attempt answers while the second is under way, on the same worker or another.
    late.open();
    const evidence = await eventOf(pawl, runId, 'outcome.late');
    expect(evidence).toMatchObject({ path: 'put', attempt: 1, data: { output: { op: 'put' } } });
    expect((await nodeRunsOf(pawl, runId)).put).toMatchObject({ status: 'running', attempt: 2 });
    second.open();
    const { run, events } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'succeeded', output: { after: 'put' } });
    expect(events.filter(({ type, path }) => type === 'outcome.succeeded' && path === 'put')).toMatchObject([
      { attempt: 2 },
    ]);
    expect([...pawl.ledger.effects({ key: runId }).values()]).toEqual([1]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('V2 V11: an answer that comes after the run has ended is kept and changes nothing', async () => {
    const late = gate();
    pawl.ledger.script({ op: 'put' }, { hold: late.opened });
    const runId = await startFlow(pawl, [
      call('put', 'stubborn_put', { timeoutMs: 600, retry: { maxAttempts: 2, ...quick } }),
    ]);
    const { run } = await endOf(pawl, runId);
    expect(run.status).toBe('succeeded');
    late.open();
    await expect
      .poll(async () => (await journalOf(pawl, runId)).at(-1))
      .toMatchObject({ type: 'outcome.late', path: 'put', attempt: 1 });
    expect(await pawl.client.getRun({ params: { runId } })).toEqual({ ...run, lastSeq: run.lastSeq + 1 });
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C13 V5, T9: a timed-out charge is not sent again, nor said not to have happened while it may still be; its late answer can be adopted', async () => {
    const late = gate();
    pawl.ledger.script({ op: 'charge' }, { hold: late.opened });
    const runId = await startFlow(pawl, [
      call('charge', 'stubborn_charge', { timeoutMs: 600, retry: { maxAttempts: 3, ...quick } }),
    ]);
    const doubt = await eventOf(pawl, runId, 'nodeRun.waiting', ({ data }) => data.status === 'uncertain');
    const params = { question: `${runId}.${doubt.seq}` };
    await expect(
      pawl.client.answerQuestion({ params, body: { decision: 'did_not_happen' } }),
    ).rejects.toMatchObject({ status: 409, code: 'effect_may_be_sent' });
    await expect(pawl.client.answerQuestion({ params, body: { decision: 'adopt' } })).rejects.toMatchObject({
      status: 409,
      code: 'decision_not_offered',
    });
    late.open();
    const kept = await eventOf(pawl, runId, 'outcome.late');
    expect(kept).toMatchObject({ path: 'charge', attempt: 1, data: { output: { op: 'charge' } } });
    expect((await nodeRunsOf(pawl, runId)).charge!.status).toBe('uncertain');
    expect(await pawl.client.getQuestion({ params })).toMatchObject({
      decisions: ['happened', 'did_not_happen', 'adopt', 'skip', 'fail'],
      late: { attempt: 1, output: kept.data.output },
    });
    const answered = await pawl.client.answerQuestion({ params, body: { decision: 'adopt' } });
    expect(answered).toMatchObject({ state: 'answered', answer: { decision: 'adopt' } });
    expect((await endOf(pawl, runId)).run).toMatchObject({
      status: 'succeeded',
      output: { charge: kept.data.output },
    });
    expect(pawl.ledger.of({ key: runId })).toHaveLength(1);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('V1: nothing reaches the outside before its intent is in the journal', async () => {
    const held = gate();
    pawl.ledger.script({ op: 'charge' }, { hold: held.opened });
    const runId = await startFlow(pawl, [call('charge', 'charge', { args: { what: 17 } })]);
    const row = await pawl.ledger.arrived(1, { key: runId });
    const intent = (await journalOf(pawl, runId)).find((event) => event.type === 'intent.recorded');
    expect(intent).toMatchObject({
      path: 'charge',
      attempt: 1,
      data: { key: row.key, effect: 'non_repeatable', target: 'ledger.charge@1', request: { what: 17 } },
    });
    held.open();
    expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });
});
