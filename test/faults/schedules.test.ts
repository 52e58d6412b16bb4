// Would catch: a slot that two engines run, that dies with the engine that took it, or that nobody wakes up for (C35).
import { type Client, createClient } from '@pawl/api';
import { afterEach, describe, expect, it } from 'vitest';
import { askDatabase } from '../support/ask-database.ts';
import { createFrozenDatabase, type FrozenDatabase } from '../support/frozen-clock.ts';
import { holdWrites } from '../support/hold-writes.ts';
import { gate } from '../support/ledger.ts';
import { type Pawl, startPawl } from '../support/pawl.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, SHORT_TIMES, startWithLedger } from '../support/start-faulty.ts';
import { call, publishFlow } from '../support/watch-run.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-03-02T10:00:00.000Z');
const minute = (n: number) => new Date(START + n * MINUTE).toISOString();

/** Where an engine is when it dies: mid-way through a slot, with what it was doing there undone or going through after all. */
const PLACES = [
  { at: 'as it writes the slot down', hold: { table: 'schedule_slot', on: 'insert' } },
  { at: 'as it admits the run', hold: { table: 'run', on: 'insert' } },
  {
    at: 'as it notes that the run is there',
    hold: { table: 'schedule_slot', on: 'update', when: "new.state = 'started'" },
  },
] as const;

describe('C35: schedules of many engines', () => {
  let database: FrozenDatabase | undefined;
  let pawl: Pawl | undefined;
  let client: Client;
  afterEach(async () => {
    await pawl?.stop();
    await database?.drop();
    database = undefined;
  });

  /** Three engines on a clock that the test sets, and a schedule for every minute. */
  async function threeEngines(queue: 'redis' | 'postgres'): Promise<{ flow: string }> {
    database = await createFrozenDatabase(minute(0));
    pawl = await startPawl({ workers: 0, queue, databaseUrl: database.url, env: SHORT_TIMES });
    await Promise.all([pawl.startEngine(), pawl.startEngine()]);
    client = pawl.client;
    const flow = await publishFlow(pawl, [{ id: 'a', kind: 'transform', value: 1 }]);
    await pawl.client.createSchedule({
      body: { name: 'every-minute', flow, cron: '* * * * *', overlap: 'allow' },
    });
    return { flow };
  }
  const slots = async () =>
    (await client.listSlots({ params: { schedule: 'every-minute' }, query: { limit: 200 } })).items;
  const startedSlots = async () =>
    (await slots())
      .filter(({ state }) => state === 'started')
      .map(({ slot }) => slot)
      .reverse();

  async function eachSlotOnce(flow: string, count: number): Promise<void> {
    const found = await slots();
    expect(found.map(({ slot, state }) => [slot, state]).reverse()).toEqual(
      Array.from({ length: count }, (_, i) => [minute(i + 1), 'started']),
    );
    const runs = (await client.listRuns({ query: { flow, limit: 200 } })).items;
    expect(runs.map(({ id }) => id).sort()).toEqual(found.map(({ runId }) => runId!).sort());
    expect(new Set(runs.map(({ tags }) => tags.slot)).size).toBe(count);
    expect(await pawl!.rowsEqualFold()).toEqual([]);
  }

  for (const queue of ['redis', 'postgres'] as const) {
    it(`ten minutes, three engines, one killed in the fourth: ten slots, ten runs; queue on ${queue}`, async () => {
      const { flow } = await threeEngines(queue);
      for (let n = 1; n <= 10; n++) {
        await database!.setClock(START + n * MINUTE);
        if (n === 4) pawl!.engines[1]!.kill('SIGKILL'); // while all three are at it
        await expect.poll(startedSlots, { timeout: 30_000 }).toContain(minute(n));
      }
      await eachSlotOnce(flow, 10);
      // Lateness is recorded: the clock stands still at the slot, so there is none but for the one at the kill.
      for (const slot of await slots()) expect(slot.lateMs).toBeGreaterThanOrEqual(0);
    });
  }

  for (const outcome of ['letGo', 'breakOff'] as const)
    it(`killed in the middle of a tick, and what it was at ${outcome === 'letGo' ? 'goes through after all' : 'is undone'}: late at most`, async () => {
      const { flow } = await threeEngines('postgres');
      let n = 0;
      for (const { hold } of PLACES) {
        n += 1;
        const held = await holdWrites(pawl!, hold);
        // Only the one to be killed sees the slot come.
        const [leader, ...others] = pawl!.engines.slice(-3);
        for (const other of others) other.kill('SIGSTOP');
        await database!.setClock(START + n * MINUTE);
        await held.waiting();
        leader!.kill('SIGKILL');
        await leader!.ended;
        await held[outcome]();
        for (const other of others) other.kill('SIGCONT');
        // Its two seconds are over only when the clock goes on; the next slot comes with it.
        await database!.setClock(START + n * MINUTE + 5_000);
        await expect
          .poll(
            () =>
              askDatabase<{ run_id: string }>(
                pawl!,
                "select run_id from schedule_slot where state = 'started'",
              ),
            {
              timeout: 30_000,
            },
          )
          .toHaveLength(n);
        await pawl!.startEngine();
      }
      client = createClient({ baseUrl: pawl!.engines.at(-1)!.url });
      await eachSlotOnce(flow, n);
    });
});

describe('schedules on their own clock', () => {
  let pawl: PawlWithLedger | undefined;
  afterEach(() => pawl?.stop());

  it('a schedule wakes an engine at its instant, and its run runs', async () => {
    pawl = await startWithLedger({ workers: 1 });
    const flow = await publishFlow(pawl, [call('put', 'put')], {
      input: { type: 'object', properties: { slot: { type: 'string' }, n: { type: 'integer', default: 3 } } },
      output: { slot: '{{ input.slot }}', n: '{{ input.n }}' },
    });
    const { nextSlot } = await pawl.client.createSchedule({
      body: { name: 'soon', flow, cron: '* * * * *', input: { slot: '{{ schedule.slot }}' } },
    });
    const last = async () => (await pawl!.client.getSchedule({ params: { schedule: 'soon' } })).lastSlot;
    await expect
      .poll(last, { timeout: 90_000, interval: 500 })
      .toMatchObject({ slot: nextSlot, state: 'started' });
    const { runId } = (await last())!;
    const { run } = await endOf(pawl, runId!);
    // C31: defaults are filled in as everywhere.
    expect(run).toMatchObject({ status: 'succeeded', output: { slot: nextSlot, n: 3 } });
    expect(run.tags).toEqual({ schedule: 'soon', slot: nextSlot });
  });

  it('queue: the slot that waits starts when the run before it has ended, told by a wake-up', async () => {
    // The slow look is minutes away: only the wake-up can do it.
    pawl = await startWithLedger({ workers: 1, env: { PAWL_SWEEP_MS: '100000', PAWL_LEASE_MS: '600000' } });
    const held = gate();
    pawl.ledger.script({ op: 'put' }, { hold: held.opened });
    const flow = await publishFlow(pawl, [call('put', 'put')]);
    await pawl.client.createSchedule({
      body: { name: 'lined-up', flow, cron: '0 0 1 1 *', overlap: 'queue', enabled: false },
    });
    const until = new Date();
    const from = new Date(until.getTime() - 360 * 86_400_000);
    // A yearly schedule has one slot in that time; a second one comes of another rule.
    const fill = () =>
      pawl!.client.backfillSchedule({
        params: { schedule: 'lined-up' },
        body: { from: from.toISOString(), until: until.toISOString() },
      });
    expect(await fill()).toMatchObject({ queued: 1 });
    await pawl.ledger.arrived(1);
    await pawl.client.changeSchedule({ params: { schedule: 'lined-up' }, body: { cron: '0 0 2 1 *' } });
    expect(await fill()).toMatchObject({ queued: 1 });
    const states = async () =>
      (await pawl!.client.listSlots({ params: { schedule: 'lined-up' } })).items.map(({ state }) => state);
    expect(await states()).toEqual(['queued', 'started']);
    held.open();
    await expect.poll(states, { timeout: 30_000 }).toEqual(['started', 'started']);
    await pawl.ledger.arrived(2);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });
});
