import { findSchedulesToLookAt, type HotStore, type Ticked, tickSchedule } from '@pawl/run-store';
import type { Logger } from 'pino';

/** Schedules read in one look; a look that found so many is followed by another at once. */
const AT_ONCE = 200;
/** Schedules looked at at the same time: a look holds a connection while it decides. */
const SIDE_BY_SIDE = 4;
/** Another engine has it, or something went wrong with it: look again after this. */
const BUSY_MS = 250;
/** A run that slots wait for says something: is it its end? Much that it says at once costs one look. */
const RUN_GREW_MS = 50;
/** Looks in a row without a pause. */
const MOST_LOOKS = 1_000;

type TickParts = Parameters<typeof tickSchedule>[0];

/**
 * Fires schedules. Each engine does, PostgreSQL decides (C35): there is no leader to lose. The timer goes off at the instant of the
 * next slot; changes of schedules and ends of runs are told by wake-ups; a slow look finds what nobody told.
 */
export class Schedules {
  readonly #store: HotStore;
  readonly #tick: TickParts;
  readonly #slowLookMs: number;
  readonly #logger: Logger;
  readonly #onTicked: (ticked: Ticked) => void;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #isLooking = false;
  #isAsked = false;
  #isStopped = false;
  /** Runs that slots wait for. */
  #blockers: ReadonlySet<string> = new Set();
  #unsubscribe: (() => void) | undefined;

  constructor(
    parts: Pick<TickParts, 'store' | 'start' | 'cancel'> & {
      slowLookMs: number;
      logger: Logger;
      onTicked: (ticked: Ticked) => void;
    },
  ) {
    const { store, start, cancel, slowLookMs, logger } = parts;
    this.#store = store;
    this.#tick = { store, start, cancel, onTrouble: (error, doing) => this.#trouble(error, doing) };
    this.#slowLookMs = slowLookMs;
    this.#logger = logger;
    this.#onTicked = parts.onTicked;
  }

  start(): void {
    this.#unsubscribe = this.#store.live.subscribe((message) => {
      // An empty message: the connection was away, and what was told meanwhile is lost.
      if (message.schedules || Object.keys(message).length === 0) this.#lookIn(0);
      else if (message.runs?.some((runId) => this.#blockers.has(runId))) this.#lookIn(RUN_GREW_MS);
    });
    this.#lookIn(0);
  }

  stop(): void {
    this.#isStopped = true;
    this.#unsubscribe?.();
    clearTimeout(this.#timer);
  }

  /** The soonest look that anybody asked for. */
  #lookIn(ms: number): void {
    if (this.#isStopped) return;
    if (this.#isLooking) {
      this.#isAsked = true;
      return;
    }
    const at = performance.now() + ms;
    if (at >= this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = at;
    this.#timer = setTimeout(() => void this.#look(), Math.ceil(ms));
  }

  async #look(): Promise<void> {
    this.#timerAt = Number.POSITIVE_INFINITY;
    this.#isLooking = true;
    this.#isAsked = false;
    let nextMs = this.#slowLookMs;
    try {
      nextMs = Math.min(nextMs, await this.#lookUntilQuiet());
    } catch (error) {
      this.#trouble(error as Error, 'looking at schedules');
      nextMs = Math.min(nextMs, BUSY_MS * 4);
    }
    this.#isLooking = false;
    this.#lookIn(this.#isAsked ? 0 : nextMs);
  }

  /** Answers milliseconds until the next look is due. */
  async #lookUntilQuiet(): Promise<number> {
    for (let looks = 0; ; looks += 1) {
      const { due, waiting, blockers, inMs } = await findSchedulesToLookAt(this.#store.pool, AT_ONCE);
      const ids = [...new Set([...due, ...waiting])];
      const ticked = await this.#tickEach(ids);
      // One that ended before it was listened for would be heard of late: look once more.
      const isNewBlocker = blockers.some((runId) => !this.#blockers.has(runId));
      this.#blockers = new Set(blockers);
      const isBusy = ids.some((id) => !ticked.get(id));
      const hasMoved = ids.some((id) => {
        const each = ticked.get(id);
        return each && (due.includes(id) || each.started + each.failed + each.skipped + each.missed > 0);
      });
      // The timer of Node may go off a little early.
      const next = inMs === null ? Number.POSITIVE_INFINITY : inMs + 1;
      if (!(hasMoved || isNewBlocker) || looks >= MOST_LOOKS || this.#isStopped)
        return isBusy ? Math.min(next, BUSY_MS) : next;
    }
  }

  async #tickEach(ids: readonly string[]): Promise<Map<string, Ticked | undefined>> {
    const ticked = new Map<string, Ticked | undefined>();
    const left = [...ids];
    const work = async () => {
      for (let id = left.shift(); id !== undefined && !this.#isStopped; id = left.shift())
        ticked.set(id, await this.#tickOne(id));
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
    return ticked;
  }

  /** One schedule that fails must not keep the others from firing. */
  async #tickOne(id: string): Promise<Ticked | undefined> {
    try {
      const ticked = await tickSchedule(this.#tick, id);
      if (ticked) this.#onTicked(ticked);
      return ticked;
    } catch (error) {
      this.#trouble(error as Error, `looking at schedule ${id}`);
      return undefined;
    }
  }

  #trouble(error: Error, doing: string): void {
    if (!this.#isStopped) this.#logger.warn({ err: error }, `trouble while ${doing}`);
  }
}
