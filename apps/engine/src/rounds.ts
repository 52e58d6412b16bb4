import { findNextTimer, type HotStore, type Retention } from '@pawl/run-store';
import type { Logger } from 'pino';
import type { RoundsMetrics } from './engine-metrics.ts';
import { chores } from './housekeeping.ts';
import { relayOutbox } from './relay.ts';
import type { Sweeper } from './sweeper.ts';

/** A round that found a dead worker's lock free looks again after this. */
const SECOND_LOOK_MS = 1_050;
/** Partitions are made two months ahead, and what is old may stay a while: once a day is plenty. */
const HOUSEKEEPING_MS = 86_400_000;

interface RoundsParts {
  readonly store: HotStore;
  readonly sweeper: Sweeper;
  readonly sweepMs: number;
  readonly relayMs: number;
  readonly retention: Retention | undefined;
  readonly logger: Logger;
  readonly metrics: RoundsMetrics;
}

type Round = 'sweep' | 'relay' | 'timer' | 'housekeeping';

/**
 * The recurring work of an engine: sweep, relay, timers. Every round is idempotent and several engines may do it at once.
 * Timers fire at their instant: wake-ups say when one is set, and each sweep asks for the next.
 */
export class Rounds {
  readonly #parts: RoundsParts;
  readonly #timers = new Map<Round, NodeJS.Timeout>();
  readonly #stopping = new AbortController();
  #isStopped = false;
  #nextTimerAt = Number.POSITIVE_INFINITY;
  #unsubscribe: (() => void) | undefined;

  constructor(parts: RoundsParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#unsubscribe = this.#parts.store.live.subscribe(({ wakeAt }) => {
      if (wakeAt !== undefined) this.#fireIn(wakeAt - Date.now());
    });
    void this.#sweep();
    void this.#relay();
    void this.#housekeeping();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopping.abort();
    this.#unsubscribe?.();
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  #later(what: Round, ms: number, work: () => Promise<void>): void {
    clearTimeout(this.#timers.get(what));
    if (!this.#isStopped)
      this.#timers.set(
        what,
        setTimeout(() => void work(), Math.max(0, Math.min(ms, 2_000_000_000))),
      );
  }

  async #sweep(): Promise<void> {
    const { sweeper, store, sweepMs } = this.#parts;
    await this.#guarded('sweeping', async () => {
      const swept = await sweeper.sweep();
      if (swept.rungAgain > 0) this.#parts.metrics.rungAgain('sweep', swept.rungAgain);
      if (swept.takenOver + swept.rungAgain > 0)
        this.#parts.logger.info(swept, 'the sweep found work that nobody did');
      const inMs = await findNextTimer(store.pool);
      if (inMs !== undefined) this.#fireIn(inMs);
    });
    this.#later('sweep', sweeper.isSuspicious ? Math.min(SECOND_LOOK_MS, sweepMs) : sweepMs, () =>
      this.#sweep(),
    );
  }

  async #relay(): Promise<void> {
    const { store, relayMs, metrics } = this.#parts;
    await this.#guarded('relaying doorbells', async () => {
      const rung = await relayOutbox(store, relayMs);
      if (rung > 0) metrics.rungAgain('relay', rung);
    });
    this.#later('relay', relayMs, () => this.#relay());
  }

  async #housekeeping(): Promise<void> {
    const { store, logger, retention } = this.#parts;
    for (const { doing, work } of chores({ store, logger, retention, signal: this.#stopping.signal }))
      await this.#guarded(doing, work);
    this.#later('housekeeping', HOUSEKEEPING_MS, () => this.#housekeeping());
  }

  /** The soonest timer known decides; a timer that was set on another clock is at worst found by the next sweep. */
  #fireIn(inMs: number): void {
    const at = performance.now() + inMs;
    if (at >= this.#nextTimerAt) return;
    this.#nextTimerAt = at;
    this.#later('timer', inMs + 1, async () => {
      this.#nextTimerAt = Number.POSITIVE_INFINITY;
      await this.#guarded('firing timers', async () => {
        await this.#parts.sweeper.fireTimers();
        const next = await findNextTimer(this.#parts.store.pool);
        if (next !== undefined) this.#fireIn(Math.max(next, 1));
      });
    });
  }

  async #guarded(doing: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.#isStopped) this.#parts.logger.warn({ err: error }, `trouble while ${doing}`);
    }
  }
}
