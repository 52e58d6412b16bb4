import type { DoorbellQueue } from '@pawl/queue';
import {
  type ForgottenBell,
  findDueTimers,
  findForgotten,
  findLiveWorkers,
  findOverdueRuns,
  type HotStore,
  type SuspectWorker,
  type SweepTarget,
  takeOver,
} from '@pawl/run-store';

const AT_ONCE = 500;
/** What is told about a run that is overdue. */
const OVERDUE = {
  grace: { type: 'graceOver' },
  deadline: { type: 'overtime' },
  timeout: { type: 'timedOut' },
} as const;
/** Apart at least this long, two looks that find a worker's lock free mean that it is dead. */
const DEATH_NOTICE_MS = 1_000;
/** A ready node run that nobody took for this long is rung again, whatever the queue says. */
const CERTAINLY_FORGOTTEN_MS = 60_000;
/** Signals and those who wait for them find each other by themselves; how often this is made sure of. */
const SIGNALS_LOOK_MS = 60_000;

/** What one sweep did. */
export interface Swept {
  readonly takenOver: number;
  readonly timers: number;
  readonly rungAgain: number;
  readonly ended: number;
}

/** Finds what nobody is working on and should be: dead workers, due timers, lost doorbells, overdue runs. */
export class Sweeper {
  readonly #store: HotStore;
  readonly #queue: DoorbellQueue;
  readonly #leaseMs: number;
  readonly #cancelGraceMs: number;
  /** Workers whose lock was free, and since when this sweeper knows. */
  readonly #suspects = new Map<string, number>();
  /** When the database did not answer last. */
  #troubleAt = Number.NEGATIVE_INFINITY;
  #signalsLookedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: { store: HotStore; queue: DoorbellQueue; leaseMs: number; cancelGraceMs: number }) {
    this.#store = parts.store;
    this.#queue = parts.queue;
    this.#leaseMs = parts.leaseMs;
    this.#cancelGraceMs = parts.cancelGraceMs;
  }

  /** True while a worker is under suspicion: the next look should come soon. */
  get isSuspicious(): boolean {
    return this.#suspects.size > 0;
  }

  async sweep(): Promise<Swept> {
    const takenOver = await this.takeOverDead();
    const timers = await this.fireTimers();
    const ended = await this.endOverdue();
    await this.bringSignals();
    await this.#store.words.tellLate();
    await this.#store.limits.lookEverywhere();
    await this.#store.runKeys.lookEverywhere();
    const rungAgain = await this.ringForgotten();
    return { takenOver, timers, ended, rungAgain };
  }

  /**
   * Lease past on the database's clock, or session lock free in two looks at least a second apart. While the database was away
   * nobody could renew a lease or hold a lock, so after that workers have the length of a lease to come back (C46).
   */
  async takeOverDead(nowMs = performance.now()): Promise<number> {
    const dead: string[] = [];
    const seen = new Set<string>();
    for (const worker of await this.#look(nowMs)) {
      if (this.#mayComeBack(worker, nowMs)) continue;
      seen.add(worker.id);
      const since = this.#suspects.get(worker.id);
      if (
        worker.isLeaseOver ||
        (worker.isLockFree && since !== undefined && nowMs - since >= DEATH_NOTICE_MS)
      )
        dead.push(worker.id);
      else if (!worker.isLockFree) this.#suspects.delete(worker.id);
      else if (since === undefined) this.#suspects.set(worker.id, nowMs);
    }
    for (const id of this.#suspects.keys()) if (!seen.has(id) || dead.includes(id)) this.#suspects.delete(id);
    return takeOver(this.#store, dead, 'its worker is gone');
  }

  #mayComeBack({ serverUpMs, leasePastServerStartMs }: SuspectWorker, nowMs: number): boolean {
    const isServerNew = serverUpMs < this.#leaseMs && leasePastServerStartMs < this.#leaseMs;
    return isServerNew || nowMs - this.#troubleAt < this.#leaseMs;
  }

  async #look(nowMs: number): Promise<SuspectWorker[]> {
    try {
      return await findLiveWorkers(this.#store.pool);
    } catch (error) {
      this.#troubleAt = nowMs;
      throw error;
    }
  }

  /** Signals that a process which died had taken, or had to look for. */
  async bringSignals(nowMs = performance.now()): Promise<void> {
    await this.#store.signals.deliverLate();
    if (nowMs - this.#signalsLookedAt < SIGNALS_LOOK_MS) return;
    this.#signalsLookedAt = nowMs;
    await this.#store.signals.lookEverywhere();
  }

  async fireTimers(): Promise<number> {
    const due = await findDueTimers(this.#store.pool, AT_ONCE);
    const [lines] = await Promise.all([
      this.#store.limits.lookAtDue(),
      ...due.map((target) => this.#commit(target, { type: 'timerDue', path: target.path })),
    ]);
    return due.length + lines;
  }

  async endOverdue(): Promise<number> {
    const overdue = await findOverdueRuns(this.#store.pool, this.#cancelGraceMs, AT_ONCE);
    await Promise.all(overdue.map((target) => this.#commit(target, OVERDUE[target.what])));
    return overdue.length;
  }

  /** An emptied queue says so by being empty; a single lost doorbell is noticed when it is old enough. */
  async ringForgotten(): Promise<number> {
    const forgotten = await findForgotten(this.#store.pool, DEATH_NOTICE_MS, AT_ONCE);
    const pools = new Set(forgotten.map((bell) => bell.pool ?? undefined));
    const rung = await Promise.all([...pools].map((pool) => this.#ringIn(pool, forgotten)));
    return rung.reduce((sum, count) => sum + count, 0);
  }

  async #ringIn(pool: string | undefined, forgotten: readonly ForgottenBell[]): Promise<number> {
    const isIdle = await this.#queue.depth(pool).then(
      ({ waiting, active, delayed }) => waiting + active + delayed === 0,
      () => undefined,
    );
    if (isIdle === undefined) return 0; // the queue is away: its doorbells wait in the outbox
    const bells = forgotten.filter(
      (bell) => (bell.pool ?? undefined) === pool && (isIdle || bell.ageMs >= CERTAINLY_FORGOTTEN_MS),
    );
    await this.#store.ringAgain(bells);
    return bells.length;
  }

  async #commit(
    target: SweepTarget,
    fact: Parameters<HotStore['commit']>[0]['facts'][number],
  ): Promise<void> {
    const graph = await this.#store.graphs.get(target.workspaceId, target.versionId);
    await this.#store.commit({ runId: target.runId, graph, facts: [fact] });
  }
}
