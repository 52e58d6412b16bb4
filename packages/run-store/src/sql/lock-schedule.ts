import type { RunStatus, SlotOrigin } from '@pawl/dag-core';
import { type HotClient, runStatement, type Statement } from '../hot-pool.ts';
import type { ScheduleSpec, SlotState } from '../schedules/schedule-shapes.ts';

const lock: Statement = {
  name: 'lock-schedule',
  text: `
select s.id, s.workspace_id as "workspaceId", s.name, s.flow_name as flow, s.cron, s.time_zone as "timeZone", s.input,
  s.is_enabled as enabled, s.overlap, s.catch_up as "catchUp", s.catch_up_window_ms::float8 as "catchUpWindowMs",
  s.jitter_ms as "jitterMs", (extract(epoch from s.next_at) * 1000)::float8 as "nextMs",
  (extract(epoch from now()) * 1000)::float8 as "nowMs"
from schedule s where s.id = $1
for no key update of s skip locked`,
};

const slots: Statement = {
  name: 'load-slots-of-schedule',
  text: `
select (extract(epoch from x.slot) * 1000)::float8 as "slotMs", x.origin, x.state, x.run_id as "runId",
  coalesce(x.look_at <= now(), true) as "isLookDue", r.status as "runStatus"
from (
  select w.slot, w.origin, w.state, w.run_id, w.look_at from schedule_slot w
  where w.schedule_id = $1 and w.state in ('queued', 'starting')
  union all
  select o.slot, o.origin, o.state, o.run_id, o.look_at from schedule_slot o
  where o.schedule_id = $1 and o.is_open and o.state = 'started'
) x left join run r on r.id = x.run_id
order by x.slot`,
};

/** A schedule as an engine decides on it. */
export interface LockedSchedule extends ScheduleSpec {
  readonly id: string;
  readonly workspaceId: string;
  /** First slot that was not decided about; null while it is off. Epoch milliseconds. */
  readonly nextMs: number | null;
  readonly nowMs: number;
}
/** A slot that waits for its run, or whose run may be open. */
export interface OpenSlot {
  readonly slotMs: number;
  readonly origin: SlotOrigin;
  readonly state: SlotState;
  readonly runId: string | null;
  /** It may be looked at: it waits for no instant, and no engine is at it. */
  readonly isLookDue: boolean;
  /** Null: there is no such run (yet, or any more). */
  readonly runStatus: RunStatus | null;
}

/**
 * Locks a schedule for the length of a transaction and reads its open slots, in one go. Undefined when another engine has it, or
 * it is gone. Indexes: primary keys, schedule_slot_waiting, schedule_slot_open.
 */
export async function lockSchedule(
  client: HotClient,
  scheduleId: string,
): Promise<{ schedule: LockedSchedule; slots: readonly OpenSlot[] } | undefined> {
  const [locked, open] = await Promise.all([
    runStatement<LockedSchedule>(client, lock, [scheduleId]),
    runStatement<OpenSlot>(client, slots, [scheduleId]),
  ]);
  return locked[0] && { schedule: locked[0], slots: open };
}
