import {
  type Calendar,
  decideDueSlots,
  decideOverlap,
  fireAtMs,
  isTerminalRun,
  readSchedule,
  type SlotOrigin,
  slotJitterMs,
} from '@pawl/dag-core';
import { StoreError, type StoreIssue } from '../errors.ts';
import type { LockedSchedule, OpenSlot } from '../sql/lock-schedule.ts';
import type { SlotError, SlotState } from './schedule-shapes.ts';

/** A row of a slot as a tick leaves it. */
export interface SlotChange {
  readonly slotMs: number;
  readonly origin: SlotOrigin;
  readonly state: SlotState;
  readonly reason?: string;
  readonly runId?: string;
}

/** What one look at a schedule changes and has done. Instants in epoch milliseconds. */
export interface Tick {
  readonly nextMs: number | null;
  readonly fireMs: number | null;
  /** Why the schedule cannot fire any more, though it could when it was written. */
  readonly problem?: SlotError;
  readonly missedCount: number;
  readonly lastMissedMs: number | null;
  /** Rows to be made or changed. */
  readonly slots: readonly SlotChange[];
  /** Slots whose runs have ended. */
  readonly closed: readonly number[];
  /** Runs to be cancelled, so that the newest slot can take their place. */
  readonly cancel: readonly string[];
}

/**
 * Decides about a schedule under its lock: which slots are due, which start, which do not. Pure but for `newRunId`.
 *
 * A slot is written down with the id that its run will have before the run is admitted: whoever finds it there later knows
 * whether that happened, and admitting it again changes nothing.
 */
export function decideTick(
  schedule: LockedSchedule,
  open: readonly OpenSlot[],
  newRunId: () => string,
): Tick {
  const { calendar, issues } = readSchedule(schedule);
  const due = dueOf(schedule, calendar);
  const left = open.filter((slot) => slot.state === 'starting' && slot.isLookDue);
  const queued = open.filter((slot) => slot.state === 'queued' && slot.isLookDue);
  const running = open.filter(isRunning);
  const live = running.filter(({ origin }) => origin !== 'backfill').length;
  const waiting = [...queued, ...due.run].sort((a, b) => a.slotMs - b.slotMs);
  const isOff = !schedule.enabled;
  const answer = decideOverlap({
    overlap: schedule.overlap,
    waiting: isOff ? waiting.filter(({ origin }) => origin === 'backfill') : waiting,
    open: { live, backfill: running.length - live },
  });
  const off = isOff ? waiting.filter(({ origin }) => origin !== 'backfill') : [];
  const skipped = new Map<number, string>([
    ...answer.skip.map(({ slotMs, reason }) => [slotMs, reason] as const),
    ...off.map(({ slotMs }) => [slotMs, 'paused'] as const),
  ]);
  const isNew = new Set(due.run.map(({ slotMs }) => slotMs));
  const decided = waiting.flatMap(({ slotMs, origin }): SlotChange[] => {
    const reason = skipped.get(slotMs);
    if (reason !== undefined) return [{ slotMs, origin, state: 'skipped', reason }];
    if (answer.start.includes(slotMs)) return [{ slotMs, origin, state: 'starting', runId: newRunId() }];
    return isNew.has(slotMs) ? [{ slotMs, origin, state: 'queued', reason: 'overlap' }] : [];
  });
  return {
    nextMs: due.nextMs ?? null,
    fireMs: (calendar && fireAtMs(schedule.id, due.nextMs, schedule.jitterMs)) ?? null,
    ...(issues && { problem: problemOf(schedule, issues) }),
    missedCount: due.missedCount,
    lastMissedMs: due.missed.at(-1) ?? null,
    slots: [
      ...due.missed.map(
        (slotMs): SlotChange => ({ slotMs, origin: 'scheduled', state: 'skipped', reason: 'missed' }),
      ),
      ...left.map(takenUp),
      ...decided,
    ],
    closed: open.filter((slot) => slot.state === 'started' && !isRunning(slot)).map(({ slotMs }) => slotMs),
    cancel: answer.cancelOpen
      ? running.flatMap(({ runId, runStatus }) => (runStatus && runStatus !== 'cancelling' && runId) || [])
      : [],
  };
}

function dueOf(schedule: LockedSchedule, calendar: Calendar | undefined): ReturnType<typeof decideDueSlots> {
  if (!calendar || schedule.nextMs === null || !schedule.enabled)
    return { run: [], missed: [], missedCount: 0, nextMs: schedule.nextMs ?? undefined };
  return decideDueSlots({
    calendar,
    nextMs: schedule.nextMs,
    nowMs: schedule.nowMs,
    catchUp: schedule.catchUp,
    catchUpWindowMs: schedule.catchUpWindowMs,
    jitterOf: (slotMs) => slotJitterMs(schedule.id, slotMs, schedule.jitterMs),
  });
}

/** A time zone that a newer release of the zone database does not know, for instance. */
function problemOf({ name }: LockedSchedule, issues: readonly StoreIssue[]): SlotError {
  const { code, message } = new StoreError('schedule_invalid', { schedule: name, issues });
  return { code, message, issues };
}

/** A slot that is being started counts as running: its run may be there any moment. */
const isRunning = ({ state, runStatus }: OpenSlot): boolean =>
  state === 'starting' || (state === 'started' && runStatus !== null && !isTerminalRun(runStatus));

/** An engine left it in the middle: its run is there, or is started now, under the id that was written down. */
const takenUp = ({ slotMs, origin, runId, runStatus }: OpenSlot): SlotChange => ({
  slotMs,
  origin,
  state: runStatus === null ? 'starting' : 'started',
  runId: runId!,
});
