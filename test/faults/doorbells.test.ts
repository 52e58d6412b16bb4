// Would catch: a run that depends on a doorbell reaching somebody, once, in order (V8: queues are doorbells, PostgreSQL decides).
import { openQueue, type QueueConfig } from '@pawl/queue';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { askDatabase } from '../support/ask-database.ts';
import { blockClaims } from '../support/block-claims.ts';
import { startRedis, type TestServer } from '../support/process.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, eventOf, nodeRunsOf, publishFlow } from '../support/watch-run.ts';

const chain = [call('read', 'pure'), call('put', 'put'), call('charge', 'charge')];

describe('doorbells', () => {
  let pawl: PawlWithLedger | undefined;
  let redis: TestServer | undefined;
  afterEach(async () => {
    await pawl?.stop();
    await redis?.dispose();
    redis = undefined;
  });

  async function endsOnce(started: readonly { runId: string }[]): Promise<void> {
    const { ledger } = pawl!;
    for (const { runId } of started) {
      expect((await endOf(pawl!, runId)).run.status).toBe('succeeded');
      expect(
        ledger
          .of({ key: runId })
          .map(({ op }) => op)
          .sort(),
      ).toEqual(['charge', 'pure', 'put']);
      for (const count of ledger.effects({ key: runId }).values()) expect(count).toBe(1);
    }
    expect(await pawl!.rowsEqualFold()).toEqual([]);
  }

  it.skipIf(!inject('redisUrl'))(
    'lost: a queue emptied and an outbox without rows are noticed, and everything runs',
    async () => {
      redis = await startRedis();
      pawl = await startWithLedger({ workers: 0, redisUrl: redis.url });
      const flow = await publishFlow(pawl, chain);
      const started = await Promise.all(
        Array.from({ length: 10 }, () => pawl!.client.startRun({ body: { flow } })),
      );
      await expect.poll(() => askDatabase(pawl!, 'select 1 from outbox')).toEqual([]);
      await redis.restart(); // comes back empty
      await pawl.startWorker();
      await endsOnce(started);
    },
  );

  for (const backend of ['redis', 'postgres'] as const) {
    it.skipIf(backend === 'redis' && !inject('redisUrl'))(
      `doubled, early and for nothing on ${backend}: each node run is done once`,
      async () => {
        const prefix = `pawl-doubled-${backend}-${process.pid}`;
        pawl = await startWithLedger({ workers: 0, queue: backend, env: { PAWL_QUEUE_PREFIX: prefix } });
        const config: QueueConfig =
          backend === 'redis'
            ? { backend, url: inject('redisUrl')!, prefix }
            : { backend, url: pawl.databaseUrl };
        const flow = await publishFlow(pawl, chain);
        const started = await Promise.all(
          Array.from({ length: 10 }, () => pawl!.client.startRun({ body: { flow } })),
        );
        const queue = await openQueue(config);
        const bells = ['', 'charge', 'put', 'nowhere', 'read', 'read', 'put', 'read'].flatMap((path) =>
          started.map(({ runId }) => ({ runId, path })),
        );
        await queue.ring(bells);
        await Promise.all([pawl.startWorker(), pawl.startWorker()]);
        await queue.ring(bells.reverse());
        await endsOnce(started);
        await queue.ring(bells); // for runs that have ended
        const after = await pawl.client.startRun({ body: { flow } });
        await endsOnce([...started, after]);
        await queue.close();
      },
    );
  }

  it('V8 V9: in the hands of a worker that dies they are rung again, long before the queue would miss them', async () => {
    pawl = await startWithLedger();
    const flow = await publishFlow(pawl, chain);
    const claims = await blockClaims(pawl);
    const started = await pawl.client.startRun({ body: { flow } });
    await claims.waiting();
    pawl.workers[0]!.kill('SIGKILL');
    await pawl.workers[0]!.ended;
    await claims.breakOff();
    expect((await nodeRunsOf(pawl, started.runId)).read).toMatchObject({ status: 'ready', attempt: 0 });
    await pawl.startWorker();
    await eventOf(pawl, started.runId, 'outcome.succeeded', ({ path }) => path === 'read');
    await endsOnce([started]);
  }, 30_000);

  it('V9: a claim whose connection broke is made again by the same worker', async () => {
    pawl = await startWithLedger();
    const flow = await publishFlow(pawl, chain);
    const claims = await blockClaims(pawl);
    const started = await pawl.client.startRun({ body: { flow } });
    await claims.waiting();
    await claims.breakOff();
    await endsOnce([started]);
  });

  it.skipIf(!inject('redisUrl'))(
    'V9: a claim that was made and whose answer was lost is given back by its own worker',
    async () => {
      redis = await startRedis();
      pawl = await startWithLedger({ workers: 0, redisUrl: redis.url });
      const flow = await publishFlow(pawl, chain);
      const started = await pawl.client.startRun({ body: { flow } });
      await expect.poll(() => askDatabase(pawl!, 'select 1 from outbox')).toEqual([]);
      // With the engine asleep and the queue empty nobody rings, so the row can be put as a lost answer leaves it.
      pawl.engines[0]!.kill('SIGSTOP');
      await redis.restart();
      await pawl.startWorker();
      await askDatabase(
        pawl,
        "update node_run set status = 'running', attempt = 1, worker_id = (select id from worker) where status = 'ready'",
      );
      pawl.engines[0]!.kill('SIGCONT');
      const lost = await eventOf(pawl, started.runId, 'attempt.lost');
      expect(lost).toMatchObject({ path: 'read', attempt: 1, data: { next: 'ready' } });
      await endsOnce([started]);
      expect(pawl.ledger.of({ key: started.runId })[0]!.attempt).toBe(2);
    },
  );
});
