import { fillScheduleInput } from '@pawl/dag-core';
import { isDatabaseTrouble } from '../database-trouble.ts';
import { isStoreError } from '../errors.ts';
import { inTransaction } from '../hot-pool.ts';
import type { HotStore } from '../hot-store.ts';
import { newRunId } from '../ids.ts';
import { decideTick, type SlotChange } from '../schedules/decide-tick.ts';
import type { SlotError } from '../schedules/schedule-shapes.ts';
import { type LockedSchedule, lockSchedule } from '../sql/lock-schedule.ts';
import { type SlotOutcome, settleSlots } from '../sql/settle-slots.ts';
import { writeTick } from '../sql/write-tick.ts';
import type { Started, StartRequest } from '../store-types.ts';

/** What a tick needs of its engine. */
export interface TickParts {
  readonly store: HotStore;
  /** Starts a run as the API does. */
  start(request: StartRequest): Promise<Started>;
  /** Asks an open run to end. */
  cancel(request: { workspaceId: string; runId: string; by: string; reason: string }): Promise<unknown>;
  onTrouble(error: Error, doing: string): void;
}

/** What a look at a schedule did. */
export interface Ticked {
  readonly started: number;
  readonly failed: number;
  readonly skipped: number;
  /** Nobody was there in time. */
  readonly missed: number;
  /** Milliseconds from each slot of the clock to the start of its run. */
  readonly lateMs: readonly number[];
}

/** A slot that found no room is given up when it is this old, or older than catch-up would reach. */
const PATIENCE_MS = 3_600_000;

/**
 * Looks at one schedule: decides about the slots that are due and starts their runs. Every engine may do it at any time: the
 * row's lock lets one decide, what was decided is written before anything is started, and starting it twice is starting it once.
 *
 * @returns undefined when another engine is at it, or it is gone
 */
export async function tickSchedule(parts: TickParts, scheduleId: string): Promise<Ticked | undefined> {
  const decided = await decideAndWrite(parts.store, scheduleId);
  if (!decided) return undefined;
  const { schedule, tick, written } = decided;
  const by = `schedule:${schedule.name}`;
  for (const runId of tick.cancel)
    await ignoringEnd(() =>
      parts.cancel({ workspaceId: schedule.workspaceId, runId, by, reason: 'the next slot is due' }),
    );
  const starting = tick.slots.filter((slot) => slot.state === 'starting' && written.has(slot.slotMs));
  const outcomes = (await Promise.all(starting.map((slot) => startSlot(parts, schedule, slot)))).flatMap(
    (outcome) => outcome ?? [],
  );
  if (outcomes.length > 0) await settleSlots(parts.store.pool, schedule.id, outcomes, lastErrorIn(outcomes));
  const live = new Set(starting.filter(({ origin }) => origin !== 'backfill').map(({ slotMs }) => slotMs));
  const started = outcomes.filter(({ state }) => state === 'started');
  return {
    started: started.length,
    failed: outcomes.filter(({ state }) => state === 'failed').length,
    skipped: tick.slots.filter(({ state, reason }) => state === 'skipped' && reason !== 'missed').length,
    missed: tick.missedCount,
    lateMs: started.flatMap(({ slotMs }) => (live.has(slotMs) ? schedule.nowMs - slotMs : [])),
  };
}

async function decideAndWrite(store: HotStore, scheduleId: string) {
  return inTransaction(store.pool, async ({ client, commitWith }) => {
    const locked = await lockSchedule(client, scheduleId);
    if (!locked) return undefined;
    const tick = decideTick(locked.schedule, locked.slots, newRunId);
    const written = await commitWith(() => writeTick(client, scheduleId, tick));
    return { schedule: locked.schedule, tick, written: new Set(written) };
  });
}

/** Undefined: nobody knows (the database is in trouble); whoever looks next will. */
async function startSlot(
  { start, onTrouble }: TickParts,
  schedule: LockedSchedule,
  { slotMs, runId, origin }: SlotChange,
): Promise<SlotOutcome | undefined> {
  const slot = new Date(slotMs).toISOString();
  const settled = { slotMs, runId: runId! };
  try {
    await start({
      workspaceId: schedule.workspaceId,
      flow: schedule.flow,
      runId: runId!,
      input: fillScheduleInput(schedule.input, { slotMs, timeZone: schedule.timeZone, name: schedule.name }),
      tags: { schedule: schedule.name, slot },
      trigger: 'schedule',
      by: `schedule:${schedule.name}`,
      dedupeKey: `schedule ${schedule.id} ${slot}`,
      dedupeHash: schedule.id,
    });
    return { ...settled, state: 'started' };
  } catch (error) {
    if (
      isStoreError(error, 'queue_full') &&
      (origin === 'backfill' || schedule.nowMs - slotMs < patienceOf(schedule))
    )
      return { ...settled, state: 'queued', error: errorOf(error), retryMs: error.values.retryAfterMs };
    if (isStoreError(error)) return { ...settled, state: 'failed', error: errorOf(error) };
    onTrouble(error as Error, `starting slot ${slot} of schedule ${schedule.name}`);
    if (isDatabaseTrouble(error)) return undefined;
    const message = 'The engine failed at this start, which is a defect of it: its log says more.';
    return { ...settled, state: 'failed', error: { code: 'internal_error', message } };
  }
}

const patienceOf = ({ catchUpWindowMs }: LockedSchedule): number => Math.max(PATIENCE_MS, catchUpWindowMs);

function errorOf(error: Error & { code: string; values?: unknown }): SlotError {
  const { issues } = (error.values ?? {}) as Pick<SlotError, 'issues'>;
  return { code: error.code, message: error.message, ...(issues && { issues: issues.slice(0, 20) }) };
}

function lastErrorIn(outcomes: readonly SlotOutcome[]) {
  const last = outcomes.at(-1)!;
  return (
    last.error && { ...last.error, slot: new Date(last.slotMs).toISOString(), at: new Date().toISOString() }
  );
}

/** A run that has ended meanwhile, or is gone, need not be cancelled. */
async function ignoringEnd(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isStoreError(error, 'run_not_open') && !isStoreError(error, 'run_not_found')) throw error;
  }
}
