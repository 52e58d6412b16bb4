import { Worker } from 'node:worker_threads';
import { renewLease } from '../sql/worker-leases.ts';

export interface LeaseKeeperOptions {
  readonly url: string;
  readonly workerId: string;
  /** Renewed every third of this, on the database's clock. */
  readonly leaseMs: number;
  /** An event loop that stands still for longer than this ends the process. */
  readonly stuckMs: number;
  /** Told on the event loop, so late when that is blocked; {@link LeaseKeeper.isLost} and `leftMs` are never late. */
  onRenewed(): void;
  onLost(): void;
  onError(error: Error): void;
}

/** Places in what process and thread share. */
const AT = { renewed: 0, beat: 1, lost: 2 } as const;
/** A thread that ended by itself is started again after this. */
const START_AGAIN_MS = 500;

/**
 * Renews a worker's lease on a thread and a connection of its own, so that a tool which blocks the event loop keeps what its
 * worker holds (C43). Instants are nanoseconds of `process.hrtime`: one monotonic clock that all threads of a process read alike.
 */
export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions;
  readonly #cells = new BigInt64Array(new SharedArrayBuffer(3 * BigInt64Array.BYTES_PER_ELEMENT));
  #thread: Worker | undefined;
  #beat: NodeJS.Timeout | undefined;
  #isStopped = false;
  #waiting: (() => void)[] = [];

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
  }

  /** Call right after the lease was taken; `takenAt` is from before that was asked for. */
  start(takenAt: bigint): void {
    const beat = () => Atomics.store(this.#cells, AT.beat, process.hrtime.bigint());
    Atomics.store(this.#cells, AT.renewed, takenAt);
    beat();
    this.#beat = setInterval(beat, Math.min(1_000, this.#options.leaseMs / 3));
    this.#beat.unref();
    this.#startThread();
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#beat);
    this.#thread?.postMessage('stop');
    this.#answered();
  }

  get isLost(): boolean {
    return Atomics.load(this.#cells, AT.lost) === 1n;
  }

  /** What is left of the lease in milliseconds: counted from before the newest renewal was sent, so never too much. */
  get leftMs(): number {
    const age = process.hrtime.bigint() - Atomics.load(this.#cells, AT.renewed);
    return this.#options.leaseMs - Number(age) / 1e6;
  }

  /** Asks for a renewal at once; resolves with the thread's next word, whatever it is. */
  renew(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#thread?.postMessage('renew');
    });
  }

  #startThread(): void {
    const { url, workerId, leaseMs, stuckMs } = this.#options;
    const statement = renewLease.text;
    // Without the loaders of this process: the thread is plain JavaScript and starts in some 50 ms.
    const thread = new Worker(new URL('./lease-thread.mjs', import.meta.url), {
      execArgv: [],
      workerData: { url, statement, workerId, leaseMs, stuckMs, cells: this.#cells, at: AT },
    });
    thread.unref();
    thread.on('message', (said: { renewed?: true; lost?: true; problem?: string }) => this.#heard(said));
    thread.on('error', (error) => this.#options.onError(error));
    thread.on('exit', () => {
      this.#answered();
      if (this.#isStopped || this.isLost) return;
      setTimeout(() => this.#isStopped || this.#startThread(), START_AGAIN_MS).unref();
    });
    this.#thread = thread;
  }

  #heard({ renewed, lost, problem }: { renewed?: true; lost?: true; problem?: string }): void {
    if (!this.#isStopped) {
      if (renewed) this.#options.onRenewed();
      if (lost) this.#options.onLost();
      if (problem !== undefined) this.#options.onError(new Error(problem));
    }
    this.#answered();
  }

  #answered(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
