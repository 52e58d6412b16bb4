// Would catch: a bulk action that reaches runs its filter does not name, or says it did what it did not; a paused flow that starts runs.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate } from '../support/ledger.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, publishFlow } from '../support/watch-run.ts';

describe('many runs, and whole flows', () => {
  let pawl: PawlWithLedger;
  beforeAll(async () => {
    pawl = await startWithLedger();
  });
  afterAll(() => pawl?.stop());

  it('a preview counts, the action reaches what the filter names and says what refused', async () => {
    const { client, ledger } = pawl;
    const held = gate();
    ledger.decideBy(() => ({ hold: held.opened }));
    const [mine, other] = [
      await publishFlow(pawl, [call('a', 'put'), call('b', 'put')]),
      await publishFlow(pawl, [call('c', 'put')]),
    ];
    const start = async (flow: string) =>
      (await client.startRun({ body: { flow, tags: { team: 'blue' } } })).runId;
    const runs = [await start(mine), await start(mine), await start(mine)];
    const bystander = await start(other);
    await ledger.arrived(4);
    const filter = { flow: mine, tag: { key: 'team', value: 'blue' } };
    expect(await client.bulkRuns({ body: { action: 'pause', filter, preview: true } })).toEqual({
      matched: 3,
      hasMore: false,
      done: 0,
      refused: [],
    });
    const counted = async (narrower: object) =>
      (
        await client.bulkRuns({
          body: { action: 'pause', filter: { ...filter, ...narrower }, preview: true },
        })
      ).matched;
    expect(await counted({ runIds: [runs[1]!, bystander] })).toBe(1);
    expect(await counted({ mode: 'test' })).toBe(0);
    expect(await counted({ mode: 'live' })).toBe(3);
    expect((await client.getRun({ params: { runId: runs[0]! } })).status).toBe('running');
    await client.pauseRun({ params: { runId: runs[0]! } });
    expect(await client.bulkRuns({ body: { action: 'resume', filter } })).toMatchObject({
      matched: 3,
      done: 1,
    });
    const refused = await client.bulkRuns({ body: { action: 'resume', filter } });
    expect(refused).toMatchObject({ done: 0, refused: runs.map(() => ({ code: 'run_not_resumable' })) });
    const cancelled = await client.bulkRuns({ body: { action: 'cancel', filter, reason: 'not needed' } });
    expect(cancelled).toMatchObject({ matched: 3, done: 3, refused: [] });
    held.open();
    for (const runId of runs) expect((await endOf(pawl, runId)).run.status).toBe('cancelled');
    expect((await endOf(pawl, bystander)).run.status).toBe('succeeded');
    ledger.decideBy(undefined);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('the preview of a retry names what it would call, with its class', async () => {
    const { client, ledger } = pawl;
    ledger.script({ op: 'charge' }, { status: 422, message: 'no such account' });
    const flow = await publishFlow(pawl, [call('pay', 'charge', { onError: { do: 'pause' } })]);
    const { runId } = await client.startRun({ body: { flow } });
    await expect.poll(async () => (await client.listInbox({ query: { runId } })).items.length).toBe(1);
    const preview = await client.bulkRuns({ body: { action: 'retry', filter: { flow }, preview: true } });
    expect(preview).toMatchObject({
      matched: 1,
      done: 0,
      calls: [{ target: 'ledger.charge@1', effect: 'non_repeatable', count: 1 }],
    });
    expect(ledger.of({ key: runId })).toHaveLength(1);
    await client.cancelRun({ params: { runId } });
    await endOf(pawl, runId);
  });

  it('a paused flow starts nothing until it is resumed', async () => {
    const { client } = pawl;
    const flow = await publishFlow(pawl, [call('a', 'put')]);
    expect(await client.pauseFlow({ params: { flow } })).toMatchObject({
      name: flow,
      pausedAt: expect.any(String),
    });
    await expect(client.startRun({ body: { flow } })).rejects.toMatchObject({
      status: 409,
      code: 'flow_paused',
    });
    expect((await client.getFlow({ params: { flow } })).pausedBy).toBeDefined();
    expect(await client.resumeFlow({ params: { flow } })).not.toHaveProperty('pausedAt');
    const { runId } = await client.startRun({ body: { flow } });
    expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
  });
});
