// Would catch: an outage of the database taken for a failure of the work, done twice afterwards, or never recovered from.
import { afterEach, describe, expect, it } from 'vitest';
import { askDatabase } from '../support/ask-database.ts';
import { createTestDatabase } from '../support/database.ts';
import { gate } from '../support/ledger.ts';
import { startPostgres, type TestServer } from '../support/process.ts';
import { endOf } from '../support/run-to-end.ts';
import { DEFAULT_TIMES, type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, journalOf, publishFlow } from '../support/watch-run.ts';

/** How long an outage lasts is what the test is about; there is no event to wait for. */
const outage = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * After an outage workers have the length of a lease to come back; one that does not ends, and here nobody starts it again. So
 * the lease is shorter than the outage, and long enough for a busy machine.
 */
const LEASE_OF_4_S = { PAWL_LEASE_MS: '4000', PAWL_SWEEP_MS: '1000', PAWL_EFFECT_MARGIN_MS: '500' };

const cases = [
  { queue: 'redis', mode: 'fast', outageMs: 10_000, times: 'the default times', env: DEFAULT_TIMES },
  {
    queue: 'postgres',
    mode: 'kill',
    outageMs: 5_000,
    times: 'a lease shorter than the outage',
    env: LEASE_OF_4_S,
  },
] as const;

describe('C46, C47: PostgreSQL away in the middle', () => {
  let server: TestServer | undefined;
  let pawl: PawlWithLedger | undefined;
  afterEach(async () => {
    await pawl?.stop();
    await server?.dispose();
    server = undefined;
  });

  for (const { queue, mode, outageMs, times, env } of cases) {
    it(`stopped (${mode}) for ${outageMs / 1_000} s with ${times}, queue on ${queue}: runs go on, nothing is doubled, no attempt is used`, async () => {
      server = await startPostgres();
      const { url } = await createTestDatabase(server.url);
      pawl = await startWithLedger({ queue, workers: 2, databaseUrl: url, env });
      const { client, ledger } = pawl;
      const flow = await publishFlow(
        pawl,
        [
          call('read', 'pure'),
          call('put', 'put', { onError: { do: 'continue' } }),
          call('charge', 'charge', {
            onError: { do: 'continue' },
            args: { what: '{{ nodes.put.output.nonce }}' },
          }),
          { id: 'after', kind: 'transform', value: '{{ nodes.charge.output.op }}' },
          { ...call('sorry', 'put'), join: 'some' },
        ],
        {
          edges: [
            { from: 'read', to: 'put' },
            { from: 'put', to: 'charge' },
            { from: 'charge', to: 'after' },
            { from: 'put', port: 'error', to: 'sorry' },
            { from: 'charge', port: 'error', to: 'sorry' },
          ],
          output: '{{ nodes.after.output }}',
        },
      );
      // Held at each of the three requests, so that outcomes of every class meet the outage.
      const answered = gate();
      const plans = new Map<string, number>();
      ledger.decideBy((row) => {
        const runId = row.key.slice(0, 36);
        const left = plans.get(runId) ?? [...plans.keys()].length % 3;
        plans.set(runId, left - 1);
        return left === 0 ? { hold: answered.opened, appliesFirst: true } : undefined;
      });
      const runIds = (
        await Promise.all(Array.from({ length: 12 }, () => client.startRun({ body: { flow } })))
      ).map(({ runId }) => runId);
      await expect.poll(() => ledger.rows.filter((row) => row.answered === undefined).length).toBe(12);

      await server.stop({ mode });
      answered.open();
      await Promise.all(ledger.rows.map((row) => row.closed));
      await expect
        .poll(() => fetch(`${pawl!.url}/ready`).then(({ status }) => status), { timeout: 10_000 })
        .toBe(503);
      expect((await fetch(`${pawl.url}/health`)).status).toBe(200);
      await expect(client.startRun({ body: { flow } })).rejects.toMatchObject({ status: 503 });
      await outage(outageMs);
      await server.restart();

      await expect
        .poll(() => fetch(`${pawl!.url}/ready`).then(({ status }) => status), { timeout: 30_000 })
        .toBe(200);
      for (const runId of runIds) {
        const { run, events } = await endOf(pawl, runId);
        expect(run).toMatchObject({ status: 'succeeded', output: 'charge' });
        expect(events.map(({ type }) => type)).not.toContain('outcome.failed');
        expect(
          events.filter(({ type }) => type === 'intent.recorded').map(({ path, attempt }) => [path, attempt]),
        ).toEqual([
          ['put', 1],
          ['charge', 1],
        ]);
      }
      expect(ledger.rows.filter((row) => row.key.endsWith(':sorry:0'))).toEqual([]);
      expect(ledger.of({ op: 'put' })).toHaveLength(12);
      expect(ledger.of({ op: 'charge' })).toHaveLength(12);
      expect(
        await Promise.race([...pawl.workers.map((worker) => worker.ended.then(() => 'ended')), 'alive']),
      ).toBe('alive');
      const { runId } = await client.startRun({ body: { flow } });
      expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
      expect((await journalOf(pawl, runId)).at(-1)!.type).toBe('run.statusChanged');
      expect(await pawl.rowsEqualFold()).toEqual([]);
    });
  }

  it('C46: connections cut again and again, in commits too: each outcome is stored once, no attempt is used', async () => {
    pawl = await startWithLedger({ workers: 2 });
    const { client, ledger } = pawl;
    const flow = await publishFlow(pawl, [
      call('read', 'pure'),
      call('put', 'put'),
      call('charge', 'charge'),
      {
        id: 'each',
        kind: 'map',
        over: '{{ [1, 2, 3] }}',
        body: { nodes: [call('item_put', 'put', { args: { what: '{{ item }}' } })], edges: [] },
        output: '{{ nodes.item_put.output.what }}',
      },
    ]);
    const started = await Promise.all(Array.from({ length: 30 }, () => client.startRun({ body: { flow } })));
    const cutting = cutConnections(pawl, () => ledger.rows.length >= 30 * 6);
    for (const { runId } of started) {
      const { run, events } = await endOf(pawl, runId);
      expect(run).toMatchObject({ status: 'succeeded', output: { each: [1, 2, 3] } });
      expect(events.map(({ type }) => type)).not.toContain('outcome.failed');
      for (const path of ['read', 'put', 'charge', 'each/0/item_put', 'each'])
        expect(
          events.filter((event) => event.type === 'outcome.succeeded' && event.path === path),
        ).toHaveLength(1);
    }
    expect(await cutting).toBeGreaterThan(3);
    for (const count of ledger.effects().values()) expect(count).toBe(1);
    expect(ledger.of({ op: 'charge' })).toHaveLength(30);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });
});

/** Cuts every connection of Pawl's that is in the middle of something, each time the ledger was asked for more, until told. */
async function cutConnections(
  { databaseUrl, ledger }: PawlWithLedger,
  isOver: () => boolean,
): Promise<number> {
  let rounds = 0;
  for (let asked = 10; !isOver(); asked = ledger.rows.length + 10) {
    await Promise.race([ledger.arrived(asked), ledger.arrived(180)]);
    const cut = await askDatabase(
      { databaseUrl },
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'pawl' and pid <> pg_backend_pid()",
    );
    if (cut.length > 0) rounds += 1;
  }
  return rounds;
}
