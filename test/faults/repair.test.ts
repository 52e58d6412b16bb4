// Would catch: a doctor that changes what it should only look at, and a run that stays stuck after its rows were repaired.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runPawl } from '../../apps/cli/test/support/run-pawl.ts';
import { askDatabase } from '../support/ask-database.ts';
import { backends } from '../support/backends.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, eventOf, startFlow } from '../support/watch-run.ts';

async function doctor({ databaseUrl }: PawlWithLedger, ...words: string[]) {
  const { exitCode, out } = await runPawl(['doctor', '--json', ...words], {
    env: { DATABASE_URL: databaseUrl },
  });
  const found = JSON.parse(out) as { check: string; ok: boolean; differences?: { fact: string }[] }[];
  return { exitCode, rows: found.find(({ check }) => check === 'rows')! };
}

describe.each(backends)('pawl doctor --repair, queue on %s', (queue) => {
  let pawl: PawlWithLedger;
  beforeAll(async () => {
    pawl = await startWithLedger({ queue });
  });
  afterAll(() => pawl?.stop());

  it.runIf(queue === backends[0])(
    'V12: a run whose rows are wrong in many ways is reported, repaired, and ends right',
    async () => {
      const runId = await startFlow(
        pawl,
        [
          { id: 'begin', kind: 'transform', value: 1 },
          { id: 'ask', kind: 'approval', subject: 'Go on?' },
          call('put', 'put'),
          { ...call('pay', 'charge'), join: 'every' },
        ],
        {
          edges: [
            { from: 'begin', to: 'ask' },
            { from: 'begin', to: 'put' },
            { from: 'ask', to: 'pay' },
            { from: 'put', to: 'pay' },
          ],
          output: '{{ nodes.pay.status }}',
        },
      );
      await eventOf(pawl, runId, 'inbox.asked');
      await eventOf(pawl, runId, 'outcome.succeeded', ({ path }) => path === 'put');
      const damage = [
        "update node_run set status = 'cancelled', wake_at = null where run_id = $1 and path = 'ask'",
        "update node_run set pending_edges = 2, live_edges = 0 where run_id = $1 and path = 'pay'",
        "delete from node_run where run_id = $1 and path = 'put'",
        "update run set status = 'paused', open_count = 7, reserved_tokens = 5 where id = $1",
      ];
      for (const statement of damage) await askDatabase(pawl, statement, [runId]);
      const looked = await doctor(pawl, '--run', runId);
      expect(looked).toMatchObject({ exitCode: 1, rows: { ok: false } });
      const repaired = await doctor(pawl, '--repair', '--run', runId);
      expect(repaired.rows, JSON.stringify(repaired)).toMatchObject({
        ok: true,
        differences: looked.rows.differences,
      });
      expect(await pawl.rowsEqualFold()).toEqual([]);
      const { items } = await pawl.client.listInbox({ query: { runId } });
      await pawl.client.answerQuestion({
        params: { question: items[0]!.question },
        body: { decision: 'approved' },
      });
      expect((await endOf(pawl, runId)).run).toMatchObject({ status: 'succeeded', output: 'succeeded' });
      expect(pawl.ledger.of({ op: 'charge', key: runId })).toHaveLength(1);
      expect(pawl.ledger.of({ op: 'put', key: runId })).toHaveLength(1);
    },
  );

  it('V8: what became ready by a repair is done at once, though its doorbell was answered long ago', async () => {
    const { workers } = pawl;
    workers[0]!.kill('SIGKILL');
    await workers[0]!.ended;
    const runId = await startFlow(pawl, [call('put', 'put')]);
    await askDatabase(pawl, 'delete from node_run where run_id = $1', [runId]);
    await pawl.startWorker();
    // A run that was started later and ended shows that the doorbell of this one was heard.
    await endOf(pawl, await startFlow(pawl, [call('other', 'put')]));
    expect(pawl.ledger.of({ key: runId })).toHaveLength(0);
    expect((await doctor(pawl, '--repair')).rows).toMatchObject({ ok: true });
    expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
    expect(pawl.ledger.of({ key: runId })).toHaveLength(1);
  });
});
