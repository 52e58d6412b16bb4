// Would catch: recovery that changes what had ended, loses what had begun, repeats what must not be, or believes a sleeper.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askDatabase } from '../support/ask-database.ts';
import { gate } from '../support/ledger.ts';
import { freePort } from '../support/process.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, eventOf, journalOf, nodeRunsOf, publishFlow, startFlow } from '../support/watch-run.ts';

describe('death of processes', () => {
  let pawl: PawlWithLedger;
  beforeEach(async () => {
    pawl = await startWithLedger({ env: { PAWL_PORT: String(await freePort()) } });
  });
  afterEach(() => pawl?.stop());

  const die = async (...processes: { kill(signal: NodeJS.Signals): void; ended: Promise<void> }[]) => {
    for (const one of processes) one.kill('SIGKILL');
    await Promise.all(processes.map((one) => one.ended));
  };

  it('C04 V11: ten finished runs are the same after everything was killed and started again', async () => {
    const flow = await publishFlow(pawl, [call('put', 'put'), call('charge', 'charge')]);
    const started = await Promise.all(
      Array.from({ length: 10 }, () => pawl.client.startRun({ body: { flow } })),
    );
    const before = await Promise.all(started.map(async ({ runId }) => (await endOf(pawl, runId)).run));
    expect(before.map((run) => run.status)).toEqual(Array(10).fill('succeeded'));
    await die(...pawl.workers, ...pawl.engines);
    await pawl.startEngine();
    await pawl.startWorker();
    const { runId } = await pawl.client.startRun({ body: { flow } });
    expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
    const after = await Promise.all(before.map(({ id }) => pawl.client.getRun({ params: { runId: id } })));
    expect(after).toEqual(before);
    expect(pawl.ledger.rows).toHaveLength(22);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C05: a worker killed with claimed work leaves nothing running: pure and unsent run again, sent is doubt', async () => {
    const never = gate();
    pawl.ledger.script({ op: 'pure' }, { hold: never.opened });
    // Two roots, claimed together: the worker asks the pure tool first, so the charge is claimed and has no intent.
    const unsent = await startFlow(pawl, [call('read', 'pure'), call('charge', 'charge')], { edges: [] });
    await pawl.ledger.arrived(1, { key: `${unsent}:read` });
    expect((await nodeRunsOf(pawl, unsent)).charge).toMatchObject({ status: 'running', attempt: 1 });
    expect((await journalOf(pawl, unsent)).map(({ type }) => type)).not.toContain('intent.recorded');
    pawl.ledger.script({ op: 'charge' }, { hold: never.opened });
    const sent = await startFlow(pawl, [call('charge', 'charge')]);
    await pawl.ledger.arrived(1, { key: sent });

    await die(...pawl.workers);
    await pawl.startWorker();
    const { run, events } = await endOf(pawl, unsent);
    expect(run.status).toBe('succeeded');
    const lost = events.filter((event) => event.type === 'attempt.lost');
    expect(lost.map(({ path, attempt, data }) => [path, attempt, data.next]).sort()).toEqual([
      ['charge', 1, 'ready'],
      ['read', 1, 'ready'],
    ]);
    expect(
      pawl.ledger
        .of({ key: unsent })
        .map(({ op, attempt }) => `${op} ${attempt}`)
        .sort(),
    ).toEqual(['charge 2', 'pure 1', 'pure 2']);
    await eventOf(pawl, sent, 'attempt.lost', ({ data }) => data.next === 'uncertain');
    expect((await nodeRunsOf(pawl, sent)).charge).toMatchObject({ status: 'uncertain', attempt: 1 });
    expect(pawl.ledger.of({ key: sent })).toHaveLength(1);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('V9: without a new worker on its host a dead one is noticed all the same, and only once by two engines', async () => {
    await pawl.startEngine({ PAWL_PORT: '0' });
    const never = gate();
    pawl.ledger.script({ op: 'put' }, { hold: never.opened });
    const runId = await startFlow(pawl, [call('put', 'put')]);
    const first = await pawl.ledger.arrived(1, { key: runId });
    await die(...pawl.workers);
    await eventOf(pawl, runId, 'attempt.lost');
    expect((await nodeRunsOf(pawl, runId)).put!.status).toBe('ready');
    await pawl.startWorker();
    const { run, events } = await endOf(pawl, runId);
    expect(run.status).toBe('succeeded');
    expect(events.filter(({ type }) => type === 'attempt.lost')).toHaveLength(1);
    expect(pawl.ledger.of({ key: runId }).map(({ key, attempt }) => [key, attempt])).toEqual([
      [first.key, 1],
      [first.key, 2],
    ]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('the death of the engine stops no work, and who follows a run over it sees each event once', async () => {
    const held = gate();
    pawl.ledger.script({ op: 'put' }, { hold: held.opened });
    const runId = await startFlow(pawl, [call('put', 'put'), call('charge', 'charge')]);
    await pawl.ledger.arrived(1, { key: runId });
    const following = endOf(pawl, runId);
    await eventOf(pawl, runId, 'intent.recorded');
    await die(...pawl.engines);
    held.open();
    await (await pawl.ledger.arrived(2, { key: runId })).closed; // the worker went on alone
    await pawl.startEngine();
    const { run, events } = await following;
    expect(run.status).toBe('succeeded');
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    expect(events.map(({ type }) => type)).not.toContain('attempt.lost');
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  for (const moment of ['has ended', 'is under way'] as const) {
    it(`V2 V3: a worker that slept through its lease wakes when the next attempt ${moment}: evidence, nothing else, and it ends`, async () => {
      const held = gate();
      const second = gate();
      pawl.ledger.script(
        { op: 'put' },
        { hold: held.opened },
        moment === 'is under way' ? { hold: second.opened } : {},
      );
      const runId = await startFlow(pawl, [
        call('put', 'put'),
        { id: 'after', kind: 'transform', value: '{{ nodes.put.output.op }}' },
      ]);
      const first = await pawl.ledger.arrived(1, { key: runId });
      const [sleeper] = pawl.workers;
      sleeper!.kill('SIGSTOP');
      await pawl.startWorker();
      const again = await pawl.ledger.arrived(2, { key: runId });
      expect(again).toMatchObject({ attempt: 2, key: first.key });
      if (moment === 'has ended') await endOf(pawl, runId);

      held.open();
      await first.closed;
      sleeper!.kill('SIGCONT');
      await sleeper!.ended;
      const late = (await journalOf(pawl, runId)).filter((event) => event.type === 'outcome.late');
      expect(late).toMatchObject([{ path: 'put', attempt: 1 }]);
      second.open();
      const { run, events } = await endOf(pawl, runId);
      expect(run).toMatchObject({ status: 'succeeded', output: { after: 'put' } });
      expect(events.filter(({ type, path }) => type === 'outcome.succeeded' && path === 'put')).toMatchObject(
        [{ attempt: 2 }],
      );
      expect([...pawl.ledger.effects({ key: runId }).values()]).toEqual([1]);
      expect(await pawl.rowsEqualFold()).toEqual([]);
    });
  }

  it('V5, T9: a charge of a worker that slept through its lease is doubt; nobody may say that it did not happen before that worker has ended, and what comes later settles nothing', async () => {
    const held = gate();
    pawl.ledger.script({ op: 'charge' }, { hold: held.opened });
    const runId = await startFlow(pawl, [call('charge', 'charge')]);
    const row = await pawl.ledger.arrived(1, { key: runId });
    const [sleeper] = pawl.workers;
    sleeper!.kill('SIGSTOP');
    await pawl.startWorker();
    const lost = await eventOf(pawl, runId, 'attempt.lost', ({ data }) => data.next === 'uncertain');
    const { workerId } = lost.data as { workerId: string };
    const question = `${runId}.${lost.seq}`;
    const refused = { status: 409, code: 'effect_may_be_sent', problem: { workerId } };
    await expect(
      pawl.client.answerQuestion({ params: { question }, body: { decision: 'did_not_happen' } }),
    ).rejects.toMatchObject(refused);
    const node = { params: { runId }, query: { path: 'charge' } };
    await expect(
      pawl.client.settleNodeRun({ ...node, body: { verdict: 'did_not_happen' } }),
    ).rejects.toMatchObject(refused);
    const asleep = await pawl.client.getQuestion({ params: { question } });
    expect(asleep).toMatchObject({
      decisions: ['happened', 'skip', 'fail'],
      doubt: { mayStillSend: { workerId, hint: expect.stringContaining(`end process ${sleeper!.pid}`) } },
    });
    held.open();
    await row.closed;
    sleeper!.kill('SIGCONT');
    await eventOf(pawl, runId, 'outcome.late');
    expect((await nodeRunsOf(pawl, runId)).charge!.status).toBe('uncertain');
    await sleeper!.ended;
    const awake = await pawl.client.getQuestion({ params: { question } });
    expect(awake.doubt).not.toHaveProperty('mayStillSend');
    expect(awake.decisions).toContain('did_not_happen');
    expect(awake.late).toMatchObject({ attempt: 1 });
    expect(pawl.ledger.of({ key: runId })).toHaveLength(1);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('late without takeover counts: a pause shorter than the lease changes nothing', async () => {
    const held = gate();
    pawl.ledger.script({ op: 'charge' }, { hold: held.opened });
    const runId = await startFlow(pawl, [call('charge', 'charge')]);
    const row = await pawl.ledger.arrived(1, { key: runId });
    pawl.workers[0]!.kill('SIGSTOP');
    held.open();
    await row.closed;
    pawl.workers[0]!.kill('SIGCONT');
    const { run, events } = await endOf(pawl, runId);
    expect(run.status).toBe('succeeded');
    expect(events.map(({ type }) => type)).not.toContain('attempt.lost');
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('SIGTERM: the running effect is ended and recorded, nothing new is begun, nothing is lost', async () => {
    const held = gate();
    pawl.ledger.script({ op: 'charge' }, { hold: held.opened });
    const runId = await startFlow(pawl, [call('charge', 'charge'), call('next', 'put')]);
    const row = await pawl.ledger.arrived(1, { key: runId });
    const [leaving] = pawl.workers;
    leaving!.kill('SIGTERM');
    held.open();
    await row.closed;
    await leaving!.ended;
    const outcome = (await journalOf(pawl, runId)).find(({ type }) => type === 'outcome.succeeded');
    expect(outcome).toMatchObject({ path: 'charge', attempt: 1 });
    await pawl.startWorker();
    const { run, events } = await endOf(pawl, runId);
    expect(run.status).toBe('succeeded');
    expect(events.map(({ type }) => type)).not.toContain('attempt.lost');
    expect(pawl.ledger.of({ key: runId }).map(({ op }) => op)).toEqual(['charge', 'put']);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });
});

describe('C43: an event loop that stands still for longer than the lease', () => {
  let pawl: PawlWithLedger;
  beforeEach(async () => {
    pawl = await startWithLedger({
      workers: 2,
      env: { PAWL_LEASE_MS: '1500', PAWL_SWEEP_MS: '200', PAWL_EFFECT_MARGIN_MS: '300' },
    });
  });
  afterEach(() => pawl?.stop());

  it('a pure tool that blocks it keeps its attempt: nothing is lost and nobody takes over', async () => {
    const runId = await startFlow(pawl, [
      { id: 'spin', kind: 'tool', tool: 'ledger.spin_once@1', args: { ms: 4_000 } },
    ]);
    const { run, events } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'succeeded', output: { spin: { attempt: 1 } } });
    expect(events.map(({ type }) => type)).not.toContain('attempt.lost');
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('a charge after the spin is sent once, by the attempt that began', async () => {
    const runId = await startFlow(pawl, [
      { id: 'charge', kind: 'tool', tool: 'ledger.spin_charge@1', args: { ms: 4_000 } },
    ]);
    const { run, events } = await endOf(pawl, runId);
    expect(run.status).toBe('succeeded');
    expect(events.map(({ type }) => type)).not.toContain('attempt.lost');
    expect(pawl.ledger.of({ op: 'charge', key: runId })).toHaveLength(1);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('a worker that was declared dead while its loop stood still sends nothing and ends', async () => {
    const runId = await startFlow(pawl, [
      { id: 'spin', kind: 'tool', tool: 'ledger.spin_once@1', args: { ms: 3_000 } },
      call('charge', 'charge'),
    ]);
    await pawl.ledger.arrived(1, { op: 'spinning', key: runId });
    const [held] = await askDatabase<{ worker: string }>(
      pawl,
      "select worker_id as worker from node_run where run_id = $1 and status = 'running'",
      [runId],
    );
    await askDatabase(pawl, 'update worker set stopped_at = now(), lease_until = now() where id = $1', [
      held!.worker,
    ]);
    const { pid } = await Promise.race(pawl.workers.map((worker) => worker.ended.then(() => worker)));
    expect(pawl.workers.find((worker) => worker.pid === pid)!.log()).toMatch(
      /lease of this worker was taken over/,
    );
    const { run, events } = await endOf(pawl, runId);
    expect(run.status).toBe('succeeded');
    expect(events.filter(({ type }) => type === 'attempt.lost')).toHaveLength(1);
    expect(pawl.ledger.of({ op: 'charge', key: runId })).toHaveLength(1);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('a loop that never turns again ends its process, and others go on', async () => {
    const stuck = await pawl.startWorker({ PAWL_STUCK_MS: '2000' });
    for (const worker of pawl.workers) if (worker !== stuck) worker.kill('SIGTERM');
    await Promise.all(pawl.workers.filter((worker) => worker !== stuck).map((worker) => worker.ended));
    const runId = await startFlow(pawl, [
      { id: 'spin', kind: 'tool', tool: 'ledger.spin_once@1', args: { ms: 3_600_000 } },
    ]);
    await stuck.ended;
    expect(stuck.log()).toMatch(/event loop stood still/);
    await pawl.startWorker();
    const { run } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'succeeded', output: { spin: { attempt: 2 } } });
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });
});
