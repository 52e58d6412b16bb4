// Would catch: work that starts after a cancel, a closing save that turns a cancelled run into a success, a lost late output.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate } from '../support/ledger.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, eventOf, journalOf, nodeRunsOf, startFlow } from '../support/watch-run.ts';

describe('cancel', () => {
  let pawl: PawlWithLedger;
  beforeAll(async () => {
    pawl = await startWithLedger({ workers: 2, env: { PAWL_CANCEL_GRACE_MS: '1500' } });
  });
  afterAll(() => pawl?.stop());

  const cancel = (runId: string) => pawl.client.cancelRun({ params: { runId } });

  it('C07 V11: a chain of five ends with the running effect, whose output is kept as finished after the cancel', async () => {
    const held = gate();
    let seen = 0;
    pawl.ledger.decideBy((row) => (row.op === 'put' && ++seen === 2 ? { hold: held.opened } : undefined));
    const runId = await startFlow(
      pawl,
      ['one', 'two', 'three', 'four', 'five'].map((id) => call(id, 'stubborn_put')),
    );
    await pawl.ledger.arrived(2, { key: runId });
    const { status } = await cancel(runId);
    held.open();
    expect(['cancelling', 'cancelled']).toContain(status);
    const { run } = await endOf(pawl, runId);
    pawl.ledger.decideBy(undefined);
    expect(run.status).toBe('cancelled');
    // Whether the answer beat the time that an aborted call is given, it is kept and told apart.
    const kept = async () =>
      (await journalOf(pawl, runId)).find(
        (event) =>
          event.path === 'two' &&
          ((event.type === 'outcome.succeeded' && event.data.afterCancel) || event.type === 'outcome.late'),
      );
    await expect.poll(kept).toMatchObject({ data: { output: { op: 'put', what: 'two' } } });
    const events = await journalOf(pawl, runId);
    const asked = events.findIndex(({ type }) => type === 'run.cancelRequested');
    expect(events.slice(asked).map(({ type }) => type)).not.toContain('intent.recorded');
    expect(pawl.ledger.of({ key: runId })).toHaveLength(2);
    await expect(cancel(runId)).rejects.toMatchObject({ status: 409, code: 'run_not_open' });
    const now = await pawl.client.getRun({ params: { runId } });
    expect(now).toEqual({ ...run, lastSeq: now.lastSeq });
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C07: the answer that comes after the cancel is recorded as such and the run is cancelled', async () => {
    const held = gate();
    pawl.ledger.script({ op: 'put' }, { hold: held.opened });
    const runId = await startFlow(pawl, [call('one', 'put'), call('two', 'put')]);
    const row = await pawl.ledger.arrived(1, { key: runId });
    await cancel(runId);
    await row.closed; // the abort reached the tool, which let go of its request
    const { run, events } = await endOf(pawl, runId);
    held.open();
    expect(run.status).toBe('cancelled');
    expect(events.find(({ path, type }) => path === 'one' && type === 'outcome.failed')).toMatchObject({
      data: { failure: { class: 'cancelled' }, afterCancel: true },
    });
    expect((await nodeRunsOf(pawl, runId)).one!.status).toBe('cancelled');
    expect(pawl.ledger.of({ key: runId })).toHaveLength(1);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('V11, V5: a charge that does not end in time is cancelled as doubt; asking twice is harmless', async () => {
    const held = gate();
    pawl.ledger.script({ op: 'charge' }, { hold: held.opened });
    const runId = await startFlow(pawl, [call('charge', 'stubborn_charge'), call('next', 'put')]);
    await pawl.ledger.arrived(1, { key: runId });
    await Promise.all([cancel(runId), cancel(runId)]);
    const { run, events } = await endOf(pawl, runId);
    expect(run.status).toBe('cancelled');
    expect(events.filter(({ type }) => type === 'run.cancelRequested')).toHaveLength(1);
    expect(events.find(({ type, path }) => type === 'nodeRun.cancelled' && path === 'charge')).toMatchObject({
      data: { doubt: true },
    });
    held.open();
    await expect
      .poll(async () => (await journalOf(pawl, runId)).filter(({ type }) => type === 'outcome.late'))
      .toMatchObject([{ path: 'charge', data: { output: { op: 'charge' } } }]);
    expect((await pawl.client.getRun({ params: { runId } })).status).toBe('cancelled');
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C08: reaches the items of a map; no call starts after it', async () => {
    const held = gate();
    pawl.ledger.decideBy((row) => (row.key.startsWith(runId) ? { hold: held.opened } : undefined));
    const runId = await startFlow(pawl, [
      {
        id: 'each',
        kind: 'map',
        over: '{{ [1,2,3,4,5,6,7,8,9,10] }}',
        concurrency: 2,
        body: { nodes: [call('put', 'put')], edges: [] },
      },
    ]);
    await pawl.ledger.arrived(2, { key: runId });
    await cancel(runId);
    const { run } = await endOf(pawl, runId);
    held.open();
    pawl.ledger.decideBy(undefined);
    expect(run.status).toBe('cancelled');
    expect(pawl.ledger.of({ key: runId })).toHaveLength(2);
    for (const node of Object.values(await nodeRunsOf(pawl, runId))) expect(node.status).toBe('cancelled');
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('V11: a run that waits for a person, for a retry or for its worker can be cancelled at once', async () => {
    pawl.ledger.script({ op: 'charge' }, { cut: 'after' });
    const doubtful = await startFlow(pawl, [call('charge', 'charge')]);
    await eventOf(pawl, doubtful, 'nodeRun.waiting');
    const retrying = await startFlow(pawl, [
      {
        id: 'fail',
        kind: 'tool',
        tool: 'ledger.fail@1',
        args: { error: 'transient' },
        retry: { initialMs: 600_000, maxMs: 600_000 },
      },
    ]);
    await eventOf(pawl, retrying, 'outcome.failed');
    for (const runId of [doubtful, retrying]) {
      await cancel(runId);
      expect((await endOf(pawl, runId)).run.status).toBe('cancelled');
    }
    expect((await journalOf(pawl, doubtful)).find(({ type }) => type === 'nodeRun.cancelled')).toMatchObject({
      data: { doubt: true },
    });
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });
});
