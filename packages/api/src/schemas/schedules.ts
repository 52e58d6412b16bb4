import type { CatchUp, Overlap, SlotOrigin } from '@pawl/dag-core';
import { z } from 'zod';
import { Issue } from './flows.ts';
import { list, named, page, words } from './named.ts';
import { FlowName, Id, Instant, JsonValue } from './values.ts';

/** Slug of a schedule: unique in a workspace. */
export const ScheduleName = FlowName;

const OverlapWord = named(
  'Overlap',
  words<Overlap>({ skip: true, queue: true, cancel_other: true, allow: true }),
);
const CatchUpWord = named('CatchUp', words<CatchUp>({ none: true, last: true, all: true }));

const MONTH_MS = 31 * 86_400_000;

/** All but name, flow and cron of a schedule to be made; what is absent has its default. */
const settings = {
  timeZone: z.string().min(1).max(100).optional().meta({ description: 'IANA name. Default UTC.' }),
  input: JsonValue.optional().meta({
    description: 'Input of the runs; its texts may name {{ schedule.slot }} and the like. Default {}.',
  }),
  overlap: OverlapWord.optional().meta({
    description: 'What a slot does while an earlier run is open. Default skip.',
  }),
  catchUp: CatchUpWord.optional().meta({
    description: 'What happens to slots that nobody ran in time. Default last.',
  }),
  catchUpWindowMs: z.int().min(0).max(MONTH_MS).optional().meta({
    description: 'How far back catch-up reaches. Default a day, at most 31.',
  }),
  jitterMs: z.int().min(0).max(3_600_000).optional().meta({
    description: 'Each slot is put off by 0 to this many milliseconds. Default 0, at most an hour.',
  }),
};
const Cron = z.string().min(1).max(500).meta({
  description: 'Minute, hour, day of the month, month, day of the week.',
});

export const NewSchedule = named(
  'NewSchedule',
  z.strictObject({
    name: ScheduleName,
    flow: FlowName,
    cron: Cron,
    ...settings,
    enabled: z.boolean().optional().meta({ description: 'Default true; imported schedules are off.' }),
  }),
);

/** Changes of a schedule; what is absent stays as it is. */
export const ScheduleChanges = named(
  'ScheduleChanges',
  z.strictObject({ flow: FlowName.optional(), cron: Cron.optional(), ...settings }),
);

const slotError = { code: z.string(), message: z.string(), issues: list(Issue).optional() };

/** One slot of a schedule and what became of it. */
export const SlotRecord = named(
  'SlotRecord',
  z.object({
    slot: Instant,
    origin: words<SlotOrigin>({ scheduled: true, catch_up: true, backfill: true }),
    state: words<'queued' | 'starting' | 'started' | 'skipped' | 'failed'>({
      queued: true,
      starting: true,
      started: true,
      skipped: true,
      failed: true,
    }),
    reason: z.string().optional().meta({ description: 'Why it was skipped.' }),
    error: z.object(slotError).optional().meta({ description: 'Why its start was refused.' }),
    runId: Id.optional(),
    decidedAt: Instant,
    startedAt: Instant.optional(),
    lateMs: z.number().optional().meta({ description: 'From the slot to the start of its run.' }),
  }),
);
export const SlotPage = page('SlotPage', SlotRecord);

const spec = {
  name: ScheduleName,
  flow: FlowName,
  cron: z.string(),
  timeZone: z.string(),
  input: JsonValue,
  enabled: z.boolean(),
  overlap: OverlapWord,
  catchUp: CatchUpWord,
  catchUpWindowMs: z.int(),
  jitterMs: z.int(),
};
export const Schedule = named(
  'Schedule',
  z.object({
    ...spec,
    nextSlot: Instant.optional().meta({ description: 'Absent while the schedule is off.' }),
    lastSlot: SlotRecord.optional(),
    missedCount: z.int().meta({ description: 'Slots that did not run because nobody was there in time.' }),
    lastMissedSlot: Instant.optional(),
    lastError: z
      .object({ ...slotError, slot: Instant.optional(), at: Instant.optional() })
      .optional()
      .meta({ description: 'Why the last start was refused.' }),
    createdAt: Instant,
    updatedAt: Instant,
  }),
);
export const SchedulePage = page('SchedulePage', Schedule);

/** Schedules as a file: without what belongs to the place they came from. */
export const ScheduleFile = named('ScheduleFile', z.object({ schedules: list(z.object(spec)) }));
export const ScheduleImport = named(
  'ScheduleImport',
  z.strictObject({ schedules: z.array(NewSchedule).min(1).max(500) }),
);
export const ImportedSchedules = named('ImportedSchedules', z.object({ items: list(Schedule) }));

export const NextSlots = named(
  'NextSlots',
  z.object({
    timeZone: z.string(),
    slots: list(Instant).meta({ description: 'Fewer than asked for: there are no more.' }),
  }),
);

/** Both ends included. */
export const BackfillRange = named('BackfillRange', z.strictObject({ from: Instant, until: Instant }));
export const Backfilled = named(
  'Backfilled',
  z.object({
    slots: z.int().meta({ description: 'Slots of the range.' }),
    queued: z.int().meta({ description: 'Those that run now.' }),
    alreadyThere: z.int().meta({ description: 'Those that have their run, or wait for it.' }),
  }),
);
