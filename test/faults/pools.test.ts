// Would catch: node runs that reach workers of another pool, on the queue or by running ahead; a pool without workers that looks
// like work under way; urgent runs that wait behind others.
import { createClient } from '@pawl/api';
import { afterEach, describe, expect, it } from 'vitest';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, nodeRunsOf, publishFlow, startFlow } from '../support/watch-run.ts';

for (const queue of ['redis', 'postgres'] as const) {
  describe(`pools, queue on ${queue}`, () => {
    let pawl: PawlWithLedger | undefined;
    afterEach(() => pawl?.stop());

    it('G12: a node run goes to a worker that serves its pool, wherever it became ready', async () => {
      pawl = await startWithLedger({ queue });
      const gpu = await pawl.startWorker({ PAWL_POOLS: 'gpu' });
      const [usual] = pawl.workers;
      const runId = await startFlow(
        pawl,
        [
          call('first', 'who'),
          call('second', 'who', { pool: 'gpu' }),
          call('third', 'put'),
          {
            id: 'each',
            kind: 'map',
            pool: 'gpu',
            over: '{{ [1, 2, 3] }}',
            body: { nodes: [call('inner', 'who'), call('own', 'who', { pool: 'default' })], edges: [] },
            output: '{{ [nodes.inner.output, nodes.own.output] }}',
          },
          call('last', 'who'),
        ],
        {
          output: {
            pids: '{{ [nodes.first.output, nodes.second.output, nodes.last.output] }}',
            each: '{{ nodes.each.output }}',
          },
        },
      );
      const { run } = await endOf(pawl, runId);
      expect(run).toMatchObject({
        status: 'succeeded',
        output: {
          pids: [usual!.pid, gpu.pid, usual!.pid],
          each: Array(3).fill([gpu.pid, usual!.pid]),
        },
      });
      expect((await nodeRunsOf(pawl, runId)).second).toMatchObject({ pool: 'gpu', attempt: 1 });
      expect(await pawl.rowsEqualFold()).toEqual([]);
    });

    it('V15: a pool that nobody serves is named, and its work begins when a worker serves it', async () => {
      pawl = await startWithLedger({ queue });
      const { client } = pawl;
      const runId = await startFlow(pawl, [call('first', 'who'), call('rare', 'who')], { pool: 'rare' });
      const unserved = { kind: 'worker', detail: { pool: 'rare', reason: 'no_worker_serves_pool' } };
      const state = async () => ({
        run: (await client.getRun({ params: { runId } })).waitingFor,
        listed: (await client.listRuns({ query: {} })).items[0]!.waitingFor,
        first: (await nodeRunsOf(pawl!, runId)).first!.waitingFor,
      });
      expect(await state()).toMatchObject({ run: unserved, listed: unserved, first: unserved });
      await pawl.startWorker({ PAWL_POOLS: 'other, rare' });
      expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
      expect(await pawl.rowsEqualFold()).toEqual([]);
    });

    it.runIf(queue === 'redis')(
      'doorbells of a pool that were lost are rung again once it is served',
      async () => {
        pawl = await startWithLedger({ queue, workers: 0, env: { PAWL_QUEUE_PREFIX: 'first' } });
        const runId = await startFlow(pawl, [call('rare', 'who', { pool: 'rare' })]);
        pawl.engines[0]!.kill('SIGKILL');
        await pawl.engines[0]!.ended;
        // Another queue: what lies in the old one is never seen again.
        const elsewhere = { PAWL_QUEUE_PREFIX: 'second' };
        const { url } = await pawl.startEngine(elsewhere);
        await pawl.startWorker({ ...elsewhere, PAWL_POOLS: 'rare' });
        expect((await endOf({ client: createClient({ baseUrl: url }) }, runId)).run.status).toBe('succeeded');
      },
    );

    it('T17: what is less urgent waits', async () => {
      pawl = await startWithLedger({ queue, workers: 0, env: { PAWL_CONCURRENCY: '1' } });
      const { client, ledger } = pawl;
      const flow = await publishFlow(pawl, [call('put', 'put')]);
      const priorities = [9, 9, 7, undefined, 5, 7];
      const runIds: string[] = [];
      for (const priority of priorities)
        runIds.push((await client.startRun({ body: { flow, priority } })).runId);
      await pawl.startWorker();
      for (const runId of runIds) await endOf(pawl, runId);
      const order = ledger
        .of({ op: 'put' })
        .map((row) => priorities[runIds.indexOf(row.key.slice(0, 36))] ?? 5);
      expect(order).toEqual([5, 5, 7, 7, 9, 9]);
      expect((await client.getRun({ params: { runId: runIds[0]! } })).priority).toBe(9);
      expect(await pawl.rowsEqualFold()).toEqual([]);
    });
  });
}
