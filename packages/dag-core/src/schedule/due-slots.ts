import { sha256Hex } from '../canonical/sha256.ts';
import { type Calendar, slotsAfter } from './slots.ts';

// Rules kept here: Z6 which slots are due and which were missed; Z8 jitter.

/** What happens to slots that nobody ran in time: nothing · the newest runs · all run, oldest first. */
export const CATCH_UPS = ['none', 'last', 'all'] as const;
export type CatchUp = (typeof CATCH_UPS)[number];

/** Where a slot comes from: the clock; the clock, but late; a wish for a past range. */
export type SlotOrigin = 'scheduled' | 'catch_up' | 'backfill';

/** Up to this late a slot is on time, whatever the catch-up policy: processes die and others take over. */
export const ON_TIME_MS = 60_000;
/** Slots that catch-up runs at once; older ones count as missed. */
export const MOST_CAUGHT_UP = 1_000;
/** Missed slots that are named one by one; the newest. All are counted. */
export const MOST_MISSED_NAMED = 1_000;
/** Slots looked at in one decision; what lies behind is decided next. */
const MOST_AT_ONCE = 100_000;

export interface DueQuestion {
  readonly calendar: Calendar;
  /** The first slot that nobody has decided about. */
  readonly nextMs: number;
  readonly nowMs: number;
  readonly catchUp: CatchUp;
  /** How far back catch-up reaches. */
  readonly catchUpWindowMs: number;
  /** By how much a slot is put off. */
  readonly jitterOf: (slotMs: number) => number;
}

/** What is to be done about the slots from `nextMs` to now. All instants are epoch milliseconds. */
export interface DueSlots {
  /** In order. */
  readonly run: readonly { readonly slotMs: number; readonly origin: 'scheduled' | 'catch_up' }[];
  /** In order; the newest {@link MOST_MISSED_NAMED} of `missedCount`. */
  readonly missed: readonly number[];
  readonly missedCount: number;
  /** The first slot that is not decided about now; undefined when there is none. */
  readonly nextMs: number | undefined;
}

/** Decides about every slot that is due (Z6). */
export function decideDueSlots(question: DueQuestion): DueSlots {
  const { late, onTime, nextMs, isMore } = readDue(question);
  const caughtUp = catchUpOf(late, onTime.length > 0 || isMore, question);
  const missed = late.slice(0, late.length - caughtUp.length);
  return {
    run: [
      ...caughtUp.map((slotMs) => ({ slotMs, origin: 'catch_up' as const })),
      ...onTime.map((slotMs) => ({ slotMs, origin: 'scheduled' as const })),
    ],
    missed: missed.slice(-MOST_MISSED_NAMED),
    missedCount: missed.length,
    nextMs,
  };
}

function readDue({ calendar, nextMs, nowMs, jitterOf }: DueQuestion) {
  const late: number[] = [];
  const onTime: number[] = [];
  for (const slot of slotsAfter(calendar, nextMs - 1)) {
    const lateMs = nowMs - slot - jitterOf(slot);
    if (lateMs < 0 || late.length + onTime.length >= MOST_AT_ONCE)
      return { late, onTime, nextMs: slot, isMore: lateMs >= 0 };
    (lateMs > ON_TIME_MS ? late : onTime).push(slot);
  }
  return { late, onTime, nextMs: undefined, isMore: false };
}

function catchUpOf(
  late: readonly number[],
  isSomethingNewer: boolean,
  question: DueQuestion,
): readonly number[] {
  const { catchUp, catchUpWindowMs, nowMs } = question;
  const within = late.filter((slot) => nowMs - slot <= catchUpWindowMs);
  switch (catchUp) {
    case 'none':
      return [];
    case 'last':
      return isSomethingNewer ? [] : within.slice(-1);
    case 'all':
      return within.slice(-MOST_CAUGHT_UP);
  }
}

/**
 * By how much a slot is put off (Z8): the same for every engine that asks.
 *
 * @param jitterMs the most, 0 or more
 * @returns whole milliseconds, 0…jitterMs
 */
export function slotJitterMs(scheduleId: string, slotMs: number, jitterMs: number): number {
  if (jitterMs === 0) return 0;
  return Number.parseInt(sha256Hex(`${scheduleId} ${slotMs}`).slice(0, 12), 16) % (jitterMs + 1);
}

/** When an engine has to look at a schedule: its next slot, put off by its jitter. */
export function fireAtMs(
  scheduleId: string,
  nextMs: number | undefined,
  jitterMs: number,
): number | undefined {
  return nextMs === undefined ? undefined : nextMs + slotJitterMs(scheduleId, nextMs, jitterMs);
}
