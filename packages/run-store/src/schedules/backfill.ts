import { readSchedule, slotsBetween } from '@pawl/dag-core';
import type { Orm } from '../entities/orm.ts';
import { StoreError } from '../errors.ts';
import { nowOf } from './check-spec.ts';
import { type ScheduleRef, specOf } from './schedule-shapes.ts';
import { lockSchedule } from './write-schedules.ts';

/** Slots that one backfill may name. */
const MOST_SLOTS = 1_000;
/** How far back a backfill reaches. Slots are remembered for longer (`forgetOld`), so that each runs once. */
const REACH_MS = 366 * 86_400_000;

/** What a backfill did: slots of the range, those that will run now, and those that had run or were about to. */
export interface Backfill {
  readonly slots: number;
  readonly queued: number;
  readonly alreadyThere: number;
}

/**
 * Runs the slots of a past range, both ends included, each once: one that has its run, or waits for it, is left alone; one
 * that was skipped, missed or refused gets another chance. Works while the schedule is off.
 *
 * @param request.from `request.until` ISO 8601; slots that the clock has still to come to are left to it
 * @throws {StoreError} `schedule_not_found`, `backfill_invalid`
 */
export async function backfillSchedule(
  orm: Orm,
  { from, until, ...ref }: ScheduleRef & { from: string; until: string },
): Promise<Backfill> {
  return orm.fork().transactional(async (em) => {
    const row = await lockSchedule(em, ref);
    const nowMs = await nowOf(em);
    const fromMs = Date.parse(from);
    // What is due and not decided about yet is the clock's.
    const untilMs = Math.min(
      Date.parse(until),
      nowMs,
      (row.nextAt?.getTime() ?? Number.POSITIVE_INFINITY) - 1,
    );
    refuse(ref.schedule, { fromMs, untilMs: Date.parse(until), nowMs });
    const { calendar } = readSchedule(specOf(row));
    const slots = calendar ? slotsBetween(calendar, fromMs, untilMs, MOST_SLOTS + 1) : [];
    if (slots.length > MOST_SLOTS)
      throw new StoreError('backfill_invalid', {
        schedule: ref.schedule,
        reason: `it names more than ${MOST_SLOTS} slots`,
        hint: 'Name a shorter range, and the rest afterwards.',
      });
    const queued = await em.execute<{ slot: Date }[]>(
      `insert into schedule_slot (schedule_id, slot, origin, state, is_open, decided_at)
       select ?, to_timestamp(x.slot / 1000), 'backfill', 'queued', false, now()
       from unnest(?::float8[]) as x(slot)
       on conflict (schedule_id, slot) do update
         set origin = 'backfill', state = 'queued', reason = null, error = null, run_id = null, look_at = null, decided_at = now()
         where schedule_slot.state in ('skipped', 'failed')
       returning slot`,
      [row.id, `{${slots.join(',')}}`],
    );
    return { slots: slots.length, queued: queued.length, alreadyThere: slots.length - queued.length };
  });
}

function refuse(
  schedule: string,
  { fromMs, untilMs, nowMs }: { fromMs: number; untilMs: number; nowMs: number },
): void {
  if (fromMs > untilMs)
    throw new StoreError('backfill_invalid', {
      schedule,
      reason: 'it ends before it begins',
      hint: 'Name the earlier instant as "from".',
    });
  if (fromMs > nowMs)
    throw new StoreError('backfill_invalid', {
      schedule,
      reason: 'it lies in the future',
      hint: 'Slots to come run by themselves while the schedule is on.',
    });
  if (nowMs - fromMs > REACH_MS)
    throw new StoreError('backfill_invalid', {
      schedule,
      reason: 'it begins more than 366 days ago',
      hint: 'Start those runs with "pawl run start".',
    });
}
