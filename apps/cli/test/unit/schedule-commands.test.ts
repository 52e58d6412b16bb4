// Which mistake would this catch? A schedule made with another rule than was typed, or one that fails and is shown as well.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Schedule, SlotRecord } from '../../src/api-types.ts';
import { type FakeEngine, type Handlers, problem, startFakeEngine } from '../support/fake-engine.ts';
import { type Ran, runPawl } from '../support/run-pawl.ts';
import { at, RUN_ID } from '../support/samples.ts';

let folder: string;
let engine: FakeEngine | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-cli-'));
});
afterEach(async () => {
  expect(engine?.breaches ?? []).toEqual([]);
  await engine?.close();
  await rm(folder, { recursive: true, force: true });
});

async function pawl(handlers: Handlers, ...words: string[]): Promise<Ran> {
  await engine?.close();
  engine = await startFakeEngine(handlers);
  return runPawl(['schedule', ...words], { cwd: folder, env: { PAWL_URL: engine.url } });
}

const spec = {
  name: 'nightly',
  flow: 'report',
  cron: '30 2 * * *',
  timeZone: 'America/Chicago',
  input: { day: '{{ schedule.date }}' },
  enabled: true,
  overlap: 'skip',
  catchUp: 'last',
  catchUpWindowMs: 86_400_000,
  jitterMs: 0,
} as const;
const aSlot = (changes: Partial<SlotRecord> = {}): SlotRecord => ({
  slot: '2026-01-01T08:30:00.000Z',
  origin: 'scheduled',
  state: 'started',
  runId: RUN_ID,
  decidedAt: at(60),
  startedAt: at(60),
  lateMs: 12,
  ...changes,
});
const aSchedule = (changes: Partial<Schedule> = {}): Schedule => ({
  ...spec,
  nextSlot: '2026-01-03T08:30:00.000Z',
  lastSlot: aSlot(),
  missedCount: 0,
  createdAt: at(9_000),
  updatedAt: at(9_000),
  ...changes,
});

describe('pawl schedule create and change', () => {
  test('everything that is typed is sent, lengths of time in milliseconds', async () => {
    const words = [
      'create',
      'nightly',
      '--flow',
      'report',
      '--cron',
      '30 2 * * *',
      '--zone',
      'America/Chicago',
    ];
    const more = [
      '--overlap',
      'queue',
      '--catch-up',
      'all',
      '--catch-up-window',
      '2h',
      '--jitter',
      '90s',
      '--off',
    ];
    const ran = await pawl(
      { createSchedule: () => ({ status: 201, body: aSchedule() }) },
      ...words,
      ...more,
      ...['-i', '{"a":1}', '-s', 'day={{ schedule.date }}'],
    );
    expect(ran).toEqual({ exitCode: 0, out: 'nightly next 2026-01-03T08:30:00.000Z\n', err: '' });
    expect(engine!.calls[0]!.body).toEqual({
      name: 'nightly',
      flow: 'report',
      cron: '30 2 * * *',
      timeZone: 'America/Chicago',
      overlap: 'queue',
      catchUp: 'all',
      catchUpWindowMs: 7_200_000,
      jitterMs: 90_000,
      enabled: false,
      input: { a: 1, day: '{{ schedule.date }}' },
    });
  });

  test('what is not typed is not sent, so that it stays', async () => {
    await pawl({ changeSchedule: () => ({ body: aSchedule() }) }, 'change', 'nightly', '--cron', '0 3 * * *');
    expect(engine!.calls[0]).toMatchObject({ params: { schedule: 'nightly' }, body: { cron: '0 3 * * *' } });
    expect(await pawl({}, 'change', 'nightly')).toMatchObject({ exitCode: 2 });
    expect(engine!.calls).toEqual([]);
  });

  test.each([
    [['create', 'x', '--flow', 'f', '--cron', '* * * * *', '--jitter', '5'], /500ms, 90s, 15m, 2h or 1d/],
    [
      ['create', 'x', '--flow', 'f', '--cron', '* * * * *', '--overlap', 'wait'],
      /skip, queue, cancel_other, allow/,
    ],
    [['create', 'x', '--flow', 'f'], /--cron/],
    [['backfill', 'x', '--from', 'yesterday', '--until', '2026-01-01T00:00:00Z'], /instant like/],
  ])('%j is a usage error that says what was expected', async (words, expected) => {
    const ran = await pawl({}, ...words);
    expect(ran.exitCode).toBe(2);
    expect(ran.err).toMatch(expected);
  });

  test('when refused, each place is listed and the command exits 5', async () => {
    const issues = [{ pointer: '/cron', code: 'cron_invalid', message: '"61" is no minute.' }];
    const ran = await pawl(
      { createSchedule: () => problem('schedule_invalid', 'Schedule x cannot be used.', { issues }) },
      ...['create', 'x', '--flow', 'f', '--cron', '61 * * * *'],
    );
    expect(ran).toMatchObject({ exitCode: 5, out: '' });
    expect(ran.err).toContain('/cron  cron_invalid  "61" is no minute.');
  });
});

describe('pawl schedule list, show, next, slots', () => {
  test('a schedule that fails, one that missed slots and one that is off say so', async () => {
    const items = [
      aSchedule({
        name: 'a',
        lastError: { code: 'input_invalid', message: 'No.' },
        lastSlot: aSlot({ state: 'failed' }),
      }),
      aSchedule({ name: 'b', missedCount: 3 }),
      aSchedule({ name: 'c', enabled: false, nextSlot: undefined, lastSlot: undefined }),
    ];
    const ran = await pawl({ listSchedules: () => ({ body: { items } }) }, 'list');
    expect(ran.out).toMatch(/^a .* failed +input_invalid$/m);
    expect(ran.out).toMatch(/^b .* started +3 missed$/m);
    expect(ran.out).toMatch(/^c .* America\/Chicago {2}off$/m);
  });

  test('shown with what became of its slots', async () => {
    const slots = [
      aSlot({
        slot: '2026-01-02T08:30:00.000Z',
        state: 'skipped',
        reason: 'overlap',
        runId: undefined,
        lateMs: undefined,
      }),
      aSlot({ origin: 'catch_up', lateMs: 65_000 }),
    ];
    const ran = await pawl(
      { getSchedule: () => ({ body: aSchedule() }), listSlots: () => ({ body: { items: slots } }) },
      'show',
      'nightly',
    );
    expect(ran.out).toContain('fires     30 2 * * * (America/Chicago)\n');
    expect(ran.out).toMatch(/^2026-01-02T08:30:00.000Z {2}skipped \(overlap\)/m);
    expect(ran.out).toMatch(new RegExp(`started +1 min 05 s {2}${RUN_ID} {2}catch-up`));
  });

  test('the next slots are shown on the clock of the zone, across a change of it', async () => {
    const body = {
      timeZone: 'America/Chicago',
      slots: ['2026-03-08T08:30:00.000Z', '2026-03-09T07:30:00.000Z'],
    };
    const ran = await pawl({ nextSlots: () => ({ body }) }, 'next', 'nightly', '-n', '2');
    expect(ran.out).toBe(
      '2026-03-08T08:30:00.000Z  2026-03-08 03:30 America/Chicago\n2026-03-09T07:30:00.000Z  2026-03-09 02:30 America/Chicago\n',
    );
    expect(engine!.calls[0]!.query).toEqual({ count: '2' });
  });

  test('when there is no such schedule, it exits 4', async () => {
    const ran = await pawl(
      { listSlots: () => problem('schedule_not_found', 'There is no schedule x.') },
      'slots',
      'x',
    );
    expect(ran).toMatchObject({ exitCode: 4, err: 'error There is no schedule x.\n' });
  });
});

describe('pawl schedule pause, resume, delete, backfill', () => {
  test('each says what came of it', async () => {
    const off = aSchedule({ enabled: false, nextSlot: undefined });
    expect((await pawl({ pauseSchedule: () => ({ body: off }) }, 'pause', 'nightly')).out).toBe(
      'nightly off\n',
    );
    expect((await pawl({ resumeSchedule: () => ({ body: aSchedule() }) }, 'resume', 'nightly')).out).toMatch(
      /^nightly next/,
    );
    expect((await pawl({ deleteSchedule: () => ({ body: off }) }, 'delete', 'nightly')).out).toBe(
      'deleted nightly\n',
    );
    const ran = await pawl(
      { backfillSchedule: () => ({ body: { slots: 5, queued: 3, alreadyThere: 2 } }) },
      ...['backfill', 'nightly', '--from', '2026-01-01', '--until', '2026-01-05T12:00:00+01:00'],
    );
    expect(ran.out).toBe('3 slots to run, 2 had run or were waiting\n');
    expect(engine!.calls[0]!.body).toEqual({
      from: '2026-01-01T00:00:00.000Z',
      until: '2026-01-05T11:00:00.000Z',
    });
  });
});

describe('pawl schedule export and import', () => {
  test('what is exported is what is imported, as YAML and as JSON', async () => {
    for (const file of ['s.yaml', 's.json']) {
      await pawl({ exportSchedules: () => ({ body: { schedules: [spec] } }) }, 'export', '-o', file);
      const text = await readFile(join(folder, file), 'utf8');
      expect(parse(text)).toEqual({ schedules: [spec] });
      const imported = { items: [aSchedule({ enabled: false, nextSlot: undefined })] };
      const ran = await pawl({ importSchedules: () => ({ status: 201, body: imported }) }, 'import', file);
      expect(ran).toMatchObject({ exitCode: 0, out: 'nightly off\n' });
      expect(ran.err).toContain('schedule resume');
      expect(engine!.calls[0]!.body).toEqual({ schedules: [spec] });
    }
  });

  test('a file that would be changed on its way is refused before it is sent', async () => {
    await writeFile(
      join(folder, 'big.yaml'),
      'schedules:\n  - { name: a, flow: f, cron: "* * * * *", input: { id: 9007199254740993 } }\n',
    );
    const ran = await pawl({}, 'import', 'big.yaml');
    expect(ran).toMatchObject({ exitCode: 5 });
    expect(ran.err).toContain('/schedules/0/input/id');
    expect(engine!.calls).toEqual([]);
  });
});
