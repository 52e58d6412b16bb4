import { randomUUID } from 'node:crypto';
import { type Fact, isTerminalRun, type Verdict } from '@pawl/dag-core';
import { isDatabaseTrouble } from './database-trouble.ts';
import { GraphCache } from './graph-cache.ts';
import { GroupCommitter } from './group-committer.ts';
import { type HotPool, openHotPool } from './hot-pool.ts';
import { byRing, type Lane, type Ring } from './lane.ts';
import { LimitDesk } from './limits/limit-desk.ts';
import { limitOfLine } from './limits/limit-shapes.ts';
import { RunKeyDesk } from './limits/run-key-desk.ts';
import { type Hearing, LiveBus } from './live/live-bus.ts';
import { SignalDesk } from './signals/signal-desk.ts';
import { deleteOutbox } from './sql/delete-outbox.ts';
import { type FoundVersion, findVersions, type VersionWish } from './sql/find-versions.ts';
import type { NodeRunKey } from './sql/load-node-runs.ts';
import { sameEvents } from './sql/same-events.ts';
import type { TakenSignal } from './sql/signals.ts';
import type { GroupedWrite, StoreObserver } from './store-observer.ts';
import { type Admission, type Admitted, admitRuns } from './use-cases/admit-runs.ts';
import { type CommittedBatch, CommitUnknownError, commitFacts } from './use-cases/commit-facts.ts';
import type { FactEntry, FactResult } from './use-cases/decide-entries.ts';
import type { OutboxBell } from './use-cases/outbox-bell.ts';
import { WordDesk } from './words/word-desk.ts';

/** What the hot store needs from its process. */
export interface HotStoreOptions {
  readonly url: string;
  /** Connections for contended writes and their reads. Default 8. */
  readonly connections?: number;
  /** Which wake-ups this process hears. Default everything. */
  readonly hearing?: Hearing;
  /** Rings the queue; rejects when it is away, the doorbells then wait in the outbox for the relay. */
  ring(bells: readonly (NodeRunKey & Pick<Lane, 'workspaceId'>)[], how: Ring): Promise<void>;
  /** @param runIds runs it is about, where it is about some; the first of them when they are many */
  onError(error: Error, doing: string, runIds?: readonly string[]): void;
  /** Hears what was done; absent: nobody wants to know, and it costs nothing. */
  readonly observer?: StoreObserver;
}

/** The contended side of the store: group commits of admissions and facts, doorbells after commit, wake-ups. */
export class HotStore {
  readonly pool: HotPool;
  readonly graphs: GraphCache;
  readonly live: LiveBus;
  /** Brings signals to whoever waits for them. */
  readonly signals: SignalDesk;
  /** Tells runs what the runs above and below them said. */
  readonly words: WordDesk;
  /** Grants calls under limits. */
  readonly limits: LimitDesk;
  /** Lets runs that share a key go on a few at a time. */
  readonly runKeys: RunKeyDesk;
  readonly #options: HotStoreOptions;
  readonly #facts: GroupCommitter<FactEntry, FactResult>;
  readonly #admissions: GroupCommitter<Admission, Admitted>;
  readonly #forgets: GroupCommitter<number[], void>;
  readonly #versions: GroupCommitter<VersionWish, FoundVersion>;
  #isClosed = false;

  private constructor(options: HotStoreOptions) {
    this.#options = options;
    this.pool = openHotPool(options.url, options.connections ?? 8, (error) =>
      options.onError(error, 'database'),
    );
    this.graphs = new GraphCache(this.pool);
    this.live = new LiveBus(options.url, (error) => options.onError(error, 'wake-ups'), options.hearing);
    this.signals = new SignalDesk({
      pool: this.pool,
      deliver: (signal) => this.#deliver(signal),
      onError: (error, doing) => {
        if (!this.#isClosed) options.onError(error, doing);
      },
    });
    this.words = new WordDesk({
      pool: this.pool,
      graph: (workspaceId, versionId) => this.graphs.get(workspaceId, versionId),
      commit: async (runId, graph, fact) => (await this.commit({ runId, graph, facts: [fact] })).verdicts[0],
      onError: (error, doing, runIds) => {
        if (!this.#isClosed) options.onError(error, doing, runIds);
      },
    });
    this.limits = new LimitDesk({
      pool: this.pool,
      ring: (bells) => this.ring(bells),
      onWakeAt: (wakeAtMs) => this.live.timerSet(wakeAtMs),
      onChanged: () => this.live.limitsChanged(),
      onError: (error, doing) => {
        if (!this.#isClosed) options.onError(error, doing);
      },
    });
    this.runKeys = new RunKeyDesk({
      pool: this.pool,
      ring: (bells) => this.ring(bells),
      onError: (error, doing) => {
        if (!this.#isClosed) options.onError(error, doing);
      },
    });
    const isolate = (error: unknown) => !isDatabaseTrouble(error);
    const sent = (what: GroupedWrite) =>
      options.observer?.sent && {
        onSent: (entries: number, tookMs: number) =>
          this.#tell((observer) => observer.sent?.(what, entries, tookMs)),
      };
    this.#facts = new GroupCommitter<FactEntry, FactResult>({
      keyOf: (entry) => entry.runId,
      send: (batch) => this.#sendFacts(batch),
      batchSize: 64,
      batchesInFlight: 2,
      isolate,
      ...sent('facts'),
    });
    this.#admissions = new GroupCommitter<Admission, Admitted>({
      keyOf: ({ dedupe, runId, workspaceId, flow }) =>
        dedupe ? `${workspaceId} ${flow} ${dedupe.key}` : runId,
      send: (batch) => this.#sendAdmissions(batch),
      batchSize: 128,
      batchesInFlight: 2,
      isOnePerKey: true,
      isolate,
      ...sent('admissions'),
    });
    this.#versions = new GroupCommitter<VersionWish, FoundVersion>({
      keyOf: () => randomUUID(),
      send: (wishes) => findVersions(this.pool, wishes),
      batchSize: 256,
      batchesInFlight: 2,
      isolate,
      ...sent('versions'),
    });
    this.#forgets = new GroupCommitter<number[], void>({
      keyOf: () => randomUUID(),
      batchSize: 256,
      batchesInFlight: 1,
      send: async (batch) => {
        await deleteOutbox(this.pool, batch.flat());
        return batch.map(() => undefined);
      },
      ...sent('outbox'),
    });
  }

  /** Opens the pool and the wake-up connection. */
  static async open(options: HotStoreOptions): Promise<HotStore> {
    const store = new HotStore(options);
    await store.live.open();
    return store;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.live.close();
    await this.pool.end();
  }

  /** Decides and commits facts of one run, together with whatever else is committed now. */
  commit(entry: FactEntry): Promise<FactResult> {
    return this.#facts.commit(entry);
  }

  /** Tells a node run the signal that was set aside for it. */
  async #deliver({
    runId,
    path,
    workspaceId,
    versionId,
    waitKey,
    fromRun,
    ...rest
  }: TakenSignal): Promise<Verdict> {
    const { id, name, key, payload, by, sentAt } = rest;
    const signal = { id, name, key, payload, by, sentAt, ...(fromRun !== null && { fromRun }) };
    const graph = await this.graphs.get(workspaceId, versionId);
    const { verdicts } = await this.commit({
      runId,
      graph,
      facts: [{ type: 'signal', path, waitKey, signal }],
    });
    return verdicts[0] ?? 'notMine';
  }

  /** Admits a run, together with whatever else is admitted now. */
  admit(admission: Admission): Promise<Admitted> {
    return this.#admissions.commit(admission);
  }

  /** The version a start means, asked for together with whatever else starts now. */
  findVersion(wish: VersionWish): Promise<FoundVersion> {
    return this.#versions.commit(wish);
  }

  /** Rings doorbells that are committed and forgets them once the queue has them. A queue that is away is the relay's matter. */
  async ring(bells: readonly OutboxBell[]): Promise<void> {
    if (bells.length === 0) return;
    try {
      await Promise.all(byRing(bells).map(({ ring, bells: own }) => this.#ringOn(ring, own)));
    } catch (error) {
      if (!this.#isClosed) this.#options.onError(error as Error, 'ringing doorbells', runsOf(bells));
    }
  }

  async #ringOn(how: Ring, bells: readonly OutboxBell[]): Promise<void> {
    await this.#offer(bells, how);
    await this.#forgets.commit(bells.map((bell) => bell.outboxId));
  }

  /** Rings for what is ready and may have been forgotten. */
  async ringAgain(bells: readonly (NodeRunKey & Lane)[]): Promise<void> {
    if (bells.length === 0) return;
    try {
      await Promise.all(byRing(bells).map(({ ring, bells: own }) => this.#offer(own, ring)));
    } catch (error) {
      if (!this.#isClosed) this.#options.onError(error as Error, 'ringing doorbells again', runsOf(bells));
    }
  }

  async #offer(bells: readonly (NodeRunKey & Pick<Lane, 'workspaceId'>)[], how: Ring): Promise<void> {
    let result: 'taken' | 'refused' = 'refused';
    try {
      await this.#options.ring(bells, how);
      result = 'taken';
    } finally {
      this.#tell((observer) => observer.rung?.(bells.length, result));
    }
  }

  /**
   * Sends a batch until the database has taken it. When a commit's answer was lost the journal tells whether it happened, so
   * that nothing is decided twice.
   */
  async #sendFacts(batch: FactEntry[]): Promise<FactResult[]> {
    let unknown: CommitUnknownError | undefined;
    for (let waitMs = 50; ; waitMs = Math.min(waitMs * 2, 1_000)) {
      try {
        const committed: CommittedBatch =
          unknown && (await sameEvents(this.pool, unknown.written))
            ? unknown.batch
            : await commitFacts(this.pool, batch);
        this.#afterFacts(batch, committed);
        return [...committed.results];
      } catch (error) {
        if (error instanceof CommitUnknownError) unknown = error;
        else if (!isDatabaseTrouble(error)) throw error;
        if (this.#isClosed) throw error;
        this.#options.onError(error as Error, 'committing outcomes', runsOf(batch));
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    }
  }

  #afterFacts(
    batch: readonly FactEntry[],
    { results, bells, decisions, admissions, words }: CommittedBatch,
  ): void {
    void this.ring(bells);
    this.words.tellSoon(words);
    if (admissions.length > 0)
      this.#tell((observer) =>
        observer.admitted?.(
          admissions,
          admissions.map(() => ({ isAdmitted: true })),
        ),
      );
    this.#tell((observer) => observer.committed?.(decisions));
    this.live.runsChanged(batch.map((entry) => entry.runId));
    this.#linesJoined(decisions);
    this.#keysFreed(decisions);
    batch.forEach((entry, i) => {
      const { wakeAt, waitKeys } = results[i]!;
      if (wakeAt !== undefined) this.live.timerSet(wakeAt);
      if (waitKeys) this.signals.lookSoon(waitKeys);
      if (entry.facts.some(mayAbort)) this.live.cancelAsked(entry.runId);
    });
  }

  /** Whoever lets those in line go on is told, after the commit: what became free in between is not overlooked. */
  #linesJoined(decisions: CommittedBatch['decisions']): void {
    const lines = new Set(
      decisions.flatMap((decision) => [...decision.lines.values()].map(({ key }) => key)),
    );
    const limits = [...lines].flatMap((line) => limitOfLine(line) ?? []);
    this.limits.lookSoon(limits);
    for (const line of lines) if (limitOfLine(line) === undefined) this.live.lineJoined(line);
  }

  /** Runs that have ended let others of their key begin. */
  #keysFreed(decisions: CommittedBatch['decisions']): void {
    for (const { run, view } of decisions) {
      const key = view.run.more?.concurrency;
      if (key === undefined || !isTerminalRun(view.run.status)) continue;
      this.runKeys.lookSoon([{ workspaceId: run.workspaceId, flow: view.graph.document.name, key }]);
    }
  }

  async #sendAdmissions(batch: Admission[]): Promise<Admitted[]> {
    const { results, bells } = await admitRuns(this.pool, batch);
    void this.ring(bells);
    this.runKeys.lookSoon(
      batch.flatMap(({ workspaceId, flow, concurrency }) =>
        concurrency ? [{ workspaceId, flow, key: concurrency.key }] : [],
      ),
    );
    this.#tell((observer) => observer.admitted?.(batch, results));
    return results;
  }

  /** What watches must never break what it watches. */
  #tell(about: (observer: StoreObserver) => void): void {
    const { observer } = this.#options;
    if (!observer) return;
    try {
      about(observer);
    } catch (error) {
      this.#options.onError(error as Error, 'telling the observer');
    }
  }
}

/** True for what may end what runs. */
const mayAbort = (fact: Fact): boolean =>
  fact.type === 'cancel' || fact.type === 'timedOut' || (fact.type === 'parentSaid' && !!fact.word.stop);

/** Runs told with a trouble. */
const MOST_RUNS = 20;

const runsOf = (about: readonly { readonly runId: string }[]): string[] =>
  [...new Set(about.map(({ runId }) => runId))].slice(0, MOST_RUNS);
