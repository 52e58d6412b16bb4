import type { Fact, FlowGraph, Intent, NodeView, WorkerFact } from '@pawl/dag-core';
import { consume, type Doorbell, type DoorbellConsumer } from '@pawl/queue';
import {
  type ClaimedNodeRun,
  claimNodeRuns,
  declareCatalog,
  findRunsToAbort,
  GroupCommitter,
  type HotStore,
  type LoadedOutput,
  loadEvents,
  loadOutputs,
  type NodeRunHandle,
  type NodeRunKey,
  offloadValue,
  putArtifact,
  readArtifactBytes,
  registerWorker,
  renewLease,
  resolveEventData,
  resolveValue,
  stopWorker,
  type WorkerIdentity,
} from '@pawl/run-store';
import {
  PermanentError,
  SecretMissingError,
  type ToolArtifacts,
  type ToolLogger,
  type ToolRegistry,
} from '@pawl/tool-sdk';
import type { Logger } from 'pino';
import type { WorkerConfig } from '../config.ts';
import { code } from '../executors/code.ts';
import { join } from '../executors/join.ts';
import { llmExecutor } from '../executors/llm.ts';
import { item, map } from '../executors/map.ts';
import { runEnd } from '../executors/run-end.ts';
import { switchNode } from '../executors/switch.ts';
import { toolExecutors, toolOf } from '../executors/tool.ts';
import { transform } from '../executors/transform.ts';
import type { Models } from '../models/registry.ts';
import { Attempts } from './attempt.ts';
import { Lease } from './lease.ts';
import type { ModelHost } from './model-host.ts';
import { RunContext } from './run-context.ts';
import type { Done, EffectExecutor, PureExecutor, SendHost, Step } from './step.ts';
import { Strand, type StrandHost } from './strand.ts';
import type { ToolHost } from './tool-host.ts';

/** Runs of which a worker keeps what it knows. */
const CONTEXTS_KEPT = 500;
/** Doorbell handlers at once; a handler waits while the worker is full, so few are enough. */
const FETCHERS = 4;

export interface WorkerParts {
  readonly config: WorkerConfig;
  readonly store: HotStore;
  readonly identity: WorkerIdentity;
  readonly tools: ToolRegistry;
  readonly models: Models;
  readonly logger: Logger;
  /** Called when the worker may not go on: its lease was taken away. */
  onLeaseLost(): void;
}

/** A worker process: answers doorbells, claims node runs, executes them, commits what came out. */
export class Worker implements StrandHost, ToolHost, ModelHost {
  readonly workerId: string;
  readonly attempts = new Attempts();
  readonly tools: ToolRegistry;
  readonly models: Models;
  readonly toolTimeoutMs: number;
  readonly modelTimeoutMs: number;
  readonly #parts: WorkerParts;
  readonly #store: HotStore;
  readonly #lease: Lease;
  readonly #contexts = new Map<string, RunContext>();
  readonly #outputs: GroupCommitter<NodeRunKey, LoadedOutput | undefined>;
  readonly #notes = new Map<string, WorkerFact[]>();
  readonly #toolExecutors: { pure: PureExecutor; effect: EffectExecutor };
  readonly #llm: EffectExecutor;
  #consumer: DoorbellConsumer | undefined;
  #active = 0;
  #waiters: (() => void)[] = [];
  #isDraining = false;
  #unsubscribe: (() => void) | undefined;

  constructor(parts: WorkerParts) {
    const { config, store, identity, tools, models } = parts;
    this.#parts = parts;
    this.#store = store;
    this.workerId = identity.id;
    this.tools = tools;
    this.models = models;
    this.toolTimeoutMs = config.toolTimeoutMs;
    this.modelTimeoutMs = config.modelTimeoutMs;
    this.#lease = new Lease({
      leaseMs: config.leaseMs,
      marginMs: config.effectMarginMs,
      renew: () => renewLease(store.pool, identity.id, config.leaseMs),
      onRenewed: () => this.#abortCancelled(),
      onLost: () => {
        parts.logger.error(
          { workerId: identity.id },
          'the lease of this worker was taken over; aborting everything',
        );
        this.attempts.abortAll('lease_lost', 'The worker lost its lease.');
        parts.onLeaseLost();
      },
      onError: (error) => parts.logger.warn({ error: error.message }, 'the lease could not be renewed'),
    });
    this.#outputs = new GroupCommitter<NodeRunKey, LoadedOutput | undefined>({
      keyOf: ({ runId, path }) => `${runId} ${path}`,
      batchSize: 200,
      batchesInFlight: 2,
      send: async (keys) => {
        const found = new Map(
          (await loadOutputs(store.pool, keys)).map((row) => [`${row.runId} ${row.path}`, row]),
        );
        return keys.map(({ runId, path }) => found.get(`${runId} ${path}`));
      },
    });
    this.#toolExecutors = toolExecutors(this);
    this.#llm = llmExecutor(this);
  }

  /** Registers, declares what it can do, and starts to answer doorbells. */
  async start(): Promise<void> {
    const { config, identity, tools, models } = this.#parts;
    await registerWorker(this.#store.pool, identity, config.leaseMs);
    await declareCatalog(this.#store.pool, [
      ...tools.declarations().map((declaration) => ({
        kind: 'tool' as const,
        ref: declaration.ref,
        declaration: declaration as never,
      })),
      ...models.providers().map((name) => ({ kind: 'provider' as const, ref: name, declaration: { name } })),
      ...models.list().map((model) => ({
        kind: 'model' as const,
        ref: model.id,
        declaration: JSON.parse(JSON.stringify(model)),
      })),
    ]);
    this.#lease.start();
    this.#unsubscribe = this.#store.live.subscribe((message) => {
      for (const runId of message.cancel ?? []) this.attempts.abortRun(runId, 'The run was cancelled.');
    });
    this.#consumer = await consume(config.queue, {
      fetchers: FETCHERS,
      onBells: (bells) => this.#onBells(bells),
    });
  }

  /** Stops taking work, lets what runs end for a while, gives back the rest. A crash at any point of this is as good. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    const { config, logger } = this.#parts;
    await this.#consumer?.close({ timeoutMs: 1_000 });
    const isEmpty = await Promise.race([this.#whenIdle(), later(config.drainMs)]);
    if (isEmpty === 'late')
      logger.warn({ active: this.#active }, 'work is still under way; it will be taken over');
    this.#lease.stop();
    this.#unsubscribe?.();
    await stopWorker(this.#store.pool, this.workerId).catch(() => {});
  }

  // --- doorbells --------------------------------------------------------------------------------------------------------

  async #onBells(bells: Doorbell[]): Promise<void> {
    let rest = bells;
    while (rest.length > 0) {
      if (this.#isDraining) throw new Error('This worker is draining; its doorbells go to another.');
      await this.#whenRoom();
      const room = Math.max(1, this.#parts.config.concurrency - this.#active);
      const batch = rest.slice(0, room);
      rest = rest.slice(room);
      this.#active += batch.length; // room is taken before the claim is answered
      let claimed: ClaimedNodeRun[] = [];
      try {
        const unknown = new Set(
          batch.map((bell) => bell.runId).filter((runId) => !this.#contexts.has(runId)),
        );
        claimed = await claimNodeRuns(this.#store.pool, this.workerId, batch, [...unknown]);
      } finally {
        this.#active -= batch.length;
        if (claimed.length === 0) this.#wake();
      }
      for (const own of groupByRun(claimed)) void this.#begin(own);
    }
  }

  async #begin(claimed: readonly ClaimedNodeRun[]): Promise<void> {
    this.#active += 1;
    const [first] = claimed;
    try {
      const context = await this.#context(claimed);
      const handles = claimed.filter((handle) => handle.path !== '');
      if (handles.length === 0) {
        const { runId, graph } = context;
        const fact = await runEnd(context);
        await this.commit({
          runId,
          graph,
          facts: [fact.output === undefined ? fact : await this.putAside(fact)],
        });
        return;
      }
      const isWhole = first!.nextSeq === 2 && handles.length === context.graph.root.roots.length;
      await this.#runStrand(context, handles, isWhole);
    } catch (error) {
      this.#failed(error, first!.runId);
    } finally {
      this.#active -= 1;
      this.#wake();
    }
  }

  spawn(context: RunContext, handles: NodeRunHandle[]): void {
    this.#active += 1;
    void this.#runStrand(context, handles, false)
      .catch((error) => this.#failed(error, context.runId))
      .finally(() => {
        this.#active -= 1;
        this.#wake();
      });
  }

  async #runStrand(context: RunContext, handles: readonly NodeRunHandle[], isWhole: boolean): Promise<void> {
    await new Strand(this, context, handles, isWhole).run(handles);
  }

  /** A defect of ours: the node runs stay with this worker's lease and are taken over when it ends. */
  #failed(error: unknown, runId: string): void {
    this.#contexts.delete(runId);
    if (this.#isDraining) return;
    this.#parts.logger.error(
      { err: error, runId },
      'a strand ended unexpectedly; its node runs are given back',
    );
  }

  // --- what is known of runs --------------------------------------------------------------------------------------------

  async #context(claimed: readonly ClaimedNodeRun[]): Promise<RunContext> {
    const [first] = claimed;
    const { runId, workspaceId, versionId } = first!;
    const known = this.#contexts.get(runId);
    if (known) {
      this.#contexts.delete(runId);
      this.#contexts.set(runId, known);
      return known;
    }
    const graph = await this.#store.graphs.get(workspaceId, versionId);
    const withInput = claimed.find((handle) => handle.admitted) ?? (await this.#admitted(runId));
    const { input, seed } = await resolveEventData(this.#store.pool, withInput.admitted!);
    const about = { runId, workspaceId, graph, input, seed, startedAtMs: withInput.admittedAt ?? Date.now() };
    const context = new RunContext(about, { read: (id, path) => this.#readOutput(id, path) });
    this.#contexts.set(runId, context);
    const oldest = this.#contexts.keys().next().value;
    if (this.#contexts.size > CONTEXTS_KEPT && oldest !== undefined) this.#contexts.delete(oldest);
    return context;
  }

  async #admitted(runId: string): Promise<Pick<ClaimedNodeRun, 'admitted' | 'admittedAt'>> {
    const [event] = await loadEvents(this.#store.pool, [{ runId, seq: 1 }]);
    if (event?.type !== 'run.admitted') throw new Error(`Run ${runId} has no first event`);
    return { admitted: event.data, admittedAt: event.at };
  }

  async #readOutput(runId: string, path: string): Promise<NodeView | undefined> {
    const found = await this.#outputs.commit({ runId, path });
    if (!found || !ENDED.includes(found.status)) return undefined;
    const { status, failure, outputRef } = found;
    const output = outputRef ? JSON.parse(await resolveValue(this.#store.pool, outputRef)) : found.output;
    return { status, ...(output !== undefined && { output }), ...(failure && { failure: failure as never }) };
  }

  forget(runId: string): void {
    this.#contexts.delete(runId);
  }

  // --- what strands ask -------------------------------------------------------------------------------------------------

  commit(entry: {
    runId: string;
    graph: FlowGraph;
    facts: readonly Fact[];
    keep?: { workerId: string; count: number };
  }) {
    const keep = entry.keep && !this.#isDraining ? entry.keep : undefined;
    return this.#store.commit({ ...entry, keep });
  }

  async putAside(fact: Extract<Fact, { type: 'succeeded' | 'runEnded' }>): Promise<Fact> {
    try {
      const ref = await offloadValue(this.#store.pool, JSON.stringify(fact.output ?? null));
      return ref ? { ...fact, output: null, outputRef: ref } : fact;
    } catch (error) {
      const failure = {
        code: 'value_too_large',
        message: (error as Error).message,
        class: 'permanent' as const,
      };
      if (fact.type === 'runEnded') return { type: 'runEnded', failure };
      const { path, attempt, workerId } = fact;
      return { type: 'failed', path, attempt, workerId, failure, random: 0 };
    }
  }

  pure(step: Step): PureExecutor | undefined {
    switch (step.handle.kind) {
      case 'transform':
        return transform;
      case 'switch':
        return switchNode;
      case 'code':
        return code;
      case 'join':
        return join;
      case 'map':
        return map;
      case 'item':
        return item;
      case 'tool': {
        const tool = toolOf(this, step);
        return 'ref' in tool && tool.effect !== 'pure' ? undefined : this.#toolExecutors.pure;
      }
      default:
        return undefined;
    }
  }

  effect(step: Step): EffectExecutor {
    return step.handle.kind === 'llm' ? this.#llm : this.#toolExecutors.effect;
  }

  maySend(): Promise<boolean> {
    return this.#lease.hasMargin();
  }

  delta(runId: string, path: string, attempt: number, text: string): void {
    this.#store.live.delta(runId, path, attempt, text);
  }

  takeNotes(runId: string, path: string): WorkerFact[] {
    const key = `${runId} ${path}`;
    const notes = this.#notes.get(key);
    if (!notes) return [];
    this.#notes.delete(key);
    return notes;
  }

  noteLater(step: Step, fact: Extract<WorkerFact, { type: 'artifact' }>): void {
    const key = `${step.context.runId} ${step.handle.path}`;
    const { path, attempt } = step.handle;
    this.#notes.set(key, [
      ...(this.#notes.get(key) ?? []),
      { ...fact, path, attempt, workerId: this.workerId },
    ]);
  }

  // --- what executors ask -----------------------------------------------------------------------------------------------

  async earlierIntent(step: Step): Promise<Intent | undefined> {
    const { intentSeq } = step.handle;
    if (intentSeq === undefined) return undefined;
    const [event] = await loadEvents(this.#store.pool, [{ runId: step.context.runId, seq: intentSeq }]);
    if (event?.type !== 'intent.recorded') return undefined;
    const { v: _, clock: __, ...intent } = event.data;
    return intent;
  }

  late(step: Step, done: Done): void {
    const { runId, graph } = step.context;
    const { path, attempt } = step.handle;
    const by = { path, attempt, workerId: this.workerId };
    if (done.type === 'expanded') return;
    const fact: WorkerFact = done.type === 'failed' ? { ...by, ...done, random: 0 } : { ...by, ...done };
    this.#store.commit({ runId, graph, facts: [fact] }).catch((error) => {
      this.#parts.logger.warn({ err: error, runId, path }, 'late evidence could not be kept');
    });
  }

  logger(runId: string, path: string, attempt: number): ToolLogger {
    return this.#parts.logger.child({ runId, path, attempt });
  }

  artifacts(step: Step, send: SendHost): ToolArtifacts {
    const { runId, workspaceId } = step.context;
    const { path, attempt } = step.handle;
    return {
      put: async ({ name, mediaType, data }) => {
        const made = await putArtifact(this.#store.pool, {
          workspaceId,
          runId,
          path,
          attempt,
          name,
          mediaType,
          content: data,
        });
        const ref = {
          artifactId: made.id,
          name,
          version: made.version,
          mediaType,
          bytes: made.bytes,
          hash: made.hash,
        };
        send.note({ type: 'artifact', path, attempt, workerId: this.workerId, artifact: ref });
        return ref;
      },
      get: async ({ artifactId }) => {
        const bytes = await readArtifactBytes(this.#store.pool, { workspaceId, artifactId });
        if (bytes) return bytes;
        const message = `There is no artifact ${artifactId} in this workspace.`;
        throw new PermanentError({ code: 'artifact_not_found', message });
      },
    };
  }

  async secret(_workspaceId: string, name: string): Promise<string> {
    const value = process.env[`PAWL_SECRET_${name}`];
    if (value === undefined) {
      throw new SecretMissingError(name);
    }
    return value;
  }

  // --- room -------------------------------------------------------------------------------------------------------------

  async #whenRoom(): Promise<void> {
    while (this.#active >= this.#parts.config.concurrency)
      await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  async #whenIdle(): Promise<void> {
    while (this.#active > 0) await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  #wake(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) waiter();
  }

  /** The backstop of the cancel wake-up: asked with each renewal of the lease. */
  async #abortCancelled(): Promise<void> {
    for (const { runId } of await findRunsToAbort(this.#store.pool, this.workerId)) {
      this.attempts.abortRun(runId, 'The run was cancelled.');
    }
  }
}

const ENDED: readonly string[] = ['succeeded', 'failed', 'skipped', 'cancelled', 'compensated'];

const later = (ms: number): Promise<'late'> =>
  new Promise((resolve) => setTimeout(() => resolve('late'), ms).unref());

function groupByRun(claimed: readonly ClaimedNodeRun[]): ClaimedNodeRun[][] {
  const groups = new Map<string, ClaimedNodeRun[]>();
  for (const handle of claimed) {
    const group = groups.get(handle.runId);
    if (group) group.push(handle);
    else groups.set(handle.runId, [handle]);
  }
  return [...groups.values()];
}
