import { readSchedule, slotsBetween } from '@pawl/dag-core';
import type { Orm } from '../entities/orm.ts';
import { ScheduleEntity } from '../entities/schedule.ts';
import { StoreError } from '../errors.ts';
import { cursorAfterPath, pageOf, pageSize, pathOfCursor } from '../queries/cursor.ts';
import type { Page } from '../store-types.ts';
import { nowOf } from './check-spec.ts';
import {
  type Schedule,
  type ScheduleRef,
  type ScheduleRow,
  type ScheduleSpec,
  SLOT_COLUMNS,
  type SlotRecord,
  type SlotRow,
  scheduleOf,
  slotRecord,
  specOf,
} from './schedule-shapes.ts';

const SIZES = { usual: 50, most: 200 };

/** A schedule. @throws {StoreError} `schedule_not_found` */
export async function getSchedule(orm: Orm, ref: ScheduleRef): Promise<Schedule> {
  const row = await findSchedule(orm, ref);
  return scheduleOf(row, (await lastSlots(orm, [row])).get(row.id));
}

/** Schedules of a workspace by name. @throws {StoreError} `cursor_invalid` */
export async function listSchedules(
  orm: Orm,
  request: { workspaceId: string; flow?: string; cursor?: string; limit?: number },
): Promise<Page<Schedule>> {
  const size = pageSize(request.limit, SIZES);
  const rows = await orm.fork().find(
    ScheduleEntity,
    {
      workspaceId: request.workspaceId,
      ...(request.flow !== undefined && { flowName: request.flow }),
      ...(request.cursor !== undefined && { name: { $gt: pathOfCursor(request.cursor) } }),
    },
    { orderBy: { name: 'asc' }, limit: size + 1 },
  );
  const last = await lastSlots(orm, rows);
  const schedules = rows.map((row) => scheduleOf(row, last.get(row.id)));
  return pageOf(schedules, size, ({ name }) => cursorAfterPath(name));
}

/** What of the schedules of a workspace can be read in elsewhere, by name. */
export async function exportSchedules(
  orm: Orm,
  { workspaceId, flow }: { workspaceId: string; flow?: string },
): Promise<ScheduleSpec[]> {
  const rows = await orm
    .fork()
    .find(
      ScheduleEntity,
      { workspaceId, ...(flow !== undefined && { flowName: flow }) },
      { orderBy: { name: 'asc' } },
    );
  return rows.map(specOf);
}

/** Slots that were decided about, newest first. @throws {StoreError} `schedule_not_found`, `cursor_invalid` */
export async function listSlots(
  orm: Orm,
  { cursor, limit, ...ref }: ScheduleRef & { cursor?: string; limit?: number },
): Promise<Page<SlotRecord>> {
  const size = pageSize(limit, SIZES);
  const { id } = await findSchedule(orm, ref);
  const { rows } = await orm.pool.query<SlotRow>(
    `select ${SLOT_COLUMNS} from schedule_slot
     where schedule_id = $1 and slot < $2
     order by slot desc limit $3`,
    [id, cursor === undefined ? 'infinity' : slotOfCursor(cursor), size + 1],
  );
  return pageOf(rows.map(slotRecord), size, ({ slot }) => cursorAfterPath(slot));
}

/**
 * The slots to come, as the schedule says, whether it is on or off.
 *
 * @param request.after ISO 8601; absent: now
 * @throws {StoreError} `schedule_not_found`
 */
export async function nextSlots(
  orm: Orm,
  { count, after, ...ref }: ScheduleRef & { count: number; after?: string },
): Promise<{ slots: readonly string[]; timeZone: string }> {
  const row = await findSchedule(orm, ref);
  const { calendar } = readSchedule(specOf(row));
  const afterMs = after === undefined ? await nowOf(orm.fork()) : Date.parse(after);
  const slots = calendar ? slotsBetween(calendar, afterMs + 1, Number.POSITIVE_INFINITY, count) : [];
  return { slots: slots.map((slot) => new Date(slot).toISOString()), timeZone: row.timeZone };
}

async function findSchedule(orm: Orm, { workspaceId, schedule }: ScheduleRef): Promise<ScheduleRow> {
  const row = await orm.fork().findOne(ScheduleEntity, { workspaceId, name: schedule });
  if (!row) throw new StoreError('schedule_not_found', { schedule });
  return row;
}

/** The newest slot of the clock for each schedule. Relies on the primary key of schedule_slot. */
async function lastSlots(orm: Orm, rows: readonly ScheduleRow[]): Promise<Map<string, SlotRecord>> {
  if (rows.length === 0) return new Map();
  const found = await orm.pool.query<SlotRow & { schedule_id: string }>(
    `select x.id as schedule_id, l.* from unnest($1::uuid[]) as x(id)
     cross join lateral (
       select ${SLOT_COLUMNS} from schedule_slot s
       where s.schedule_id = x.id and s.origin <> 'backfill'
       order by s.slot desc limit 1
     ) l`,
    [rows.map(({ id }) => id)],
  );
  return new Map(found.rows.map((row) => [row.schedule_id, slotRecord(row)]));
}

function slotOfCursor(cursor: string): string {
  const slot = pathOfCursor(cursor);
  if (Number.isNaN(Date.parse(slot))) throw new StoreError('cursor_invalid');
  return slot;
}
