// Would catch: a paused run that starts something, one that does not go on, and a run that a hung attempt keeps open for ever.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate } from '../support/ledger.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, eventOf, publishFlow, startFlow } from '../support/watch-run.ts';

describe('holding runs up', () => {
  let pawl: PawlWithLedger;
  beforeAll(async () => {
    pawl = await startWithLedger({ workers: 2 });
  });
  afterAll(() => pawl?.stop());

  it('T15: what is under way ends, nothing more starts until it is resumed, also by other workers', async () => {
    const { client, ledger } = pawl;
    const answered = gate();
    ledger.decideBy((row) => (row.key.endsWith(':first:0') ? { hold: answered.opened } : undefined));
    const runId = await startFlow(pawl, [call('first', 'put'), call('second', 'put')]);
    await ledger.arrived(1, { key: runId });
    const paused = await client.pauseRun({ params: { runId }, body: { reason: 'wait for the auditor' } });
    expect(paused).toMatchObject({
      status: 'paused',
      waitingFor: { kind: 'person', detail: { reason: 'paused' } },
    });
    answered.open();
    await eventOf(pawl, runId, 'outcome.succeeded', ({ path }) => path === 'first');
    // A run that was started later and ended shows that the workers had the time to take it up.
    await endOf(pawl, await startFlow(pawl, [call('other', 'put')]));
    expect(ledger.of({ key: runId })).toHaveLength(1);
    await client.resumeRun({ params: { runId } });
    expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
    expect(ledger.of({ key: runId })).toHaveLength(2);
    await expect(client.pauseRun({ params: { runId } })).rejects.toMatchObject({ code: 'run_not_pausable' });
    await expect(client.resumeRun({ params: { runId } })).rejects.toMatchObject({
      code: 'run_not_resumable',
    });
    ledger.decideBy(undefined);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C14, T16: an attempt that never returns is aborted and the run ends when its time is over', async () => {
    const { ledger } = pawl;
    const never = gate();
    ledger.script({ op: 'put' }, { status: 503 }, { hold: never.opened });
    const flow = await publishFlow(
      pawl,
      [call('hangs', 'put', { retry: { initialMs: 1, jitter: 0 } }), call('after', 'put')],
      { timeoutMs: 1_500 },
    );
    const { runId } = await pawl.client.startRun({ body: { flow } });
    const { run, events } = await endOf(pawl, runId);
    expect(run).toMatchObject({ status: 'failed', failure: { code: 'run_timed_out', class: 'timed_out' } });
    expect(events.map(({ type }) => type)).toContain('run.timedOut');
    expect(ledger.of({ key: runId })).toHaveLength(2);
    await ledger.of({ key: runId })[1]!.closed;
    never.open();
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });
});
