import { DEFAULT_POOL, type Fact, type FlowGraph } from '@pawl/dag-core';
import { consume, type Doorbell, type DoorbellConsumer } from '@pawl/queue';
import {
  type ClaimedNodeRun,
  claimNodeRuns,
  declareCatalog,
  type FactResult,
  findHeldNodeRuns,
  findRunsToAbort,
  type HotStore,
  isStoreError,
  type Keep,
  LeaseKeeper,
  type NodeRunHandle,
  offloadValue,
  registerWorker,
  type ServerOffer,
  stopWorker,
  tellOffers,
  throughTrouble,
  type WorkerIdentity,
  type WorkerOffer,
} from '@pawl/run-store/work';
import { preciseNow, type Telemetry, type WorkerMetrics } from '@pawl/telemetry';
import type { Logger } from 'pino';
import type { WorkerConfig } from '../config.ts';
import { whatIsAtHand } from '../executors/at-hand.ts';
import { type Executors, executors } from '../executors/index.ts';
import { runEnd } from '../executors/run-end.ts';
import type { EffectHost } from './effect-host.ts';
import { Lease } from './lease.ts';
import { LimitedCalls } from './limited-calls.ts';
import { LineWatch } from './line-watch.ts';
import { Room } from './room.ts';
import type { RunContext } from './run-context.ts';
import { RunContexts } from './run-contexts.ts';
import { Strand, type StrandHost, type WithOutput } from './strand.ts';
import { Takings } from './takings.ts';

/** Doorbell handlers of each pool at once; a handler waits while the worker is full, so few are enough. */
const FETCHERS = 4;
const ORPHANS_AT_ONCE = 1_000;

export interface WorkerParts {
  readonly config: WorkerConfig;
  readonly store: HotStore;
  readonly identity: WorkerIdentity;
  readonly host: EffectHost;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  /** How its MCP servers stand. */
  servers(): readonly ServerOffer[];
  /** Called when the worker may not go on: its lease was taken away. */
  onLeaseLost(): void;
}

/** A worker process: answers doorbells, claims node runs, runs strands, holds its lease. */
export class Worker {
  readonly #parts: WorkerParts;
  readonly #store: HotStore;
  readonly #workerId: string;
  readonly #executors: Executors;
  readonly #contexts: RunContexts;
  readonly #room: Room;
  readonly #pools: ReadonlySet<string>;
  readonly #keeper: LeaseKeeper;
  readonly #lease: Lease;
  readonly #strandHost: StrandHost;
  readonly #lines: LineWatch;
  readonly #metrics: WorkerMetrics | undefined;
  /** Whoever in this process has node runs that are this worker's. */
  readonly #holders = new Set<Holder>();
  readonly #takings = new Takings();
  /** Node runs that are held and that no strand knew at the last look, with the newest taking that had begun when first seen. */
  #orphans = new Map<string, number>();
  #consumers: readonly DoorbellConsumer[] = [];
  #unsubscribe: (() => void) | undefined;
  #isDraining = false;
  #isLooking = false;
  /** What it offers is not what the database was told. */
  #isOfferDue = false;
  #isTelling = false;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.#store = parts.store;
    this.#workerId = parts.identity.id;
    this.#executors = executors(parts.host);
    this.#contexts = new RunContexts(parts.store);
    this.#room = new Room(parts.config.concurrency);
    this.#pools = new Set(parts.config.pools);
    this.#lines = new LineWatch({
      pool: parts.store.pool,
      lines: whatIsAtHand(parts.host),
      pools: parts.config.pools,
      onBells: (bells) => this.#onBells(bells),
      onError: (error) => parts.logger.warn({ err: error }, 'trouble with lines'),
    });
    this.#keeper = this.#makeKeeper();
    this.#lease = new Lease(this.#keeper, parts.config.effectMarginMs);
    parts.host.lease = this.#lease;
    this.#strandHost = this.#makeStrandHost();
    this.#metrics = parts.telemetry.metrics?.ofWorker();
    this.#metrics?.watch({
      strands: () => this.#room.taken,
      places: () => parts.config.concurrency,
      leaseLeftSeconds: () => this.#lease.leftMs / 1_000,
    });
  }

  /** Registers, declares what it can do, and starts to answer doorbells. */
  async start(): Promise<void> {
    const { config, identity, host } = this.#parts;
    const registeredAt = process.hrtime.bigint();
    await registerWorker(this.#store.pool, identity, config.leaseMs, offerOf(this.#parts));
    this.#keeper.start(registeredAt);
    await declareCatalog(this.#store.pool, catalogOf(host));
    await this.#store.limits.load();
    this.#unsubscribe = this.#store.live.subscribe((message) => {
      for (const runId of message.cancel ?? [])
        host.attempts.abortRun(runId, 'The run was cancelled or timed out.');
      if (message.limits || Object.keys(message).length === 0) this.#loadLimits();
      if (message.lines) this.#lines.joined(message.lines);
    });
    this.#consumers = await Promise.all(
      config.pools.map((pool) =>
        consume({ ...config.queue, pool }, { fetchers: FETCHERS, onBells: (bells) => this.#onBells(bells) }),
      ),
    );
    this.#lines.lookSoon();
  }

  /** Tools came or went while it works: tells the database, and takes up what stood in line for them. */
  async offersChanged(): Promise<void> {
    this.#isOfferDue = true;
    if (this.#isTelling) return;
    this.#isTelling = true;
    try {
      while (this.#isOfferDue) {
        this.#isOfferDue = false;
        await declareCatalog(this.#store.pool, catalogOf(this.#parts.host));
        await tellOffers(this.#store.pool, this.#workerId, offerOf(this.#parts));
        this.#lines.change(whatIsAtHand(this.#parts.host));
      }
    } catch (error) {
      // Told with the next renewal of the lease.
      this.#isOfferDue = true;
      this.#parts.logger.warn({ err: error }, 'what this worker offers could not be told');
    } finally {
      this.#isTelling = false;
    }
  }

  /** Stops taking work, lets what runs end for a while, gives back the rest. A crash at any point of this is as good. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#lines.stop();
    const { config, logger } = this.#parts;
    await Promise.all(this.#consumers.map((consumer) => consumer.close({ timeoutMs: 1_000 })));
    const outcome = await Promise.race([this.#room.whenEmpty(), later(config.drainMs)]);
    if (outcome === 'late')
      for (const { runId, strand } of this.#holders)
        for (const { path, attempt } of strand.mine)
          logger.warn({ runId, path, attempt }, 'work is still under way; it will be taken over');
    this.#lease.end();
    this.#keeper.stop();
    this.#unsubscribe?.();
    await stopWorker(this.#store.pool, this.#workerId).catch(() => {});
  }

  // --- doorbells --------------------------------------------------------------------------------------------------------

  async #onBells(bells: readonly Doorbell[]): Promise<void> {
    let rest = bells;
    while (rest.length > 0) {
      const places = await this.#room.takeSome(rest.length);
      const batch = rest.slice(0, places);
      rest = rest.slice(places);
      let begun = 0;
      const taking = this.#takings.begin();
      try {
        if (this.#isDraining) throw new Error('This worker is draining; its doorbells go to another.');
        for (const own of groupByRun(await this.#claim(batch))) {
          begun += 1;
          void this.#begin(own);
        }
      } finally {
        this.#takings.end(taking);
        this.#room.giveBack(places - begun);
      }
    }
  }

  async #claim(bells: readonly Doorbell[]): Promise<ClaimedNodeRun[]> {
    const unknown = new Set(bells.map((bell) => bell.runId).filter((runId) => !this.#contexts.has(runId)));
    const claimed = await claimNodeRuns(this.#store.pool, this.#workerId, bells, [...unknown]);
    this.#metrics?.claimed(bells.length, claimed);
    return claimed;
  }

  /** Holds the place it was claimed for, and gives it back. */
  async #begin(claimed: OfOneRun): Promise<void> {
    const { runId } = claimed[0];
    const handles = claimed.filter((handle) => handle.path !== '');
    const beginning = { runId, strand: { mine: handles } };
    this.#holders.add(beginning);
    try {
      const context = await throughTrouble(() => this.#contexts.get(claimed));
      if (handles.length > 0) {
        const isWholeRun = claimed[0].nextSeq === 2 && handles.length === context.graph.root.roots.length;
        const running = this.#runStrand(context, handles, isWholeRun);
        this.#holders.delete(beginning);
        await running;
      } else {
        const fact = await this.#putAside(runId, await runEnd(context));
        await this.#store.commit({ runId, graph: context.graph, facts: [fact] });
      }
    } catch (error) {
      this.#failed(error, runId, claimed);
    } finally {
      this.#holders.delete(beginning);
      this.#room.giveBack(1);
    }
  }

  /** After a change, and after wake-ups may have been missed. */
  #loadLimits(): void {
    this.#store.limits
      .load()
      .catch((error) =>
        this.#parts.logger.warn({ err: error }, 'limits could not be read; the old ones go on'),
      );
  }

  // --- strands ----------------------------------------------------------------------------------------------------------

  #makeStrandHost(): StrandHost {
    const { host, telemetry, logger } = this.#parts;
    const isDraining = () => this.#isDraining;
    return {
      workerId: this.#workerId,
      serves: (pool) => this.#pools.has(pool ?? DEFAULT_POOL),
      get isDraining() {
        return isDraining();
      },
      commit: (entry) => this.#commitAndKeep(entry),
      putAside: (runId, fact) => this.#putAside(runId, fact),
      pure: (step) => this.#executors.pure(step),
      effect: (step) => this.#executors.effect(step),
      spawn: (context, handles) => this.#spawn(context, handles),
      calls: new LimitedCalls(this.#store.limits, this.#workerId, (error) =>
        logger.warn({ err: error }, 'a service that asked to be left alone could not be'),
      ),
      maySend: () => this.#lease.hasMargin(),
      takeNotes: (runId, path) => host.takeNotes(runId, path),
      delta: (delta) => this.#store.live.delta(delta),
      ...(telemetry.wantsNotes && {
        note: ({ path, attempt, waitedMs = 0 }: NodeRunHandle) => ({
          path,
          attempt,
          waitedMs,
          startedAtMs: preciseNow(),
          workerId: this.#workerId,
        }),
      }),
      forget: (runId) => this.#contexts.forget(runId),
    };
  }

  async #commitAndKeep({ keep, ...entry }: FactsToCommit): Promise<FactResult> {
    const taking = this.#takings.begin();
    try {
      return await this.#store.commit({ ...entry, ...(keep && !this.#isDraining && { keep }) });
    } finally {
      this.#takings.end(taking);
    }
  }

  /** False when every place is taken. */
  #spawn(context: RunContext, handles: NodeRunHandle[]): boolean {
    if (!this.#room.tryTake()) return false;
    void this.#runStrand(context, handles, false)
      .catch((error) => this.#failed(error, context.runId, handles))
      .finally(() => this.#room.giveBack(1));
    return true;
  }

  async #runStrand(
    context: RunContext,
    handles: readonly NodeRunHandle[],
    isWholeRun: boolean,
  ): Promise<void> {
    const own = { runId: context.runId, strand: new Strand(this.#strandHost, context, handles, isWholeRun) };
    this.#holders.add(own);
    try {
      await own.strand.run(handles);
    } finally {
      this.#holders.delete(own);
    }
  }

  /** A defect of ours: what the strand held is found without an owner and run again, as after a crash. */
  #failed(error: unknown, runId: string, handles: readonly NodeRunHandle[]): void {
    this.#contexts.forget(runId);
    if (this.#isDraining) return;
    const paths = handles.map(({ path }) => path);
    this.#parts.logger.error({ err: error, runId, path: paths[0], paths }, 'a strand ended unexpectedly');
  }

  /** Stores a value that is too long for the journal before the event that names it is committed. */
  async #putAside(runId: string, fact: WithOutput): Promise<Fact> {
    if (fact.output === undefined) return fact;
    try {
      const text = JSON.stringify(fact.output);
      const ref = await throughTrouble(() => offloadValue(this.#store.pool, runId, text));
      return ref ? { ...fact, output: null, outputRef: ref } : fact;
    } catch (error) {
      // A text that is longer than any string may be is a RangeError.
      if (!(error instanceof RangeError || isStoreError(error, 'value_too_large'))) throw error;
      const failure = { code: 'value_too_large', message: error.message, class: 'permanent' as const };
      if (fact.type === 'runEnded') return { type: 'runEnded', failure };
      const { path, attempt, workerId } = fact;
      return { type: 'failed', path, attempt, workerId, failure, random: 0 };
    }
  }

  // --- lease ------------------------------------------------------------------------------------------------------------

  #makeKeeper(): LeaseKeeper {
    const { config, host, logger, onLeaseLost } = this.#parts;
    const warn = (error: unknown) => logger.warn({ err: error }, 'the lease could not be renewed');
    return new LeaseKeeper({
      url: config.databaseUrl,
      workerId: this.#workerId,
      leaseMs: config.leaseMs,
      stuckMs: config.stuckMs,
      onRenewed: () => void this.#lookAround().catch(warn),
      onLost: () => {
        logger.error(
          { workerId: this.#workerId },
          'the lease of this worker was taken over; aborting everything',
        );
        host.attempts.abortAll('lease_lost', 'The worker lost its lease.');
        onLeaseLost();
      },
      onError: warn,
    });
  }

  /** With every renewal; renewals that came while the event loop was blocked are one. */
  async #lookAround(): Promise<void> {
    this.#lines.lookSoon();
    if (this.#isOfferDue) void this.offersChanged();
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      await this.#abortCancelled();
      await this.#loseOrphans();
    } finally {
      this.#isLooking = false;
    }
  }

  /** The backstop of the cancel wake-up. */
  async #abortCancelled(): Promise<void> {
    for (const { runId } of await findRunsToAbort(this.#store.pool, this.#workerId)) {
      this.#parts.host.attempts.abortRun(runId, 'The run was cancelled or timed out.');
    }
  }

  /**
   * Node runs that are this worker's by the database and that nothing in it holds: the answer to a claim was lost, or a strand
   * failed. They are declared lost, like those of a dead worker. One that was seen counts only when every claim and commit that
   * was under way then has been answered: until then it may be what the answer will tell of.
   */
  async #loseOrphans(): Promise<void> {
    const running = await findHeldNodeRuns(this.#store.pool, [this.#workerId], ORPHANS_AT_ONCE);
    const held = new Set<string>();
    for (const { runId, strand } of this.#holders)
      for (const { path } of strand.mine) held.add(`${runId} ${path}`);
    const unknown = running.filter(({ runId, path }) => !held.has(`${runId} ${path}`));
    const key = ({ runId, path, attempt }: (typeof unknown)[number]) => `${runId} ${path} ${attempt}`;
    const { newest, oldestUnderWay } = this.#takings;
    const lost = unknown.filter((nodeRun) => {
      const seenAt = this.#orphans.get(key(nodeRun));
      return seenAt !== undefined && seenAt < oldestUnderWay;
    });
    this.#orphans = new Map(
      unknown.map((nodeRun) => [key(nodeRun), this.#orphans.get(key(nodeRun)) ?? newest]),
    );
    for (const { runId, path, attempt, workerId, workspaceId, versionId } of lost) {
      const graph = await this.#store.graphs.get(workspaceId, versionId);
      const reason = 'its worker does not know it';
      await this.#store.commit({
        runId,
        graph,
        facts: [{ type: 'lost', path, attempt, workerId, reason, isEnded: true }],
      });
    }
  }
}

/** Has node runs that are the worker's: a strand, or claimed ones that will be one. */
interface Holder {
  readonly runId: string;
  readonly strand: Pick<Strand, 'mine'>;
}

type OfOneRun = readonly [ClaimedNodeRun, ...ClaimedNodeRun[]];
interface FactsToCommit {
  readonly runId: string;
  readonly graph: FlowGraph;
  readonly facts: readonly Fact[];
  readonly keep?: Keep;
  readonly aside?: unknown;
}

const later = (ms: number): Promise<'late'> =>
  new Promise((resolve) => setTimeout(() => resolve('late'), ms).unref());

/** A provider that has no key of its own is not offered by this worker but by the workspaces that bring one along. */
const offerOf = ({ host: { tools, models }, config, servers }: WorkerParts): WorkerOffer => ({
  tools: tools.declarations().map(({ ref }) => ref),
  providers: models.providers().filter((name) => name !== 'openai' || config.models.openai?.apiKey),
  ...(config.sealingKey && { opensCredentials: true }),
  ...(servers().length > 0 && { servers: servers() }),
});

function catalogOf({ tools, models }: EffectHost) {
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
  return [
    ...tools
      .declarations()
      .map((tool) => ({ kind: 'tool' as const, ref: tool.ref, declaration: plain(tool) })),
    ...models.providers().map((name) => ({ kind: 'provider' as const, ref: name, declaration: { name } })),
    ...models.list().map((model) => ({ kind: 'model' as const, ref: model.id, declaration: plain(model) })),
  ];
}

function groupByRun(claimed: readonly ClaimedNodeRun[]): OfOneRun[] {
  const groups = new Map<string, [ClaimedNodeRun, ...ClaimedNodeRun[]]>();
  for (const handle of claimed) {
    const group = groups.get(handle.runId);
    if (group) group.push(handle);
    else groups.set(handle.runId, [handle]);
  }
  return [...groups.values()];
}
