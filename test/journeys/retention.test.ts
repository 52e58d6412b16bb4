// Would catch: an engine that keeps what it was told to drop, or drops what it was told nothing about.
import { ensurePartitions, newRunId } from '@pawl/run-store';
import { expect, test } from 'vitest';
import { openTestStore, seedEvent, seedRun } from '../../packages/run-store/test/support/seed.ts';
import { startPawl } from '../support/pawl.ts';

test('an engine drops what is past its retention when it starts, and still tells what was sent', async () => {
  const store = await openTestStore();
  const ms = Date.now() - 200 * 86_400_000;
  try {
    await ensurePartitions(store.pool, { now: new Date(ms), monthsAhead: 0 });
    const runId = await seedRun(store.pool, {
      id: newRunId(ms),
      created_at: new Date(ms),
      status: 'succeeded',
    });
    await seedEvent(store.pool, runId, {
      seq: 1,
      type: 'run.admitted',
      data: { v: 1, versionId: 'v1', by: 'key:ada' },
    });
    const key = `${runId}:pay:0`;
    const intent = {
      workerId: 'w',
      call: 0,
      effect: 'non_repeatable',
      target: 'pay@1',
      key,
      requestHash: 'h',
    };
    await seedEvent(store.pool, runId, {
      seq: 2,
      type: 'intent.recorded',
      path: 'pay',
      data: { v: 1, ...intent, request: { cents: 5 } },
    });
    const keeping = await startPawl({ databaseUrl: store.url, workers: 0 });
    try {
      expect(await keeping.client.getRun({ params: { runId } })).toMatchObject({ id: runId });
      const { client } = await startWith(store.url, { PAWL_RETENTION_DAYS: '90' });
      await expect
        .poll(() => client.listEffects({ query: { key } }))
        .toMatchObject({ items: [{ target: 'pay@1', key, startedBy: 'key:ada', receipt: true }] });
      await expect(client.getRun({ params: { runId } })).rejects.toMatchObject({ code: 'run_not_found' });
    } finally {
      await keeping.stop();
    }
  } finally {
    await Promise.all(started.map((pawl) => pawl.stop()));
    await store.close();
  }
});

const started: Awaited<ReturnType<typeof startPawl>>[] = [];

async function startWith(databaseUrl: string, env: Record<string, string>) {
  const pawl = await startPawl({ databaseUrl, workers: 0, env });
  started.push(pawl);
  return pawl;
}
