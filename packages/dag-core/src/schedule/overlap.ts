import type { SlotOrigin } from './due-slots.ts';

// Rules kept here: Z7 what a slot does while earlier runs of its schedule are open.

/** `skip` the new slot · `queue` it until the others have ended · `cancel_other` runs, then start · `allow` both. */
export const OVERLAPS = ['skip', 'queue', 'cancel_other', 'allow'] as const;
export type Overlap = (typeof OVERLAPS)[number];

/** Why a slot has no run. */
export type SkipReason = 'missed' | 'overlap' | 'superseded' | 'too_many_waiting';

/** Slots of one schedule that may wait under `queue`; later ones are skipped. */
export const MOST_WAITING = 100;
/** Slots of one schedule that are started at once under `allow`; the next look starts more. */
const MOST_STARTED = 100;

export interface OverlapQuestion {
  readonly overlap: Overlap;
  /** Slots without a run, in order. */
  readonly waiting: readonly { readonly slotMs: number; readonly origin: SlotOrigin }[];
  /** Open runs of the schedule: how many came from the clock, and how many from backfills. */
  readonly open: { readonly live: number; readonly backfill: number };
}

/** What becomes of the slots that wait; those not named go on waiting. */
export interface OverlapAnswer {
  readonly start: readonly number[];
  readonly skip: readonly { readonly slotMs: number; readonly reason: SkipReason }[];
  /** Open runs are to be cancelled. */
  readonly cancelOpen: boolean;
}

const NOTHING: OverlapAnswer = { start: [], skip: [], cancelOpen: false };

/** Decides about the slots that wait (Z7). Backfilled ones give way to those of the clock. */
export function decideOverlap({ overlap, waiting, open }: OverlapQuestion): OverlapAnswer {
  const live = waiting.filter(({ origin }) => origin !== 'backfill').map(({ slotMs }) => slotMs);
  const backfill = waiting.filter(({ origin }) => origin === 'backfill').map(({ slotMs }) => slotMs);
  if (overlap === 'allow') return { ...NOTHING, start: [...live, ...backfill].slice(0, MOST_STARTED) };
  const isBusy = open.live + open.backfill > 0;
  if (live.length === 0) return { ...NOTHING, start: isBusy ? [] : backfill.slice(0, 1) };
  switch (overlap) {
    case 'skip':
      return skipping(live, open);
    case 'queue':
      return {
        ...NOTHING,
        start: isBusy ? [] : live.slice(0, 1),
        skip: because('too_many_waiting', live.slice(isBusy ? MOST_WAITING : MOST_WAITING + 1)),
      };
    case 'cancel_other':
      return {
        start: isBusy ? [] : live.slice(-1),
        skip: because('superseded', live.slice(0, -1)),
        cancelOpen: isBusy,
      };
  }
}

/** Only a run of the clock makes a slot skip; for one that was backfilled it waits, lest a long backfill starve the clock. */
function skipping(live: readonly number[], open: OverlapQuestion['open']): OverlapAnswer {
  if (open.live > 0) return { ...NOTHING, skip: because('overlap', live) };
  return {
    ...NOTHING,
    start: open.backfill > 0 ? [] : live.slice(0, 1),
    skip: because('overlap', live.slice(1)),
  };
}

const because = (reason: SkipReason, slots: readonly number[]) => slots.map((slotMs) => ({ slotMs, reason }));
