import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';

/** Who a worker process is: enough for another process on the same host to prove that it is dead. */
export interface WorkerIdentity {
  readonly id: string;
  /** Key of the session advisory lock the worker holds while it lives. */
  readonly lockKey: string;
  /** Host, boot and pid namespace; equal only where a pid means the same process. */
  readonly host: string;
  readonly pid: number;
  /** Start time of the process as the system tells it, so that a reused pid is not mistaken for it. */
  readonly processStarted: string;
  /** The pools it serves. */
  readonly pools: readonly string[];
}

/** What a worker can call. */
export interface WorkerOffer {
  /** `<name>@<version>` */
  readonly tools: readonly string[];
  /** Of models, as the worker itself is configured. */
  readonly providers: readonly string[];
  /** It opens credentials of workspaces. */
  readonly opensCredentials?: boolean;
  /** The MCP servers that it is configured for. */
  readonly servers?: readonly ServerOffer[];
}

/** How one MCP server stands, as a worker sees it. */
export interface ServerOffer {
  readonly name: string;
  readonly transport: 'stdio' | 'http';
  readonly state: 'connected' | 'away';
  /** Since when it is connected or away, ISO 8601 by the clock of the worker. */
  readonly since: string;
  /** How many tools it offers. */
  readonly tools: number;
  /** Why it is away; absent: it was not tried yet. */
  readonly problem?: string;
  /** What it lists and cannot be called here. */
  readonly leftOut?: readonly { readonly tool: string; readonly why: string }[];
}

const register: Statement = {
  name: 'register-worker',
  text: `
insert into worker (id, lock_key, host, pid, process_started, pools, lease_until, offers)
values ($1, $2, $3, $4, $5, $6, now() + $7::float8 * interval '1 millisecond', $8::json)`,
};

/**
 * Renews a lease; no row when the worker was declared dead meanwhile and must stop what it does.
 * Parameters: $1 worker id, $2 length in milliseconds. Sent by the lease thread (live/lease-thread.mjs).
 */
export const renewLease: Statement = {
  name: 'renew-lease',
  text: `
update worker set lease_until = now() + $2::float8 * interval '1 millisecond'
where id = $1 and stopped_at is null
returning id`,
};

const stop: Statement = {
  name: 'stop-worker',
  text: 'update worker set stopped_at = now(), lease_until = now() where id = $1',
};

/** Adds the worker with a lease of `leaseMs` on the database's clock. */
export async function registerWorker(
  pool: HotPool,
  worker: WorkerIdentity,
  leaseMs: number,
  offers?: WorkerOffer,
): Promise<void> {
  const { id, lockKey, host, pid, processStarted, pools } = worker;
  const said = offers ? JSON.stringify(offers) : null;
  await runStatement(pool, register, [id, lockKey, host, pid, processStarted, pools, leaseMs, said]);
}

const tell: Statement = {
  name: 'tell-offers',
  text: 'update worker set offers = $2::json where id = $1 and stopped_at is null',
};

/** What a worker can call is not what it said when it was registered. */
export async function tellOffers(pool: HotPool, workerId: string, offers: WorkerOffer): Promise<void> {
  await runStatement(pool, tell, [workerId, JSON.stringify(offers)]);
}

const declareDead: Statement = {
  name: 'declare-worker-dead',
  text: 'update worker set stopped_at = now() where id = $1 and stopped_at is null',
};

/**
 * A worker was found dead: its renewals are refused from here on. Its lease stays as it is, since one that is alive after all
 * may go by it until it is over.
 */
export async function declareDeadWorker(pool: HotPool, workerId: string): Promise<void> {
  await runStatement(pool, declareDead, [workerId]);
}

/** The worker has ended, by its own word: nobody waits for its lease any more. */
export async function stopWorker(pool: HotPool, workerId: string): Promise<void> {
  await runStatement(pool, stop, [workerId]);
}
