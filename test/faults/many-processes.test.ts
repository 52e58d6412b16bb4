// Would catch: two engines or workers that do one thing twice, a wall clock that decides anything, a start that is made twice.
import { join } from 'node:path';
import { createClient } from '@pawl/api';
import { afterEach, describe, expect, it } from 'vitest';
import { askDatabase } from '../support/ask-database.ts';
import { gate } from '../support/ledger.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, eventOf, publishFlow, startFlow } from '../support/watch-run.ts';

const mixed = [
  call('read', 'pure'),
  call('put', 'put', { retry: { initialMs: 50 } }),
  call('charge', 'charge'),
  {
    id: 'each',
    kind: 'map',
    over: '{{ [1, 2, 3] }}',
    body: { nodes: [call('item_put', 'put', { args: { what: '{{ item }}' } })], edges: [] },
    output: '{{ nodes.item_put.output.what }}',
  },
] as const;

describe('many processes', () => {
  let pawl: PawlWithLedger | undefined;
  afterEach(() => pawl?.stop());

  for (const queue of ['redis', 'postgres'] as const) {
    it(`two engines and four workers on 30 runs, queue on ${queue}, two workers killed: no effect is done twice`, async () => {
      pawl = await startWithLedger({ queue, workers: 4 });
      const { ledger, client } = pawl;
      const second = createClient({ baseUrl: (await pawl.startEngine()).url });
      const flow = await publishFlow(pawl, mixed);
      const failed = new Set<string>();
      ledger.decideBy((row) => {
        // Every third key fails once, so that both engines have timers to fire.
        if (row.op !== 'put' || failed.has(row.key) || ledger.rows.length % 3 !== 0) return undefined;
        failed.add(row.key);
        return { status: 503 };
      });
      const runIds = (
        await Promise.all(
          Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? client : second).startRun({ body: { flow } })),
        )
      ).map(({ runId }) => runId);
      await ledger.arrived(40);
      for (const worker of pawl.workers.slice(0, 2)) worker.kill('SIGKILL');
      const settled = new Set<string>();
      await Promise.all(
        runIds.map(async (runId, i) => {
          for await (const signal of (i % 2 === 0 ? second : client).runEvents(runId)) {
            if (signal.kind !== 'event' || signal.event.type !== 'attempt.lost') continue;
            const { data, path } = signal.event;
            if (data.next !== 'uncertain') continue;
            expect(path).toBe('charge');
            settled.add(runId);
            const happened = ledger.of({ key: `${runId}:charge` }).some((row) => row.isApplied);
            await client.settleNodeRun({
              params: { runId },
              query: { path },
              body: happened ? { verdict: 'happened', output: 'seen' } : { verdict: 'did_not_happen' },
            });
          }
        }),
      );
      for (const runId of runIds) {
        const { run, events } = await endOf(pawl, runId);
        expect(run).toMatchObject({ status: 'succeeded', output: { each: [1, 2, 3] } });
        expect(ledger.effects({ key: runId }).size).toBe(5);
        for (const count of ledger.effects({ key: runId }).values()) expect(count).toBe(1);
        expect(ledger.of({ key: `${runId}:charge` }).filter((row) => row.isApplied)).toHaveLength(1);
        expect(
          events.filter(({ type, path }) => type === 'outcome.succeeded' && path === 'charge'),
        ).toHaveLength(1);
      }
      expect(await pawl.rowsEqualFold()).toEqual([]);
    });
  }

  it('a worker whose clock is an hour fast or slow keeps its lease, its retries and its deadlines', async () => {
    pawl = await startWithLedger({ workers: 0 });
    const { ledger } = pawl;
    const preload = `--import ${join(import.meta.dirname, '../support/shift-clock.mjs')}`;
    for (const shiftMs of [3_600_000, -3_600_000]) {
      const worker = await pawl.startWorker({ NODE_OPTIONS: preload, CLOCK_SHIFT_MS: String(shiftMs) });
      ledger.script({ op: 'put' }, { status: 503 });
      const retried = await startFlow(pawl, [call('put', 'put', { retry: { initialMs: 300, jitter: 0 } })]);
      const { run, events } = await endOf(pawl, retried);
      expect(run.status).toBe('succeeded');
      const failure = events.find((event) => event.type === 'outcome.failed')!;
      const { retryAt } = failure.data as { retryAt: number };
      expect(retryAt - failure.at).toBeLessThan(2_000);
      // Held for longer than a lease: the worker goes on renewing on the database's clock.
      const held = gate();
      ledger.script({ op: 'charge' }, { hold: held.opened });
      const runId = await startFlow(pawl, [call('charge', 'charge')]);
      await ledger.arrived(1, { key: runId });
      const patient = await startFlow(pawl, [call('put', 'put'), call('put2', 'put')], {
        budget: { wallClockMs: 60_000 },
      });
      expect((await endOf(pawl, patient)).run.status).toBe('succeeded');
      held.open();
      const charged = await endOf(pawl, runId);
      expect(charged.run.status).toBe('succeeded');
      expect(charged.events.map(({ type }) => type)).not.toContain('attempt.lost');
      worker.kill('SIGTERM');
      await worker.ended;
    }
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('C38: a start with a key is one run: same body, other body, running, failed, at once, from two engines', async () => {
    pawl = await startWithLedger({ workers: 1 });
    const { client, ledger } = pawl;
    const second = createClient({ baseUrl: (await pawl.startEngine()).url });
    const held = gate();
    ledger.script({ op: 'put' }, { hold: held.opened });
    const flow = await publishFlow(pawl, [
      call('put', 'put'),
      { id: 'end', kind: 'transform', value: '{{ input.must }}' },
    ]);
    const other = await publishFlow(pawl, [call('put', 'put')]);
    const start = (of: typeof client, body: object, key = 'k1') =>
      of.startRun({ headers: { 'idempotency-key': key }, body: body as never });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => start(i % 2 === 0 ? client : second, { flow, input: { n: 1 } })),
    );
    expect(new Set(answers.map(({ runId }) => runId)).size).toBe(1);
    expect(answers.filter(({ result }) => result === 'started')).toHaveLength(1);
    const { runId } = answers[0]!;
    await ledger.arrived(1, { key: runId });
    expect(await start(second, { flow, input: { n: 1 } })).toEqual({ result: 'duplicate', runId });
    await expect(start(second, { flow, input: { n: 2 } })).rejects.toMatchObject({
      status: 422,
      code: 'dedupe_conflict',
    });
    // The key is the flow's own.
    expect((await start(client, { flow: other, input: { n: 1 } })).result).toBe('started');
    held.open();
    expect((await endOf(pawl, runId)).run.status).toBe('failed'); // it has no input.must
    expect(await start(client, { flow, input: { n: 1 } })).toEqual({ result: 'duplicate', runId });
    expect((await start(client, { flow, input: { n: 1 } }, 'k2')).result).toBe('started');
    await eventOf(pawl, runId, 'outcome.failed');
    expect((await client.listRuns({ query: { flow } })).items).toHaveLength(2);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('a worker never works on more than it has places for, also when it makes much ready at once', async () => {
    pawl = await startWithLedger({ env: { PAWL_CONCURRENCY: '3' } });
    const { ledger, databaseUrl } = pawl;
    // So many cheap node runs that the worker keeps what they make ready for itself.
    const pures = Array.from(
      { length: 300 },
      (_, i) => ({ id: `pure-${i}`, kind: 'transform', value: i }) as const,
    );
    const puts = pures.map((_, i) => call(`put-${i}`, 'put', { retry: { initialMs: 50 } }));
    let underWay = 0;
    let most = 0;
    ledger.decideBy((row) => {
      underWay += 1;
      most = Math.max(most, underWay);
      void row.closed.then(() => {
        underWay -= 1;
      });
      return { hold: askDatabase({ databaseUrl }, 'select 1') };
    });
    const edges = pures.flatMap(({ id }, i) => [
      { from: 'first', to: id },
      { from: id, to: puts[i]!.id },
    ]);
    const first = { id: 'first', kind: 'transform', value: 0 } as const;
    const runId = await startFlow(pawl, [first, ...pures, ...puts], { edges });
    const { run } = await endOf(pawl, runId);
    expect(run.status).toBe('succeeded');
    expect(most).toBeLessThanOrEqual(3);
    expect(ledger.effects({ key: runId }).size).toBe(300);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });
});
