import { LockMode, raw, UniqueConstraintViolationException } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { Orm } from '../entities/orm.ts';
import { ScheduleEntity } from '../entities/schedule.ts';
import { StoreError } from '../errors.ts';
import { newId } from '../ids.ts';
import { checkSpec, nowOf, timesAfter } from './check-spec.ts';
import { getSchedule } from './read-schedules.ts';
import {
  type NewSchedule,
  SCHEDULE_DEFAULTS,
  type Schedule,
  type ScheduleChanges,
  type ScheduleRef,
  type ScheduleRow,
  type ScheduleSpec,
  specOf,
} from './schedule-shapes.ts';

/**
 * Makes a schedule; unless it is switched off, its first slot is the next one.
 *
 * @throws {StoreError} `schedule_exists`, `schedule_invalid`, `flow_not_found`, `input_invalid`
 */
export async function createSchedule(
  orm: Orm,
  { workspaceId, spec }: { workspaceId: string; spec: NewSchedule },
): Promise<Schedule> {
  await insertSchedule(orm.fork(), workspaceId, { ...SCHEDULE_DEFAULTS, ...spec });
  return getSchedule(orm, { workspaceId, schedule: spec.name });
}

/**
 * Makes all of these schedules or none. They are switched off, whatever they say: nothing starts to run because a file was
 * read in.
 *
 * @throws {StoreError} as {@link createSchedule} does, for the first that cannot be made
 */
export async function importSchedules(
  orm: Orm,
  { workspaceId, specs }: { workspaceId: string; specs: readonly NewSchedule[] },
): Promise<Schedule[]> {
  await orm.fork().transactional(async (em) => {
    for (const spec of specs)
      await insertSchedule(em, workspaceId, { ...SCHEDULE_DEFAULTS, ...spec, enabled: false });
  });
  return Promise.all(specs.map(({ name }) => getSchedule(orm, { workspaceId, schedule: name })));
}

/**
 * Changes a schedule; what is absent stays. When it fires differently from now on, its next slot is the next one from now.
 *
 * @throws {StoreError} `schedule_not_found`, `schedule_invalid`, `flow_not_found`, `input_invalid`
 */
export const changeSchedule = (
  orm: Orm,
  { changes, ...ref }: ScheduleRef & { changes: ScheduleChanges },
): Promise<Schedule> => rewrite(orm, ref, (spec) => ({ ...spec, ...changes }));

/** Switches a schedule off: from now on no slot comes due. @throws {StoreError} `schedule_not_found` */
export const pauseSchedule = (orm: Orm, ref: ScheduleRef): Promise<Schedule> =>
  rewrite(orm, ref, (spec) => ({ ...spec, enabled: false }));

/**
 * Switches a schedule on. Slots of the time it was off are not made up for; a backfill can run them.
 *
 * @throws {StoreError} `schedule_not_found`; what {@link createSchedule} throws when it cannot run any more
 */
export const resumeSchedule = (orm: Orm, ref: ScheduleRef): Promise<Schedule> =>
  rewrite(orm, ref, (spec) => ({ ...spec, enabled: true }));

/** Removes a schedule and what is known of its slots; its runs stay. @throws {StoreError} `schedule_not_found` */
export async function deleteSchedule(orm: Orm, ref: ScheduleRef): Promise<void> {
  const { workspaceId, schedule } = ref;
  const count = await orm.fork().nativeDelete(ScheduleEntity, { workspaceId, name: schedule });
  if (count === 0) throw new StoreError('schedule_not_found', { schedule });
}

async function insertSchedule(em: SqlEntityManager, workspaceId: string, spec: ScheduleSpec): Promise<void> {
  const calendar = await checkSpec(em, workspaceId, spec);
  const row = { id: newId(), isEnabled: spec.enabled, jitterMs: spec.jitterMs };
  try {
    await em.insert(ScheduleEntity, {
      ...row,
      ...columnsOf(spec),
      ...timesAfter(row, calendar, await nowOf(em)),
      workspaceId,
      name: spec.name,
      missedCount: 0,
      createdAt: raw('now()'),
      updatedAt: raw('now()'),
    });
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException)
      throw new StoreError('schedule_exists', { schedule: spec.name }, { cause: error });
    throw error;
  }
}

/** Under the row's lock, which a tick holds too: what it decided on is what it writes to. */
async function rewrite(
  orm: Orm,
  ref: ScheduleRef,
  change: (spec: ScheduleSpec) => ScheduleSpec,
): Promise<Schedule> {
  await orm.fork().transactional(async (em) => {
    const row = await lockSchedule(em, ref);
    const before = specOf(row);
    const spec = change(before);
    // Switching off must work whatever became of the flow.
    const calendar =
      spec.enabled || before.enabled === spec.enabled
        ? await checkSpec(em, ref.workspaceId, spec)
        : undefined;
    const nowMs = await nowOf(em);
    const fires = { id: row.id, isEnabled: spec.enabled, jitterMs: spec.jitterMs };
    // A slot that is due and not decided about yet is not forgotten for a change that leaves it where it is.
    const fromMs = firesAlike(before, spec) && row.nextAt ? row.nextAt.getTime() - 1 : nowMs;
    const times = calendar ? timesAfter(fires, calendar, fromMs) : { nextAt: null, fireAt: null };
    Object.assign(row, columnsOf(spec), times, { updatedAt: new Date(nowMs) });
  });
  return getSchedule(orm, ref);
}

/** The row of a schedule under its lock. @throws {StoreError} `schedule_not_found` */
export async function lockSchedule(em: SqlEntityManager, ref: ScheduleRef): Promise<ScheduleRow> {
  const { workspaceId, schedule } = ref;
  const row = await em.findOne(
    ScheduleEntity,
    { workspaceId, name: schedule },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!row) throw new StoreError('schedule_not_found', { schedule });
  return row;
}

const firesAlike = (a: ScheduleSpec, b: ScheduleSpec): boolean =>
  a.cron === b.cron && a.timeZone === b.timeZone && a.enabled === b.enabled;

const columnsOf = (spec: ScheduleSpec) => ({
  flowName: spec.flow,
  cron: spec.cron,
  timeZone: spec.timeZone,
  input: JSON.stringify(spec.input),
  isEnabled: spec.enabled,
  overlap: spec.overlap,
  catchUp: spec.catchUp,
  catchUpWindowMs: spec.catchUpWindowMs,
  jitterMs: spec.jitterMs,
});
