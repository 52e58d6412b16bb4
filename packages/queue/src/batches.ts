import type { RungBell } from './doorbells.ts';

/** Most doorbells one queue job carries: a worker claims them all in one statement. */
const maxBellsPerJob = 64;

/** Most doorbells handed to the queue in one go; the rest follows when those are taken. */
const maxBellsPerSend = 64 * maxBellsPerJob;

/** How the doorbells of one send came together: alone, or while another send was under way. */
export type Gathered = 'idle' | 'under-load';

/** Hands one batch to the queue. */
export type Send = (bells: RungBell[], priority: number, gathered: Gathered) => Promise<void>;

interface Lane {
  waiting: Map<string, RungBell>;
  taken: PromiseWithResolvers<void>;
  gathered: Gathered;
  sending: Promise<void> | undefined;
}

/**
 * Merges concurrent rings: while one send is under way everything that arrives joins the next one. No timer, so an idle
 * queue adds no wait. Doorbells of different priority never share a batch; equal ones that wait together become one.
 */
export class Batches {
  readonly #send: Send;
  readonly #lanes = new Map<number, Lane>();

  constructor(send: Send) {
    this.#send = send;
  }

  /** Resolves when the batch with these doorbells was taken, rejects with the error of its send. */
  add(bells: readonly RungBell[], priority: number): Promise<void> {
    if (bells.length === 0) return Promise.resolve();
    const lane = this.#lane(priority);
    for (const bell of bells) lane.waiting.set(`${bell.runId}\n${bell.path}`, bell);
    const taken = lane.taken.promise;
    lane.sending ??= this.#drain(lane, priority);
    return taken;
  }

  /** Resolves when nothing waits any more, whatever became of it. */
  async idle(): Promise<void> {
    while (this.#lanes.size > 0) await Promise.all([...this.#lanes.values()].map((lane) => lane.sending));
  }

  #lane(priority: number): Lane {
    let lane = this.#lanes.get(priority);
    if (!lane) {
      lane = { waiting: new Map(), taken: promiseWithResolvers(), gathered: 'idle', sending: undefined };
      this.#lanes.set(priority, lane);
    }
    return lane;
  }

  async #drain(lane: Lane, priority: number): Promise<void> {
    await Promise.resolve(); // rings of the same tick travel together
    while (lane.waiting.size > 0) {
      const bells = [...lane.waiting.values()];
      const { taken, gathered } = lane;
      lane.waiting = new Map();
      lane.taken = promiseWithResolvers();
      lane.gathered = 'under-load';
      try {
        for (let at = 0; at < bells.length; at += maxBellsPerSend) {
          await this.#send(bells.slice(at, at + maxBellsPerSend), priority, gathered);
        }
        taken.resolve();
      } catch (error) {
        taken.reject(error);
        // What came meanwhile would meet the same wall, each after another timeout: it fails together with this batch.
        if (lane.waiting.size > 0) {
          lane.waiting = new Map();
          lane.taken.reject(error);
        }
      }
    }
    this.#lanes.delete(priority);
  }
}

/**
 * How many doorbells go into one queue job.
 *
 * @param count      doorbells to send now, 1 or more
 * @param consumers  consumers believed to be alive, 1 or more
 * @param gathered   when the queue is idle every consumer gets a share; under load a job carries at least 8, because
 *   then every consumer is busy anyway and the cost per job counts: on two cores one job costs the queue as much as some
 *   50 doorbells inside it (Redis: 3,000 to 6,000 jobs/s added and answered, 190,000 to 360,000 doorbells/s in full jobs)
 * @returns 1 to 64
 */
export function bellsPerJob(count: number, consumers: number, gathered: Gathered): number {
  const share = Math.ceil(count / Math.max(1, consumers));
  return Math.min(maxBellsPerJob, Math.max(gathered === 'idle' ? 1 : 8, share));
}

/** Cuts a list into pieces of `size`. */
export function chunksOf<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size));
  return chunks;
}

interface PromiseWithResolvers<T> {
  promise: Promise<T>;
  resolve: (value: T | PromiseLike<T>) => void;
  reject: (reason: unknown) => void;
}

// Promise.withResolvers is not in Node 20. The quiet catch keeps a batch nobody waits for from ending the process.
function promiseWithResolvers<T = void>(): PromiseWithResolvers<T> {
  let resolve!: PromiseWithResolvers<T>['resolve'];
  let reject!: PromiseWithResolvers<T>['reject'];
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}
