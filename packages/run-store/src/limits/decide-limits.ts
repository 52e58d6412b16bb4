import { askLimit, fairOrder, serveLine, settleCall } from '@pawl/dag-core';
import type {
  CallEnd,
  LimitOperation,
  LockedLimit,
  Permit,
  PermitAnswer,
  PermitAsk,
  Standing,
} from './limit-shapes.ts';

// The thinking part of what limits grant: no database in here, so that a test can drive it.
//
// Rules kept here: L3 what is granted fits; L7 who stands in line comes before who asks now, and workspaces take turns; L8 a node run
// that waits for one limit keeps nothing of another, so that no two wait for each other.

/** What was read under the locks. */
export interface LimitReading {
  readonly limits: readonly LockedLimit[];
  readonly permits: readonly Permit[];
  /** The heads of the lines, in order within each workspace. */
  readonly lines: readonly Standing[];
  /** Database clock, epoch milliseconds. */
  readonly nowMs: number;
}

/** What is to be written. */
export interface LimitChanges {
  readonly answers: readonly PermitAnswer[];
  readonly limits: readonly LockedLimit[];
  readonly given: readonly Permit[];
  readonly taken: readonly Permit[];
  /** Who leaves its line; those that were granted are rung for. */
  readonly left: readonly Standing[];
  readonly rung: readonly Standing[];
}

/** Decides about a batch: first what ended, then who stands in line, then who asks. */
export function decideLimits(operations: readonly LimitOperation[], reading: LimitReading): LimitChanges {
  const book = new LimitBook(reading);
  for (const operation of operations) if (operation.type === 'end') book.end(operation);
  book.serveLines();
  const answers = operations.map(
    (operation): PermitAnswer => (operation.type === 'ask' ? book.ask(operation) : { isGranted: true }),
  );
  return { answers, ...book.changes() };
}

class LimitBook {
  readonly #nowMs: number;
  readonly #limits: Map<string, LockedLimit>;
  readonly #changed = new Set<string>();
  readonly #before: Map<string, Permit>;
  readonly #permits: Map<string, Permit>;
  readonly #lines: readonly Standing[];
  readonly #left: Standing[] = [];
  readonly #rung: Standing[] = [];
  /** Lines in which somebody stands after they were served. */
  readonly #occupied = new Set<string>();

  constructor({ limits, permits, lines, nowMs }: LimitReading) {
    this.#nowMs = nowMs;
    this.#limits = new Map(limits.map((limit) => [limit.key, limit]));
    this.#before = new Map(permits.map((permit) => [idOf(permit), permit]));
    this.#permits = new Map(this.#before);
    this.#lines = lines;
  }

  end({ keys, used, workerId, ...nodeRun }: CallEnd): void {
    for (const key of keys) {
      const permit = this.#permits.get(idOf({ ...nodeRun, key }));
      if (!permit || permit.workerId !== workerId) continue;
      this.#giveBack(permit, used ?? { requests: 1, tokens: permit.tokens });
    }
  }

  serveLines(): void {
    for (const { key, limit, use, lastWorkspaceId } of [...this.#limits.values()]) {
      const own = this.#lines.filter((standing) => standing.key === key);
      this.#left.push(...own.filter(({ isReady }) => !isReady));
      const line = fairOrder(
        own.filter(({ isReady }) => isReady),
        lastWorkspaceId,
      );
      const served = serveLine(limit, use, line, this.#nowMs);
      const granted = line.slice(0, served.granted);
      for (const standing of granted) this.#grantInLine(standing);
      const isLeft = granted.length < line.length;
      if (isLeft) this.#occupied.add(key);
      this.#set({
        ...this.#limits.get(key)!,
        use: served.use,
        wakeAtMs: isLeft ? served.until : undefined,
        lastWorkspaceId: granted.at(-1)?.workspaceId ?? lastWorkspaceId,
      });
    }
  }

  ask({ keys, tokens, attempt, workerId, runId, path }: PermitAsk): PermitAnswer {
    const permits = keys
      .filter((key) => this.#limits.has(key))
      .map((key) => ({ runId, path, key, attempt, workerId, tokens, takenAtMs: this.#nowMs }));
    // A permit that was kept in line is exchanged for one of now: its call counts from when it is made.
    const kept = new Set(permits.filter((permit) => this.#permits.has(idOf(permit))).map(({ key }) => key));
    for (const permit of permits)
      if (kept.has(permit.key)) this.#giveBack(this.#permits.get(idOf(permit))!, NOT_MADE);
    const uses = new Map<string, LockedLimit['use']>();
    for (const { key } of permits) {
      const { limit, use } = this.#limits.get(key)!;
      const mayAsk = kept.has(key) || !this.#occupied.has(key);
      const answer = mayAsk ? askLimit(limit, use, { tokens }, this.#nowMs) : undefined;
      if (!answer?.isGranted) return { isGranted: false, refusedBy: key };
      uses.set(key, answer.use);
    }
    for (const [key, use] of uses) this.#set({ ...this.#limits.get(key)!, use });
    for (const permit of permits) this.#permits.set(idOf(permit), permit);
    return { isGranted: true };
  }

  changes(): Omit<LimitChanges, 'answers'> {
    const given = [...this.#permits].filter(([id, permit]) => this.#before.get(id) !== permit);
    const taken = [...this.#before].filter(([id]) => !this.#permits.has(id));
    return {
      limits: [...this.#changed].map((key) => this.#limits.get(key)!),
      given: given.map(([, permit]) => permit),
      taken: taken.map(([, permit]) => permit),
      left: this.#left,
      rung: this.#rung,
    };
  }

  #grantInLine(standing: Standing): void {
    const { runId, path, key, tokens } = standing;
    const permit = { runId, path, key, attempt: 0, workerId: null, tokens, takenAtMs: this.#nowMs };
    this.#permits.set(idOf(permit), permit);
    this.#left.push(standing);
    this.#rung.push(standing);
  }

  #giveBack(permit: Permit, used: { readonly requests: number; readonly tokens: number }): void {
    this.#permits.delete(idOf(permit));
    const locked = this.#limits.get(permit.key);
    if (!locked) return;
    const call = { grantedAtMs: permit.takenAtMs, granted: permit, ...used };
    this.#set({ ...locked, use: settleCall(locked.limit, locked.use, call, this.#nowMs) });
  }

  #set(locked: LockedLimit): void {
    const known = this.#limits.get(locked.key)!;
    const isSame =
      known.use === locked.use &&
      known.wakeAtMs === locked.wakeAtMs &&
      known.lastWorkspaceId === locked.lastWorkspaceId;
    if (isSame) return;
    this.#limits.set(locked.key, locked);
    this.#changed.add(locked.key);
  }
}

const NOT_MADE = { requests: 0, tokens: 0 };

const idOf = ({ runId, path, key }: Pick<Permit, 'runId' | 'path' | 'key'>) => `${runId} ${path} ${key}`;
