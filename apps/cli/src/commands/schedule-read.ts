import { localAt } from '@pawl/dag-core';
import type { Command } from 'commander';
import type { Schedule, SlotRecord } from '../api-types.ts';
import {
  type ClientOptions,
  clientFor,
  instant,
  newClientCommand,
  printJson,
  type Shell,
  wholeNumber,
} from '../command.ts';
import { everyPage } from '../every-page.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../output/json-text.ts';
import { pairs, table } from '../output/table.ts';
import { cut, oneLine } from '../output/text-width.ts';
import { ago, count, duration } from '../output/values.ts';

/** `pawl schedule list` */
export const scheduleList = (shell: Shell): Command =>
  newClientCommand('list', 'list schedules by name')
    .option('--flow <flow>', 'schedules of one flow')
    .action(async (options: ClientOptions & { flow?: string }) => {
      const client = clientFor(options, shell);
      const filter = options.flow === undefined ? {} : { flow: options.flow };
      const schedules = await everyPage((cursor) =>
        client.listSchedules({ query: { ...filter, cursor, limit: 200 } }),
      );
      if (options.json) return printJson(shell, schedules);
      const { io } = shell;
      if (schedules.length === 0) return io.out('No schedules: make one with "pawl schedule create".\n');
      const columns = ['schedule', 'flow', 'cron', 'zone', 'next', 'last', ''].map((head) => ({ head }));
      const rows = schedules.map((schedule) => [
        io.colours.bold(schedule.name),
        schedule.flow,
        schedule.cron,
        schedule.timeZone,
        schedule.nextSlot ?? io.colours.dim('off'),
        schedule.lastSlot ? stateWords(schedule.lastSlot, io) : '',
        noteOf(schedule, io),
      ]);
      io.out(table(columns, rows, io.colours.dim));
    });

/** `pawl schedule show <name>`: the schedule and its newest slots. */
export const scheduleShow = (shell: Shell): Command =>
  newClientCommand('show', 'show a schedule and what became of its slots')
    .argument('<name>')
    .action(async (name: string, options: ClientOptions) => {
      const client = clientFor(options, shell);
      const params = { schedule: name };
      const schedule = await client.getSchedule({ params });
      const { items: slots } = await client.listSlots({ params, query: { limit: 10 } });
      if (options.json) return printJson(shell, { ...schedule, slots });
      const { io } = shell;
      io.out(
        pairs(
          [
            ['schedule', io.colours.bold(schedule.name)],
            ['flow', schedule.flow],
            ['fires', `${schedule.cron} (${schedule.timeZone})`],
            ['next', schedule.nextSlot ?? 'off'],
            ['overlap', schedule.overlap],
            ['catch-up', `${schedule.catchUp}, within ${duration(schedule.catchUpWindowMs)}`],
            ['jitter', schedule.jitterMs > 0 ? `up to ${duration(schedule.jitterMs)}` : undefined],
            [
              'missed',
              schedule.missedCount > 0
                ? `${count(schedule.missedCount)}, last ${schedule.lastMissedSlot}`
                : undefined,
            ],
            ['error', schedule.lastError && io.colours.red(oneLine(schedule.lastError.message))],
            ['input', oneLine(jsonText(schedule.input))],
          ],
          io.colours.dim,
        ),
      );
      if (slots.length > 0) io.out(`\n${slotTable(slots, io)}`);
    });

/** `pawl schedule next <name>`: the slots to come, as instants and as the clock of the zone shows them. */
export const scheduleNext = (shell: Shell): Command =>
  newClientCommand('next', 'list the slots to come')
    .argument('<name>')
    .option('-n, --count <count>', 'how many', wholeNumber(1, 1_000), 10)
    .option('--after <instant>', 'later than this instead of now (ISO 8601)', instant)
    .action(async (name: string, options: ClientOptions & { count: number; after?: string }) => {
      const { slots, timeZone } = await clientFor(options, shell).nextSlots({
        params: { schedule: name },
        query: { count: options.count, ...(options.after !== undefined && { after: options.after }) },
      });
      if (options.json) return printJson(shell, slots);
      const shown = (slot: string) =>
        new Date(localAt(timeZone, Date.parse(slot))).toISOString().slice(0, 16).replace('T', ' ');
      for (const slot of slots) shell.io.out(`${slot}  ${shown(slot)} ${timeZone}\n`);
    });

/** `pawl schedule slots <name>`: newest first. */
export const scheduleSlots = (shell: Shell): Command =>
  newClientCommand('slots', 'list past slots and what became of them, newest first')
    .argument('<name>')
    .option('-n, --limit <count>', 'how many', wholeNumber(1, 10_000), 50)
    .action(async (name: string, options: ClientOptions & { limit: number }) => {
      const client = clientFor(options, shell);
      const slots = await everyPage(
        (cursor) =>
          client.listSlots({
            params: { schedule: name },
            query: { cursor, limit: Math.min(options.limit, 200) },
          }),
        options.limit,
      );
      if (options.json) return printJson(shell, slots);
      shell.io.out(slots.length > 0 ? slotTable(slots, shell.io) : 'No slots yet.\n');
    });

function slotTable(slots: readonly SlotRecord[], io: Io): string {
  const columns = [
    { head: 'slot' },
    { head: 'state' },
    { head: 'late', align: 'right' as const },
    { head: 'run' },
    { head: '' },
  ];
  const rows = slots.map((slot) => [
    slot.slot,
    stateWords(slot, io),
    slot.lateMs === undefined ? '' : duration(slot.lateMs),
    slot.runId ?? '',
    [
      slot.origin === 'scheduled' ? '' : slot.origin.replace('_', '-'),
      cut(oneLine(slot.error?.message ?? ''), 80),
    ]
      .filter(Boolean)
      .join(' '),
  ]);
  return table(columns, rows, io.colours.dim);
}

function stateWords({ state, reason }: SlotRecord, { colours }: Io): string {
  const words = reason ? `${state} (${reason})` : state;
  if (state === 'started') return colours.green(words);
  if (state === 'failed') return colours.red(words);
  return state === 'skipped' ? colours.dim(words) : colours.yellow(words);
}

function noteOf({ lastError, missedCount, lastSlot }: Schedule, io: Io): string {
  if (lastError) return io.colours.red(lastError.code);
  if (missedCount > 0) return io.colours.yellow(`${count(missedCount)} missed`);
  return lastSlot?.startedAt ? io.colours.dim(ago(lastSlot.startedAt, io.now())) : '';
}
