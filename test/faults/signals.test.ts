// Would catch: a signal lost or doubled by the death of whoever was at it, a wake-up missed between two commits, an emit that sends
// twice.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askDatabase } from '../support/ask-database.ts';
import { backends } from '../support/backends.ts';
import { holdWrites } from '../support/hold-writes.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, eventOf, nodeRunsOf, publishFlow, startFlow } from '../support/watch-run.ts';

const waitFor = (name: string, more: object = {}) =>
  ({ id: 'wait', kind: 'wait', signal: { name, key: '{{ input.key }}' }, ...more }) as const;

describe.each(backends)('signals, queue on %s', (queue) => {
  let pawl: PawlWithLedger;
  beforeAll(async () => {
    pawl = await startWithLedger({ queue, env: { PAWL_CONCURRENCY: '4' } });
  });
  afterAll(() => pawl?.stop());

  it('T18 V15: a run waits for a signal, says for which, and goes on with what it carries', async () => {
    const runId = await startFlow(
      pawl,
      [
        waitFor('paid', { deadline: 'P1D' }),
        call('ship', 'charge', { args: { what: '{{ nodes.wait.output.payload.order }}' } }),
      ],
      { start: { key: 42 } },
    );
    await eventOf(pawl, runId, 'nodeRun.waiting');
    expect((await nodeRunsOf(pawl, runId)).wait).toMatchObject({
      status: 'waiting',
      waitingFor: {
        kind: 'signal',
        until: expect.any(String),
        detail: { name: 'paid', key: '42' },
        hint: "Send it: pawl signal send paid '42'",
      },
    });
    expect(await pawl.client.getRun({ params: { runId } })).toMatchObject({
      status: 'waiting',
      waitingFor: { kind: 'signal', detail: { paths: ['wait'] } },
    });
    const sent = await pawl.client.sendSignal({
      body: { name: 'paid', key: '42', payload: { order: 'o-1' } },
    });
    expect(sent).toMatchObject({ result: 'sent', takenBy: { runId, path: 'wait' } });
    expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
    expect(pawl.ledger.of({ key: runId })).toMatchObject([{ body: { what: 'o-1' } }]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('K14: a signal that does not come in time takes the port timeout; one that comes after is kept', async () => {
    const flow = await publishFlow(
      pawl,
      [
        waitFor('slow', { deadline: 300, onDeadline: 'continue' }),
        { id: 'late', kind: 'transform', value: 'nobody came' },
      ],
      { edges: [{ from: 'wait', port: 'timeout', to: 'late' }] },
    );
    const { runId } = await pawl.client.startRun({ body: { flow, input: { key: 'k' } } });
    expect((await endOf(pawl, runId)).run).toMatchObject({
      status: 'succeeded',
      output: { late: 'nobody came' },
    });
    const sent = await pawl.client.sendSignal({ body: { name: 'slow', key: 'k' } });
    expect(sent.takenBy).toBeUndefined();
    const { items } = await pawl.client.listSignals({ query: { name: 'slow' } });
    expect(items).toMatchObject([{ id: sent.id, key: 'k' }]);
  });

  it('K21 T18: a run signals others; 20 that wait and 20 signals find each other, in whatever order they come', async () => {
    const waits = await publishFlow(pawl, [waitFor('handover'), call('use', 'put')]);
    const emits = await publishFlow(
      pawl,
      [
        {
          id: 'tell',
          kind: 'emit',
          signal: { name: 'handover', key: '{{ input.key }}' },
          payload: { n: '{{ input.n }}' },
        },
      ],
      { output: '{{ nodes.tell.output.signal }}' },
    );
    const numbers = Array.from({ length: 20 }, (_, n) => n);
    const both = await Promise.all(
      numbers.map(async (n) => {
        const key = `k-${n % 3}`;
        const start = (flow: string) => pawl.client.startRun({ body: { flow, input: { key, n } } });
        const [one, two] =
          n % 2 ? [await start(waits), await start(emits)] : [await start(emits), await start(waits)];
        return n % 2
          ? { waiting: one!.runId, emitting: two!.runId }
          : { waiting: two!.runId, emitting: one!.runId };
      }),
    );
    const sent = await Promise.all(
      both.map(async ({ emitting }) => (await endOf(pawl, emitting)).run.output),
    );
    const taken = await Promise.all(
      both.map(async ({ waiting }) => {
        const { run, events } = await endOf(pawl, waiting);
        expect(run.status).toBe('succeeded');
        const received = events.flatMap((event) => (event.type === 'signal.received' ? [event.data] : []));
        expect(received).toHaveLength(1);
        return received[0]!;
      }),
    );
    expect(taken.map(({ signal }) => signal).sort()).toEqual([...(sent as string[])].sort());
    expect(taken.map(({ fromRun }) => fromRun).sort()).toEqual(both.map(({ emitting }) => emitting).sort());
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('K21: a signal to one run is not taken by another', async () => {
    const flow = await publishFlow(pawl, [waitFor('mine')]);
    const start = async () => {
      const { runId } = await pawl.client.startRun({ body: { flow, input: { key: '' } } });
      await eventOf(pawl, runId, 'nodeRun.waiting');
      return runId;
    };
    const [first, second] = [await start(), await start()];
    const emitter = await startFlow(
      pawl,
      [{ id: 'tell', kind: 'emit', signal: { name: 'mine' }, to: '{{ input.to }}' }],
      {
        start: { to: second },
      },
    );
    expect((await endOf(pawl, emitter)).run.status).toBe('succeeded');
    expect((await endOf(pawl, second)).run.status).toBe('succeeded');
    expect((await pawl.client.getRun({ params: { runId: first } })).status).toBe('waiting');
    const odd = await startFlow(pawl, [{ id: 'tell', kind: 'emit', signal: { name: 'mine' }, to: 'latest' }]);
    expect((await endOf(pawl, odd)).run.failure).toMatchObject({ code: 'signal_run_invalid' });
  });
});

/** Where the process that is killed is: what is not written yet when it dies. */
const PLACES = [
  [
    'before it set the signal aside',
    { table: 'signal', on: 'update', when: 'old.run_id is null and new.run_id is not null' },
  ],
  ['before it delivered it', { table: 'journal', on: 'insert', when: `new.type = 'signal.received'` }],
  [
    'before it noted that',
    { table: 'signal', on: 'update', when: 'old.delivered_at is null and new.delivered_at is not null' },
  ],
] as const;

describe('signals when whoever is at them dies', () => {
  let pawl: PawlWithLedger;
  let flow: string;
  /** What follows the wait must be no effect of a worker that is killed: it would be in doubt. */
  let waits: string;
  beforeAll(async () => {
    pawl = await startWithLedger();
    flow = await publishFlow(pawl, [waitFor('go'), call('charge', 'charge')]);
    waits = await publishFlow(pawl, [waitFor('go')]);
  });
  afterAll(() => pawl?.stop());
  beforeEach(() => pawl.needWorker());

  async function replaceEngine(): Promise<void> {
    const { port } = new URL(pawl.url);
    await pawl.startEngine({ PAWL_PORT: port });
  }
  /** The run goes on with the signal, once. */
  async function endsOnce(runId: string, id: string, charges = 1): Promise<void> {
    const { run, events } = await endOf(pawl, runId);
    expect(run.status).toBe('succeeded');
    expect(events.filter(({ type }) => type === 'signal.received')).toMatchObject([{ data: { signal: id } }]);
    expect(events.filter(({ type, path }) => type === 'outcome.succeeded' && path === 'wait')).toHaveLength(
      1,
    );
    expect(pawl.ledger.of({ key: runId })).toHaveLength(charges);
    await expect
      .poll(() => askDatabase(pawl, 'select 1 from signal where id = $1 and delivered_at is not null', [id]))
      .toHaveLength(1);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  }

  for (const outcome of ['letGo', 'breakOff'] as const)
    for (const [place, hold] of PLACES)
      it(`W2: the engine that has a signal dies ${place}; what it was at ${outcome === 'letGo' ? 'goes through after all' : 'is undone'}`, async () => {
        const key = `${outcome} ${place}`;
        const { runId } = await pawl.client.startRun({ body: { flow, input: { key } } });
        await eventOf(pawl, runId, 'nodeRun.waiting');
        const held = await holdWrites(pawl, hold);
        const sending = pawl.client.sendSignal({ body: { name: 'go', key, id: key } }).catch(() => undefined);
        await held.waiting();
        const engine = pawl.engines.at(-1)!;
        engine.kill('SIGKILL');
        await engine.ended;
        await sending;
        await held[outcome]();
        await replaceEngine();
        await endsOnce(runId, key);
        expect(await pawl.client.sendSignal({ body: { name: 'go', key, id: key } })).toMatchObject({
          result: 'duplicate',
          takenBy: { runId },
        });
      });

  for (const outcome of ['letGo', 'breakOff'] as const)
    for (const [place, hold] of PLACES)
      it(`W1: the worker whose node run came to wait for an early signal dies ${place}; what it was at ${outcome === 'letGo' ? 'goes through after all' : 'is undone'}`, async () => {
        const key = `early ${outcome} ${place}`;
        const { takenBy } = await pawl.client.sendSignal({ body: { name: 'go', key, id: key } });
        expect(takenBy).toBeUndefined();
        const held = await holdWrites(pawl, hold);
        const { runId } = await pawl.client.startRun({ body: { flow: waits, input: { key } } });
        await held.waiting();
        const worker = pawl.workers.at(-1)!;
        worker.kill('SIGKILL');
        await worker.ended;
        await held[outcome]();
        await pawl.startWorker();
        await endsOnce(runId, key, 0);
      });

  it('K21 V4: a worker that dies while it emits sends the same signal again, and it is one', async () => {
    const emits = await publishFlow(pawl, [
      { id: 'tell', kind: 'emit', signal: { name: 'go', key: '{{ input.key }}' } },
    ]);
    for (const hold of [
      PLACES[0][1],
      {
        table: 'journal',
        on: 'insert',
        when: `new.type = 'outcome.succeeded' and new.path = 'tell'`,
      } as const,
    ]) {
      const key = `emit ${hold.table}`;
      const { runId: waiting } = await pawl.client.startRun({ body: { flow: waits, input: { key } } });
      await eventOf(pawl, waiting, 'nodeRun.waiting');
      const held = await holdWrites(pawl, hold);
      const { runId } = await pawl.client.startRun({ body: { flow: emits, input: { key } } });
      await held.waiting();
      const worker = pawl.workers.at(-1)!;
      worker.kill('SIGKILL');
      await worker.ended;
      await held.breakOff();
      await pawl.startWorker();
      const { run, events } = await endOf(pawl, runId);
      expect(run.status).toBe('succeeded');
      expect(events.filter(({ type }) => type === 'intent.recorded').length).toBeGreaterThan(1);
      await endsOnce(waiting, `${runId}:tell:0`, 0);
      expect(await askDatabase(pawl, 'select 1 from signal where from_run_id = $1', [runId])).toHaveLength(1);
    }
  });
});
