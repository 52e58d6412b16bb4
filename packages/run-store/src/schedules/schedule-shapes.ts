import type { InferEntity } from '@mikro-orm/postgresql';
import type { CatchUp, Json, Overlap, SlotOrigin } from '@pawl/dag-core';
import type { ScheduleEntity } from '../entities/schedule.ts';
import type { StoreIssue } from '../errors.ts';

export type ScheduleRow = InferEntity<typeof ScheduleEntity>;

/** Names a schedule in a workspace. */
export interface ScheduleRef {
  readonly workspaceId: string;
  readonly schedule: string;
}

/** What a person decides about a schedule. */
export interface ScheduleSpec {
  readonly name: string;
  readonly flow: string;
  /** Five fields (SPEC.md Z1). */
  readonly cron: string;
  /** IANA name. */
  readonly timeZone: string;
  /** May name the slot (SPEC.md Z9). */
  readonly input: Json;
  readonly enabled: boolean;
  readonly overlap: Overlap;
  readonly catchUp: CatchUp;
  readonly catchUpWindowMs: number;
  readonly jitterMs: number;
}
/** A schedule to be made: all but name, flow and cron has a default. */
export type NewSchedule = Pick<ScheduleSpec, 'name' | 'flow' | 'cron'> & Partial<ScheduleSpec>;
/** Changes of a schedule; what is absent stays. */
export type ScheduleChanges = Partial<Omit<ScheduleSpec, 'name' | 'enabled'>>;

export const SCHEDULE_DEFAULTS = {
  timeZone: 'UTC',
  input: {},
  enabled: true,
  overlap: 'skip',
  catchUp: 'last',
  catchUpWindowMs: 86_400_000,
  jitterMs: 0,
} as const satisfies Partial<ScheduleSpec>;

/** Why a slot could not start its run. */
export interface SlotError {
  readonly code: string;
  readonly message: string;
  readonly issues?: readonly StoreIssue[];
}

/**
 * `queued` waits (for earlier runs: reason `overlap`; for room in the queue: `error`) · `starting` an engine is at it · `started` it has its run ·
 * `skipped` it has none, `reason` says why · `failed` the start was refused, `error` says why.
 */
export type SlotState = 'queued' | 'starting' | 'started' | 'skipped' | 'failed';

/** One slot of a schedule and what became of it. Instants as ISO 8601 in UTC. */
export interface SlotRecord {
  readonly slot: string;
  readonly origin: SlotOrigin;
  readonly state: SlotState;
  readonly reason?: string;
  readonly error?: SlotError;
  readonly runId?: string;
  /** When an engine last decided about it. */
  readonly decidedAt: string;
  readonly startedAt?: string;
  /** From the slot to the start of its run, jitter included; absent without a run and for backfilled slots. */
  readonly lateMs?: number;
}

export interface Schedule extends ScheduleSpec {
  /** The next slot; absent while the schedule is off. */
  readonly nextSlot?: string;
  /** The newest slot of the clock that was decided about. */
  readonly lastSlot?: SlotRecord;
  /** Slots that did not run because nobody was there in time. */
  readonly missedCount: number;
  readonly lastMissedSlot?: string;
  /** Why the last start was refused; gone with the next that is not. */
  readonly lastError?: SlotError & { readonly slot?: string; readonly at?: string };
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What of a schedule can be handed to another workspace. */
export function specOf(row: ScheduleRow): ScheduleSpec {
  return {
    name: row.name,
    flow: row.flowName,
    cron: row.cron,
    timeZone: row.timeZone,
    input: JSON.parse(row.input) as Json,
    enabled: row.isEnabled,
    overlap: row.overlap,
    catchUp: row.catchUp,
    catchUpWindowMs: row.catchUpWindowMs,
    jitterMs: row.jitterMs,
  };
}

export function scheduleOf(row: ScheduleRow, lastSlot: SlotRecord | undefined): Schedule {
  return {
    ...specOf(row),
    ...(row.nextAt && { nextSlot: row.nextAt.toISOString() }),
    ...(lastSlot && { lastSlot }),
    missedCount: row.missedCount,
    ...(row.lastMissed && { lastMissedSlot: row.lastMissed.toISOString() }),
    ...(row.lastError && { lastError: JSON.parse(row.lastError) as NonNullable<Schedule['lastError']> }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** A row of `schedule_slot` as the driver gives it. */
export interface SlotRow {
  readonly slot: Date;
  readonly origin: SlotOrigin;
  readonly state: SlotState;
  readonly reason: string | null;
  readonly error: SlotError | null;
  readonly run_id: string | null;
  readonly decided_at: Date;
  readonly started_at: Date | null;
}

export const SLOT_COLUMNS = 'slot, origin, state, reason, error, run_id, decided_at, started_at';

export function slotRecord(row: SlotRow): SlotRecord {
  return {
    slot: row.slot.toISOString(),
    origin: row.origin,
    state: row.state,
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.error !== null && { error: row.error }),
    // Until it is started the id is a promise only.
    ...(row.run_id !== null && row.state === 'started' && { runId: row.run_id }),
    decidedAt: row.decided_at.toISOString(),
    ...(row.started_at && {
      startedAt: row.started_at.toISOString(),
      ...(row.origin !== 'backfill' && { lateMs: row.started_at.getTime() - row.slot.getTime() }),
    }),
  };
}
