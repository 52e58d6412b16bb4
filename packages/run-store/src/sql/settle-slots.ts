import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';
import type { SlotError } from '../schedules/schedule-shapes.ts';
import { jsonArray, plainArray, textArray } from './array-literal.ts';

// The schedule is locked before its slots, as a tick does it, so that the two never wait for each other.

const statement: Statement = {
  name: 'settle-slots',
  text: `
with locked as materialized (
  select true as held from schedule where id = $1 for no key update
), settled as (
  update schedule_slot s set state = x.state, error = x.error, is_open = x.state = 'started',
    run_id = case when x.state = 'started' then s.run_id end,
    look_at = now() + x.retry_ms * interval '1 millisecond',
    started_at = case when x.state = 'started' then now() end
  from unnest($2::float8[], $3::uuid[], $4::text[], $5::json[], $6::float8[]) as x(slot_ms, run_id, state, error, retry_ms)
  where (select held from locked) and s.schedule_id = $1 and s.slot = to_timestamp(x.slot_ms / 1000) and s.state = 'starting' and s.run_id = x.run_id
)
update schedule set last_error = $7::json where (select held from locked) and id = $1`,
};

/** What became of a slot whose run was to be started. */
export interface SlotOutcome {
  readonly slotMs: number;
  readonly runId: string;
  /** `queued`: there was no room; it is tried again after `retryMs`. */
  readonly state: 'started' | 'failed' | 'queued';
  readonly error?: SlotError;
  readonly retryMs?: number;
}

/**
 * Writes what became of slots; those that somebody else has settled meanwhile stay as they are. `lastError` replaces the one of
 * the schedule. Indexes: primary keys.
 */
export async function settleSlots(
  pool: HotPool,
  scheduleId: string,
  outcomes: readonly SlotOutcome[],
  lastError: (SlotError & { slot: string; at: string }) | undefined,
): Promise<void> {
  await runStatement(pool, statement, [
    scheduleId,
    plainArray(outcomes.map(({ slotMs }) => slotMs)),
    plainArray(outcomes.map(({ runId }) => runId)),
    textArray(outcomes.map(({ state }) => state)),
    jsonArray(outcomes.map(({ error }) => error)),
    plainArray(outcomes.map(({ retryMs }) => retryMs)),
    lastError === undefined ? null : JSON.stringify(lastError),
  ]);
}
