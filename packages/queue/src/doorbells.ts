// The port of this package. Nothing of BullMQ shows in it: whoever rings or answers doorbells knows only these types.
//
// Rules kept here: a doorbell is a hint and never a fact. It may be lost, doubled or come out of order; PostgreSQL
// decides what is really ready, and the relay and the sweeper ring again for what was lost.

/** "This node run may be ready": ids only. An empty `path` means that the run itself wants its end computed. */
export interface Doorbell {
  readonly runId: string;
  readonly path: string;
}

/** A doorbell with the workspace it belongs to: where many wait, workspaces take turns. Those without one are of one. */
export interface RungBell extends Doorbell {
  readonly workspaceId?: string | undefined;
}

/** Who is to hear a ring, and how urgent it is. */
export interface RingOptions {
  /** Workers that serve this pool. Default: the pool of the configuration. */
  readonly pool?: string;
  /** Of the runs: 1 (first) to 9 (last), default 5. Among those of a workspace; 6 to 9 let everybody else pass. */
  readonly priority?: number;
}

/** How many queue jobs stand where. One job carries 1 to 64 doorbells, so these are not counts of node runs. */
export interface QueueDepth {
  /** Jobs that no consumer has fetched yet. */
  readonly waiting: number;
  /** Jobs whose handler is running. */
  readonly active: number;
  /** Jobs put back for later: their handler threw, or their message comes from a newer release. */
  readonly delayed: number;
}

/** The ringing side: used by whoever made node runs ready. */
export interface DoorbellQueue {
  /**
   * Resolves when the queue has taken the doorbells; concurrent calls share batches.
   *
   * @throws {QueueUnavailableError} at once when the queue's server is away, or after `ringTimeoutMs` when it does not
   *   answer. The caller then leaves its outbox row to the relay. Recovers by itself when the server is back.
   */
  ring(bells: readonly RungBell[], options?: RingOptions): Promise<void>;
  /**
   * @param pool default: the pool of the configuration
   * @throws {QueueUnavailableError} when the queue's server is away or silent.
   */
  depth(pool?: string): Promise<QueueDepth>;
  /** Sends what already waits, then lets go of the connections. */
  close(): Promise<void>;
}

/** The answering side. */
export interface DoorbellConsumer {
  /**
   * Stops fetching and waits for running handlers, at most `timeoutMs` (default 10,000). What is still running then is
   * given back to the queue, so that another consumer gets those doorbells at once.
   */
  close(options?: { readonly timeoutMs?: number }): Promise<void>;
  /** After it resolves no further handler starts; running ones go on. A paused consumer is only good for closing. */
  pause(): Promise<void>;
}

/** What both backends take. */
interface CommonQueueConfig {
  /** Workers of one pool share one queue. Letters, digits, `_`, `-` and `.`. Default `default`. */
  readonly pool?: string;
  /** How long `ring` and `depth` wait for an answer, in milliseconds. Default 5,000. */
  readonly ringTimeoutMs?: number;
  /**
   * Hears of lost connections, failed handlers and messages that cannot be read: once per kind and second at most.
   * Default: one line on standard error.
   */
  readonly onTrouble?: (trouble: Error) => void;
}

/** BullMQ on Redis or Valkey. */
export interface RedisQueueConfig extends CommonQueueConfig {
  readonly backend: 'redis';
  readonly url: string;
  /** Starts every key. Default `pawl`. The pool is part of the hash tag, so a cluster can spread pools. */
  readonly prefix?: string;
}

/** BullMQ's PostgreSQL backend. The connection must keep its session (no transaction pooler), because it listens. */
export interface PostgresQueueConfig extends CommonQueueConfig {
  readonly backend: 'postgres';
  readonly url: string;
  /** The schema of the queue's own tables. Default `pawl_queue`. */
  readonly schema?: string;
}

/** Where the queue lives. */
export type QueueConfig = RedisQueueConfig | PostgresQueueConfig;

/** What a consumer does with doorbells, and how fast. */
export interface ConsumeOptions {
  /** Handlers that may run at the same time in this process, 1 or more. */
  readonly fetchers: number;
  /** Gets 1 to 64 doorbells. When it throws, the same doorbells come again after a growing pause of at most 10 s. */
  readonly onBells: (bells: Doorbell[]) => Promise<void>;
  /** Liveness of one delivery, in milliseconds. Default 60,000: attempts and leases are counted in PostgreSQL. */
  readonly lockMs?: number;
  /** How often deliveries of dead consumers are looked for, in milliseconds. Default 15,000. */
  readonly stalledCheckMs?: number;
  /** How long a message from a newer release is put aside, in milliseconds. Default 5,000 (case C53). */
  readonly newerVersionDelayMs?: number;
}
