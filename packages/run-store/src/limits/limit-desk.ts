import { limitCovers } from '@pawl/dag-core';
import { isDatabaseTrouble, throughTrouble } from '../database-trouble.ts';
import { GroupCommitter } from '../group-committer.ts';
import { type HotPool, inTransaction } from '../hot-pool.ts';
import { listLimits, pauseLimits, type StoredLimit } from '../sql/configured-limits.ts';
import {
  findDueLimits,
  findLimitsWithLines,
  findPermitsOf,
  findStalePermits,
  lockLimits,
  MOST_OF_A_LINE,
  writeLimits,
} from '../sql/limits.ts';
import { type OutboxBell, outboxBells } from '../use-cases/outbox-bell.ts';
import { decideLimits, type LimitChanges } from './decide-limits.ts';
import {
  type CallEnd,
  type LimitOperation,
  limitKey,
  type PermitAnswer,
  type PermitAsk,
} from './limit-shapes.ts';

// Everything about what limits grant goes through here: who asks, who has ended, who stands in line. A batch locks the limits it is
// about in the order of their keys, decides, writes, and rings for those it lets go on: two round trips however many there are.
// What no limit covers never comes here.

const AT_ONCE = 500;
/** A permit this old whose node run nobody works on is taken back. */
const STALE_MS = 10_000;

/** What the desk needs of its store. */
export interface LimitDeskParts {
  readonly pool: HotPool;
  ring(bells: readonly OutboxBell[]): Promise<void>;
  /** A line is to be looked at then, epoch milliseconds. */
  onWakeAt(wakeAtMs: number): void;
  /** What limits there are has changed. */
  onChanged(): void;
  onError(error: Error, doing: string): void;
}

/** Grants calls under limits that all processes share. */
export class LimitDesk {
  readonly #parts: LimitDeskParts;
  readonly #operations: GroupCommitter<LimitOperation, PermitAnswer>;
  #limits: readonly StoredLimit[] = [];

  constructor(parts: LimitDeskParts) {
    this.#parts = parts;
    this.#operations = new GroupCommitter<LimitOperation, PermitAnswer>({
      keyOf: (operation) => ('path' in operation ? `${operation.runId} ${operation.path}` : 'look'),
      batchSize: 256,
      batchesInFlight: 1,
      send: (batch) => this.#send(batch),
      isolate: (error) => !isDatabaseTrouble(error),
    });
  }

  /** Reads which limits there are; to be called at the start and when they have changed. */
  async load(): Promise<void> {
    this.#limits = await listLimits(this.#parts.pool);
  }

  /** Which limits a call has to ask. @param called `<provider>:<model>` or `<tool>@<version>` */
  covering(workspaceId: string, called: string): string[] {
    const now = Date.now();
    return this.#limits
      .filter(
        (limit) =>
          (limit.workspaceId === null || limit.workspaceId === workspaceId) &&
          limitCovers(limit.target, called) &&
          (isConfigured(limit) || (limit.pausedUntil?.getTime() ?? 0) > now),
      )
      .map(({ key }) => key);
  }

  /** Asks for leave to make a call. Rejects when the database is away. */
  ask(ask: Omit<PermitAsk, 'type'>): Promise<PermitAnswer> {
    return this.#operations.commit({ type: 'ask', ...ask });
  }

  /** A call has ended. Nobody waits for it; what a process that dies leaves behind is taken back by others. */
  ended(end: Omit<CallEnd, 'type'>): void {
    this.#soon({ type: 'end', ...end });
  }

  /** Looks at lines, without anybody waiting for it: somebody stands in them now, or a limit has changed. */
  lookSoon(keys: readonly string[]): void {
    if (keys.length > 0) this.#soon({ type: 'look', keys });
  }

  /**
   * A service asked to be left alone for a while: everybody keeps away.
   *
   * @param own keep away from what was called though no limit is configured for it
   */
  async pause(workspaceId: string, called: string, forMs: number, own: 'too' | 'no'): Promise<void> {
    const covering = new Set(this.covering(workspaceId, called));
    const paused = this.#limits.filter(({ key }) => covering.has(key));
    const limits = [
      ...paused,
      ...(own === 'too' && paused.length === 0
        ? [{ key: limitKey(null, called), workspaceId: null, target: called }]
        : []),
    ];
    if (limits.length === 0) return;
    await pauseLimits(this.#parts.pool, limits, forMs);
    await this.changed(limits.map(({ key }) => key));
  }

  /** Limits were set, removed or paused: this process and the others hear of it, and their lines are looked at. */
  async changed(keys: readonly string[]): Promise<void> {
    await this.load();
    this.#parts.onChanged();
    this.lookSoon(keys);
  }

  /** Looks at the lines whose time has come. */
  async lookAtDue(): Promise<number> {
    const due = await findDueLimits(this.#parts.pool, AT_ONCE);
    await this.#look(due.map(({ key }) => key));
    return due.length;
  }

  /** Looks at every line, and takes back what nobody calls with: what processes that died have left. */
  async lookEverywhere(): Promise<void> {
    const { pool } = this.#parts;
    for (const { isUnused, key, ...permit } of await findStalePermits(pool, STALE_MS, AT_ONCE))
      this.ended({ ...permit, keys: [key], ...(isUnused && { used: { requests: 0, tokens: 0 } }) });
    await this.#look((await findLimitsWithLines(pool)).map(({ key }) => key));
  }

  /** What workers that are dead had leave to do; their calls may have been made, so they count. */
  async takeBack(workerIds: readonly string[]): Promise<void> {
    const permits = await findPermitsOf(this.#parts.pool, workerIds);
    await Promise.all(
      permits.map(({ key, ...permit }) => this.#operations.commit({ type: 'end', ...permit, keys: [key] })),
    );
  }

  async #look(keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.#operations.commit({ type: 'look', keys });
  }

  #soon(operation: LimitOperation): void {
    throughTrouble(() => this.#operations.commit(operation)).catch((error) =>
      this.#parts.onError(error, 'looking at limits'),
    );
  }

  async #send(batch: readonly LimitOperation[]): Promise<PermitAnswer[]> {
    const keys = [...new Set(batch.flatMap((operation) => operation.keys))].sort();
    const nodeRuns = batch.flatMap((operation) => ('path' in operation ? [operation] : []));
    const { changes, bells } = await inTransaction(this.#parts.pool, async ({ client, commitWith }) => {
      const decided = decideLimits(batch, await lockLimits(client, keys, nodeRuns));
      const outbox = hasChanges(decided) ? await commitWith(() => writeLimits(client, decided)) : [];
      return { changes: decided, bells: outboxBells(outbox, decided.rung) };
    });
    if (bells.length > 0) void this.#parts.ring(bells);
    for (const { wakeAtMs } of changes.limits) if (wakeAtMs !== undefined) this.#parts.onWakeAt(wakeAtMs);
    // What a node run had of other limits than the one that refused it is there for others.
    batch.forEach((operation, i) => {
      const answer = changes.answers[i]!;
      if (!answer.isGranted) this.lookSoon(operation.keys.filter((key) => key !== answer.refusedBy));
    });
    // A line longer than what was looked at may have more who fit.
    if (changes.left.length >= MOST_OF_A_LINE)
      this.lookSoon([...new Set(changes.left.map(({ key }) => key))]);
    return [...changes.answers];
  }
}

const isConfigured = ({ windowMs, concurrency }: StoredLimit): boolean =>
  windowMs !== null || concurrency !== null;

const hasChanges = ({ limits, given, taken, left }: LimitChanges): boolean =>
  limits.length + given.length + taken.length + left.length > 0;
