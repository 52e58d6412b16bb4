// Would catch: workers that stay idle after Redis was away, and work that existed in Redis only.
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { gate } from '../support/ledger.ts';
import { startRedis, type TestServer } from '../support/process.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, eventOf, publishFlow, startFlow } from '../support/watch-run.ts';

describe.skipIf(!inject('redisUrl'))('Redis away or emptied', () => {
  let redis: TestServer;
  let pawl: PawlWithLedger;
  beforeEach(async () => {
    redis = await startRedis();
    pawl = await startWithLedger({ workers: 2, redisUrl: redis.url });
  });
  afterEach(async () => {
    await pawl?.stop();
    await redis?.dispose();
  });

  it('C49: runs in flight and runs started meanwhile all end after it is back, without a restart', async () => {
    const { client, ledger } = pawl;
    const flow = await publishFlow(pawl, [call('put', 'put'), call('charge', 'charge')]);
    const held = gate();
    ledger.script({ op: 'put' }, { hold: held.opened }, { hold: held.opened }, { hold: held.opened });
    const start = () => client.startRun({ body: { flow } });
    const before = await Promise.all([start(), start(), start()]);
    await ledger.arrived(3, { op: 'put' });
    await redis.stop();
    const meanwhile = await Promise.all([start(), start(), start(), start(), start()]);
    held.open();
    // What a worker has begun it ends without the queue.
    for (const { runId } of before) expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
    await redis.restart();
    for (const { runId } of meanwhile) expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
    const { runId } = await start();
    expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
    for (const count of ledger.effects().values()) expect(count).toBe(1);
    expect(ledger.rows).toHaveLength(18);
    expect(
      await Promise.race([...pawl.workers.map((worker) => worker.ended.then(() => 'ended')), 'alive']),
    ).toBe('alive');
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C50: emptied with work queued, with retries waiting and with a run that waits for a person: all go on, once', async () => {
    const { client, ledger } = pawl;
    ledger.script({ op: 'charge' }, { cut: 'after' });
    const doubtful = await startFlow(pawl, [call('charge', 'charge'), call('after', 'put')]);
    await eventOf(pawl, doubtful, 'nodeRun.waiting');
    const retryFlow = await publishFlow(pawl, [
      call('put', 'put', { args: { what: 'retry' }, retry: { initialMs: 1_500, jitter: 0 } }),
    ]);
    ledger.decideBy((row) => (row.body.what === 'retry' && row.attempt === 1 ? { status: 500 } : undefined));
    const retrying = await Promise.all([1, 2, 3].map(() => client.startRun({ body: { flow: retryFlow } })));
    await Promise.all(retrying.map(({ runId }) => eventOf(pawl, runId, 'outcome.failed')));
    // The workers sleep while ten runs are queued, so that the queue holds what is then lost.
    const workers = pawl.workers.splice(0);
    for (const worker of workers) worker.kill('SIGTERM');
    await Promise.all(workers.map((worker) => worker.ended));
    const flow = await publishFlow(pawl, [call('put', 'put'), call('charge', 'charge')]);
    const queued = await Promise.all(Array.from({ length: 10 }, () => client.startRun({ body: { flow } })));
    await redis.restart();
    await Promise.all([pawl.startWorker(), pawl.startWorker()]);
    for (const { runId } of [...queued, ...retrying])
      expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
    await client.settleNodeRun({
      params: { runId: doubtful },
      query: { path: 'charge' },
      body: { verdict: 'happened', output: 'seen' },
    });
    expect((await endOf(pawl, doubtful)).run.status).toBe('succeeded');
    for (const count of ledger.effects().values()) expect(count).toBe(1);
    for (const { runId } of queued) expect(ledger.of({ key: `${runId}:charge` })).toHaveLength(1);
    for (const { runId } of retrying) expect(ledger.of({ key: runId })).toHaveLength(2);
    expect(ledger.of({ key: `${doubtful}:charge` })).toHaveLength(1);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });
});
