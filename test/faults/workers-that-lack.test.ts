// Would catch: a worker of an older release that fails what only a newer one can run, tries it over and over, or keeps it from the
// one that can (C53).
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { backends } from '../support/backends.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, journalOf, nodeRunsOf, startFlow } from '../support/watch-run.ts';

/** Tools of a worker of the release before: none of the ledger's. */
const OLDER = { PAWL_TOOLS: join(import.meta.dirname, '../support/tracing-tools.ts') };
const MODELS = JSON.stringify({ rare: { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'test-key' } });

describe.each(backends)('workers that lack what a node needs, queue on %s', (queue) => {
  let pawl: PawlWithLedger | undefined;
  afterEach(() => pawl?.stop());

  it('C53: a node run whose tool or provider no worker has waits, visibly and without a try, and goes to the first that has it', async () => {
    pawl = await startWithLedger({ queue, env: { PAWL_COMPATIBLE: MODELS } });
    const { client } = pawl;
    // Publishing knows the tools and providers of the newer worker, which is then gone.
    const started = async (id: string, tool: string) =>
      startFlow(pawl!, [{ id: 'first', kind: 'transform', value: 1 }, call(id, tool)], { pool: 'late' });
    const pure = await started('own', 'who');
    const effect = await started('own', 'put');
    const model = await startFlow(
      pawl,
      [
        {
          id: 'own',
          kind: 'llm',
          model: 'compatible:rare/m',
          prompt: 'Hello',
          retry: { maxAttempts: 1 },
          onError: { do: 'fail' },
        },
      ],
      { pool: 'late' },
    );
    const older = await pawl.startWorker({ ...OLDER, PAWL_COMPATIBLE: '', PAWL_POOLS: 'late' });
    const waits = async (runId: string) => {
      const [{ own }, run] = await Promise.all([
        nodeRunsOf(pawl!, runId),
        client.getRun({ params: { runId } }),
      ]);
      return { status: own?.status, node: own?.waitingFor, run: run.waitingFor };
    };
    for (const [runId, detail] of [
      [pure, { reason: 'no_worker_has_tool', tool: 'ledger.who@1' }],
      [effect, { reason: 'no_worker_has_tool', tool: 'ledger.put@1' }],
      [model, { reason: 'no_worker_has_provider', provider: 'compatible' }],
    ] as const) {
      const wanted = { kind: 'worker', detail };
      await expect.poll(() => waits(runId)).toMatchObject({ status: 'ready', node: wanted, run: wanted });
      expect((await nodeRunsOf(pawl, runId)).own?.attempt).toBe(0);
      expect((await journalOf(pawl, runId)).filter(({ path }) => path === 'own')).toEqual([]);
    }
    const newer = await pawl.startWorker({ PAWL_POOLS: 'late' });
    const ends = await Promise.all([pure, effect, model].map((runId) => endOf(pawl!, runId)));
    expect((await nodeRunsOf(pawl, pure)).own?.attempt).toBe(1);
    expect(ends[0]!.run).toMatchObject({ status: 'succeeded', output: { own: newer.pid } });
    expect(ends[1]!.run.status).toBe('succeeded');
    expect(ends[1]!.events.filter(({ type }) => type === 'outcome.failed')).toEqual([]);
    expect(pawl.ledger.of({ key: effect })).toHaveLength(1);
    // The provider refuses connections; that it was asked is what counts.
    expect(ends[2]!.events.filter(({ type }) => type === 'intent.recorded')).toHaveLength(1);
    expect(older.hasEnded()).toBe(false);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C53: while both are there every node run ends at the first try of the worker that can', async () => {
    pawl = await startWithLedger({ queue });
    await pawl.startWorker(OLDER);
    const runId = await startFlow(pawl, [
      {
        id: 'each',
        kind: 'map',
        over: '{{ [1..40] }}',
        concurrency: 40,
        body: { nodes: [call('put', 'put', { retry: { maxAttempts: 1 } })], edges: [] },
        output: '{{ nodes.put.output }}',
      },
    ]);
    const { run, events } = await endOf(pawl, runId);
    expect(run.status).toBe('succeeded');
    expect(events.filter(({ type }) => type === 'intent.recorded')).toHaveLength(40);
    expect(pawl.ledger.of({ key: runId })).toHaveLength(40);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });
});
