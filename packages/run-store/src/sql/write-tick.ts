import { type HotClient, runStatement, type Statement } from '../hot-pool.ts';
import type { Tick } from '../schedules/decide-tick.ts';
import { plainArray, textArray } from './array-literal.ts';
import { STARTING_MS } from './find-schedules-to-look-at.ts';

// A slot that has its run is never written again: only rows that wait may change, and a new row is new for ever (C35).

const statement: Statement = {
  name: 'write-tick',
  text: `
with moved as (
  update schedule set next_at = to_timestamp($2::float8 / 1000), fire_at = to_timestamp($3::float8 / 1000),
    missed_count = missed_count + $4::bigint, last_missed = coalesce(to_timestamp($5::float8 / 1000), last_missed),
    last_error = coalesce($12::json, last_error)
  where id = $1
), closed as (
  update schedule_slot s set is_open = false
  from unnest($6::float8[]) as c(slot_ms)
  where s.schedule_id = $1 and s.slot = to_timestamp(c.slot_ms / 1000)
)
insert into schedule_slot as s (schedule_id, slot, origin, state, reason, run_id, is_open, look_at, decided_at, started_at)
select $1, to_timestamp(x.slot_ms / 1000), x.origin, x.state, x.reason, x.run_id, x.state = 'started',
  case when x.state = 'starting' then now() + interval '${STARTING_MS} milliseconds' end, now(),
  case when x.state = 'started' then now() end
from unnest($7::float8[], $8::text[], $9::text[], $10::text[], $11::uuid[]) as x(slot_ms, origin, state, reason, run_id)
on conflict (schedule_id, slot) do update
  set state = excluded.state, reason = excluded.reason, run_id = excluded.run_id, is_open = excluded.is_open,
    look_at = excluded.look_at, decided_at = excluded.decided_at, started_at = excluded.started_at
  where s.state in ('queued', 'starting')
returning (extract(epoch from s.slot) * 1000)::float8 as "slotMs"`,
};

/**
 * Writes what was decided about a schedule; the caller holds its lock. Slots and the move to the next one are written together,
 * so a slot is never lost between them. Answers the slots that were written. Indexes: primary keys.
 */
export async function writeTick(client: HotClient, scheduleId: string, tick: Tick): Promise<number[]> {
  const { slots } = tick;
  const rows = await runStatement<{ slotMs: number }>(client, statement, [
    scheduleId,
    tick.nextMs,
    tick.fireMs,
    tick.missedCount,
    tick.lastMissedMs,
    plainArray(tick.closed),
    plainArray(slots.map(({ slotMs }) => slotMs)),
    textArray(slots.map(({ origin }) => origin)),
    textArray(slots.map(({ state }) => state)),
    textArray(slots.map(({ reason }) => reason)),
    plainArray(slots.map(({ runId }) => runId)),
    tick.problem === undefined ? null : JSON.stringify(tick.problem),
  ]);
  return rows.map(({ slotMs }) => slotMs);
}
