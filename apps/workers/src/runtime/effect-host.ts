import {
  type FlowGraph,
  type Intent,
  type JournalEvent,
  type Json,
  lastFirst,
  type Question,
  type RecordedEvent,
  type TraceContext,
  type UndoableRun,
  type UndoPlan,
  undoPlanOf,
  type WorkerFact,
} from '@pawl/dag-core';
import {
  type AcceptedInWork,
  acceptedInWork,
  artifactIdsIn,
  callbackToken,
  type DoubtInWork,
  doubtInWork,
  findEffects,
  type HotStore,
  holdArtifacts,
  loadCallbackKey,
  loadCompletedEffects,
  loadEvents,
  loadNodeRuns,
  offloadValue,
  putArtifact,
  readArtifact,
  resolveEventData,
  type SentSignal,
  type SignalToSend,
  sendSignal,
  throughTrouble,
} from '@pawl/run-store/work';
import type { Calls, WatchedCall } from '@pawl/telemetry';
import {
  AttemptAbort,
  PermanentError,
  SecretMissingError,
  type ToolArtifacts,
  type ToolLogger,
  type ToolRegistry,
} from '@pawl/tool-sdk';
import type { Logger } from 'pino';
import type { Models } from '../models/index.ts';
import type { Network } from '../network/index.ts';
import { Attempts } from './attempt.ts';
import type { Lease } from './lease.ts';
import type { Secrets } from './secrets.ts';
import type { Done, SendHost, Step } from './step.ts';
import { ToolCache } from './tool-cache.ts';

export interface EffectHostParts {
  readonly workerId: string;
  readonly store: HotStore;
  readonly tools: ToolRegistry;
  readonly models: Models;
  readonly network: Network;
  readonly logger: Logger;
  /** Default time limit of one tool attempt, and of one model call. */
  readonly toolTimeoutMs: number;
  readonly modelTimeoutMs: number;
  readonly secrets: Pick<Secrets, 'read' | 'credential'>;
  /** Where services reach the engine for callbacks; undefined: nowhere. */
  readonly callbackBase: string | undefined;
  /** Undefined when nobody watches calls. */
  readonly calls: Calls | undefined;
}

/** What is known of a call before it is made. */
type WatchedIntent = Parameters<Calls['begin']>[0]['intent'];

/** A completed effect, from the journal. */
export interface CompletedEffect {
  readonly intent: Intent;
  readonly intentSeq: number;
  readonly outputSeq: number;
  readonly output: Json;
}

/** How a sub-flow is undone: the run that has ended, and what of it. */
export interface UndoOfSubFlow {
  readonly ended: UndoableRun;
  readonly plan: UndoPlan;
}

/** What a person answered to what a node run asked. */
export interface Answered {
  readonly question: Question;
  readonly answer: Extract<RecordedEvent, { type: 'inbox.answered' }>;
}

/** What executors that touch the world may ask of their worker. */
export class EffectHost {
  readonly attempts = new Attempts();
  readonly cache: ToolCache;
  readonly tools: ToolRegistry;
  readonly models: Models;
  /** What the requests of tools go through. */
  readonly network: Network;
  readonly toolTimeoutMs: number;
  readonly modelTimeoutMs: number;
  readonly #parts: EffectHostParts;
  #callbackKey: Promise<Buffer> | undefined;
  readonly #notes = new Map<string, WorkerFact[]>();

  constructor(parts: EffectHostParts) {
    this.#parts = parts;
    this.cache = new ToolCache(parts.store.pool, (error) =>
      parts.logger.warn({ err: error }, 'the cache of tool results could not be used'),
    );
    this.tools = parts.tools;
    this.models = parts.models;
    this.network = parts.network;
    this.toolTimeoutMs = parts.toolTimeoutMs;
    this.modelTimeoutMs = parts.modelTimeoutMs;
  }

  /** The worker's right to work; a worker sets its own. */
  lease: Pick<Lease, 'leftMs' | 'hasMargin'> = {
    leftMs: Number.POSITIVE_INFINITY,
    hasMargin: async () => true,
  };

  /**
   * Asked right before a request leaves: a process that was stopped for a while knows by its own clock that its lease ran out,
   * before it hears that it was taken over from (V3). Waits for a renewal; only a lease that is lost is an error.
   */
  async demandLease(): Promise<void> {
    if (this.lease.leftMs > 0 || (await this.lease.hasMargin())) return;
    throw new AttemptAbort('lease_lost', 'The worker was declared dead before the request was sent.');
  }

  /** The intent of an earlier attempt that may have been sent: it is sent again as it was, with the same key (semantics §3). */
  async earlierIntent(step: Step): Promise<Intent | undefined> {
    const { intentSeq } = step.handle;
    if (intentSeq === undefined) return undefined;
    const key = { runId: step.context.runId, seq: intentSeq };
    const [event] = await throughTrouble(() => loadEvents(this.#parts.store.pool, [key]));
    if (event?.type !== 'intent.recorded') return undefined;
    return intentIn(event);
  }

  /** What a completed effect was asked for and what it gave. @throws {PermanentError} `effect_not_found` */
  async completedEffect({ context }: Step, path: string): Promise<CompletedEffect> {
    const { pool } = this.#parts.store;
    const runId = context.undoesRun ?? context.runId;
    const [row] = await throughTrouble(() => findEffects(pool, [{ runId, path }]));
    const seqs = row ? [row.intentSeq, row.outputSeq] : [];
    const [asked, gave] = await throughTrouble(() =>
      loadEvents(
        pool,
        seqs.map((seq) => ({ runId, seq })),
      ),
    );
    if (!row || asked?.type !== 'intent.recorded' || gave?.type !== 'outcome.succeeded') {
      const message = `The journal of ${path} does not hold a completed effect.`;
      throw new PermanentError({ code: 'effect_not_found', message });
    }
    const { output } = await throughTrouble(() => resolveEventData(pool, gave.data));
    return { ...row, intent: intentIn(asked), output };
  }

  /** The run of a sub-flow that is undone next, and what of it is (F9). @throws {PermanentError} `undone_run_gone` */
  async undoOfSubFlow({ context: { runId } }: Step, path: string): Promise<UndoOfSubFlow> {
    const { pool } = this.#parts.store;
    const [found] = await throughTrouble(() => loadNodeRuns(pool, [{ runId, path }]));
    const ended = found!.state.more!.toUndo!.at(-1)!;
    const loaded = await throughTrouble(() => loadCompletedEffects(pool, ended.runId));
    const effects = loaded.map(({ state }) => state).sort(lastFirst);
    if (effects.length > 0) return { ended, plan: undoPlanOf(effects) };
    const message = `The run ${ended.runId} of ${ended.flow}, which is to be undone, is not kept any more. Undo what it did by hand, and skip ${path}.`;
    throw new PermanentError({ code: 'undone_run_gone', message });
  }

  /** Where the service may say later how the call of this attempt ended. @throws {PermanentError} `callback_address_missing` */
  async callbackUrl({ context: { runId }, handle: { path, attempt } }: Step): Promise<string> {
    const { callbackBase, store } = this.#parts;
    if (callbackBase === undefined) {
      const message =
        'This worker does not know where services reach the engine. Set PAWL_CALLBACK_URL, for instance https://pawl.example.com.';
      throw new PermanentError({ code: 'callback_address_missing', message });
    }
    this.#callbackKey ??= throughTrouble(() => loadCallbackKey(store.pool));
    const token = callbackToken(await this.#callbackKey, { runId, path, attempt });
    return `${callbackBase.replace(/\/+$/, '')}/v1/callbacks/${token}`;
  }

  /** What is in doubt about the effect of a node run. @throws {PermanentError} `doubt_not_found` */
  async doubtAbout({ context: { runId } }: Step, path: string): Promise<DoubtInWork> {
    const doubt = await throughTrouble(() => doubtInWork(this.#parts.store.pool, runId, path));
    if (doubt) return doubt;
    throw new PermanentError({ code: 'doubt_not_found', message: `Nothing about ${path} is in doubt.` });
  }

  /** The call that the tool of a node run is asked about. @throws {PermanentError} `call_not_found` */
  async acceptedCall({ context: { runId } }: Step, path: string): Promise<AcceptedInWork> {
    const call = await throughTrouble(() => acceptedInWork(this.#parts.store.pool, runId, path));
    if (call) return call;
    throw new PermanentError({ code: 'call_not_found', message: `${path} does not wait for its service.` });
  }

  /** The answer with which a node run goes on, and the question it was given to (T14). @throws {PermanentError} `answer_not_found` */
  async answerOf({ context: { runId }, handle: { path, more } }: Step): Promise<Answered> {
    const event = async (seq: number) => {
      const [found] = await throughTrouble(() => loadEvents(this.#parts.store.pool, [{ runId, seq }]));
      return found;
    };
    const answer = more?.answer === undefined ? undefined : await event(more.answer);
    const asked = answer?.type === 'inbox.answered' ? await event(answer.data.question) : undefined;
    if (answer?.type !== 'inbox.answered' || asked?.type !== 'inbox.asked') {
      const message = `The journal of ${path} does not hold a question and its answer.`;
      throw new PermanentError({ code: 'answer_not_found', message });
    }
    return { question: asked.data, answer };
  }

  /** The arguments that a person wrote for this node run (T19); undefined: those of the flow count. */
  async editedArguments({ context: { runId }, handle: { path, more } }: Step): Promise<Json | undefined> {
    if (more?.edited === undefined) return undefined;
    const { pool } = this.#parts.store;
    const [event] = await throughTrouble(() => loadEvents(pool, [{ runId, seq: more.edited! }]));
    const data = event?.type === 'inbox.answered' ? await resolveEventData(pool, event.data) : undefined;
    if (data?.values !== undefined) return data.values;
    const message = `The journal of ${path} does not hold the arguments that were written for it.`;
    throw new PermanentError({ code: 'answer_not_found', message });
  }

  /** The graph of a version. @throws {StoreError} `version_not_found` */
  graph(workspaceId: string, versionId: string): Promise<FlowGraph> {
    return throughTrouble(() => this.#parts.store.graphs.get(workspaceId, versionId));
  }

  /** Puts the input of a run aside that is about to be admitted; undefined when it is short enough for the journal. */
  putInputAside(runId: string, input: Json): Promise<{ hash: string; bytes: number } | undefined> {
    return throughTrouble(() => offloadValue(this.#parts.store.pool, runId, JSON.stringify(input)));
  }

  /** Sends a signal in the name of a node run. @throws {StoreError} see `sendSignal` */
  sendSignal(
    { context: { runId, workspaceId } }: Step,
    signal: Pick<SignalToSend, 'id' | 'name' | 'key' | 'payload' | 'toRun'>,
  ): Promise<SentSignal> {
    return throughTrouble(() =>
      sendSignal(this.#parts.store, { workspaceId, ...signal, by: 'run', fromRun: runId }),
    );
  }

  /** An answer that came after the attempt was given up: kept as evidence (V2). */
  late(step: Step, done: Done): void {
    const isWord = done.type === 'polled' && done.answer !== 'not_yet';
    if (done.type !== 'succeeded' && done.type !== 'failed' && !isWord) return;
    const { runId, graph } = step.context;
    const { path, attempt } = step.handle;
    const by = { path, attempt, workerId: this.#parts.workerId };
    const fact: WorkerFact = done.type === 'succeeded' ? { ...by, ...done } : { ...by, ...done, random: 0 };
    const aside = step.note && { aside: [step.note] };
    this.#parts.store.commit({ runId, graph, facts: [fact], ...aside }).catch((error) => {
      this.#parts.logger.warn({ err: error, runId, path, attempt }, 'late evidence could not be kept');
    });
  }

  /** Begins to watch a call that an attempt is about to make; undefined when nobody wants to know. */
  watch(step: Step, intent: WatchedIntent): Promise<WatchedCall> | undefined {
    const { runId } = step.context;
    const { path, nodeId, kind, attempt } = step.handle;
    return this.#parts.calls?.begin({ runId, path, nodeId, kind, attempt, intent, note: step.note });
  }

  /** @param trace of the call, so that its lines are found from its span and the other way round */
  logger(step: Step, trace: TraceContext | undefined): ToolLogger {
    const { path, attempt } = step.handle;
    const [, trace_id, span_id] = trace?.parent.split('-') ?? [];
    return this.#parts.logger.child({
      runId: step.context.runId,
      path,
      attempt,
      ...(trace && { trace_id, span_id }),
    });
  }

  artifacts(step: Step, send: SendHost): ToolArtifacts {
    const { runId, workspaceId } = step.context;
    const { path, attempt } = step.handle;
    const { pool } = this.#parts.store;
    const open = async (artifactId: string) => {
      const content = await readArtifact(pool, { workspaceId, artifactId });
      if (content) return content;
      const message = `There is no artifact ${artifactId} in this workspace. Check the id; artifacts go with their run.`;
      throw new PermanentError({ code: 'artifact_not_found', message });
    };
    return {
      put: async ({ name, mediaType, data: content }) => {
        const from = { runId, path, attempt };
        const made = await putArtifact(pool, { workspaceId, from, name, mediaType, content });
        const { id: artifactId, version, bytes, hash } = made.artifact;
        const artifact = { artifactId, name, version, mediaType, bytes, hash };
        send.note({ type: 'artifact', path, attempt, workerId: this.#parts.workerId, artifact });
        return artifact;
      },
      get: async ({ artifactId }) => {
        const chunks: Buffer[] = [];
        for await (const chunk of await open(artifactId)) chunks.push(chunk);
        return Buffer.concat(chunks);
      },
      async *read({ artifactId }) {
        yield* await open(artifactId);
      },
    };
  }

  /** True when every artifact that a value from elsewhere refers to is there; the run holds them from then on. */
  async holdsArtifacts({ context: { runId, workspaceId } }: Step, value: Json): Promise<boolean> {
    const ids = artifactIdsIn(value);
    const uses = ids.map((artifactId) => ({ runId, workspaceId, artifactId }));
    return (await throughTrouble(() => holdArtifacts(this.#parts.store.pool, uses))) === ids.length;
  }

  /** Ephemeral: shown live, never recorded. */
  progress(step: Step, fraction: number, note?: string): void {
    const { path, attempt } = step.handle;
    const { runId } = step.context;
    this.#parts.store.live.progress({ runId, path, attempt, fraction, ...(note !== undefined && { note }) });
  }

  /** A credential of the workspace alone; undefined when it has none. @throws {PermanentError} `secret_unreadable` */
  credential(workspaceId: string, name: string): Promise<string | undefined> {
    return this.#parts.secrets.credential(workspaceId, name);
  }

  /** @throws {SecretMissingError}, {PermanentError} `secret_unreadable` */
  async secret(workspaceId: string, name: string): Promise<string> {
    const value = await this.#parts.secrets.read(workspaceId, name);
    if (value === undefined) throw new SecretMissingError(name);
    return value;
  }

  /** Keeps a fact of a pure tool to be committed with its outcome. */
  noteLater(step: Step, fact: Extract<WorkerFact, { type: 'artifact' }>): void {
    const key = keyOf(step.context.runId, step.handle.path);
    const { path, attempt } = step.handle;
    this.#notes.set(key, [
      ...(this.#notes.get(key) ?? []),
      { ...fact, path, attempt, workerId: this.#parts.workerId },
    ]);
  }

  takeNotes(runId: string, path: string): WorkerFact[] {
    if (this.#notes.size === 0) return [];
    const key = keyOf(runId, path);
    const notes = this.#notes.get(key) ?? [];
    this.#notes.delete(key);
    return notes;
  }
}

function intentIn({ data }: Extract<JournalEvent, { type: 'intent.recorded' }>): Intent {
  const { v: _version, clock: _clock, workerId: _worker, ...intent } = data;
  return intent;
}

const keyOf = (runId: string, path: string) => `${runId} ${path}`;
