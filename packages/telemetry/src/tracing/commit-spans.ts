import { type Attributes, type SpanContext, SpanKind } from '@opentelemetry/api';
import { type FlowGraph, type Intent, parsePath } from '@pawl/dag-core';
import { type HotPool, loadEvents, loadNodeRunStarts } from '@pawl/run-store/work';
import type {
  AttemptOutcome,
  DecisionReading,
  EndedAttempt,
  EndedWait,
  LateOutcome,
} from '../decision-reading.ts';
import { isContainer } from '../is-container.ts';
import {
  agentAttributes,
  modelRequestAttributes,
  nodeRunAttributes,
  runAttributes,
  toolCallAttributes,
} from './attributes.ts';
import type { RunTrace, RunTraces } from './run-traces.ts';
import { attemptSpanId, callSpanId, containerSpanId, lateSpanId, runSpanId, waitSpanId } from './span-ids.ts';
import type { Tracing } from './tracing.ts';

/**
 * Makes spans of what was committed, by the process that committed it: one for each attempt when it ends, however it ends; one for
 * each wait when it is over; one for a container when all in it has ended; one for the run. Whoever ends something knows the
 * ids of everything around it, so nothing has to outlive its process.
 */
export class CommitSpans {
  readonly #tracing: Tracing;
  readonly #traces: RunTraces;
  readonly #pool: HotPool;

  constructor(parts: { tracing: Tracing; traces: RunTraces; pool: HotPool }) {
    this.#tracing = parts.tracing;
    this.#traces = parts.traces;
    this.#pool = parts.pool;
  }

  /** Never throws; what cannot be told because the database does not answer is not told. */
  committed(reading: DecisionReading): void {
    const { attempts, waits, late, containers, end } = reading;
    if (attempts.length + waits.length + late.length + containers.length === 0 && !end) return;
    this.#send(reading).catch(() => {});
  }

  async #send(reading: DecisionReading): Promise<void> {
    const trace = await this.#traces.of(reading.runId);
    if (!trace?.isSampled) return;
    const { graph } = reading.decision.view;
    for (const attempt of reading.attempts) this.#attempt(trace, graph, attempt);
    for (const wait of reading.waits) this.#wait(trace, graph, wait);
    for (const late of reading.late) this.#late(trace, late);
    if (reading.end) this.#run(trace, reading);
    await Promise.all([this.#lostCalls(trace, reading), this.#containers(trace, reading)]);
  }

  #attempt(trace: RunTrace, graph: FlowGraph, ended: EndedAttempt): void {
    const { runId } = trace.origin;
    const { path, attempt, note, failure, outcome, effect, workerId, next, isCached } = ended;
    const attributes: Attributes = {
      ...runAttributes(trace.origin),
      ...nodeRunAttributes(ended),
      'pawl.attempt.number': attempt,
      'pawl.attempt.outcome': outcome,
      ...(effect !== undefined && { 'pawl.effect.class': effect }),
      ...(next !== undefined && { 'pawl.attempt.next': next }),
      ...(isCached && { 'pawl.cached': true }),
      ...(note && { 'pawl.queue_wait_ms': Math.round(note.waitedMs) }),
      ...(workerId !== undefined && { 'pawl.worker.id': workerId }),
    };
    const isBad = outcome === 'failed' || outcome === 'lost' || outcome === 'uncertain';
    for (const send of note?.calls ?? []) send();
    const ofContainer = isContainer(graph, path);
    this.#tracing.add(
      {
        parent: ofContainer
          ? { ...trace.context, spanId: containerSpanId(runId, path) }
          : placeOf(trace, graph, path),
      },
      {
        spanId: attemptSpanId(runId, path, attempt),
        name: `${ofContainer ? (PART_OF_CONTAINER[outcome] ?? 'end') : ended.kind} ${ended.nodeId}`,
        startMs: ended.startMs,
        endMs: ended.endMs,
        attributes,
        ...(attempt > 1 && { links: [this.#linkTo(trace, path, attempt - 1)] }),
        ...(isBad && { error: failure?.code ?? outcome }),
      },
    );
  }

  #wait(trace: RunTrace, graph: FlowGraph, wait: EndedWait): void {
    const { runId } = trace.origin;
    this.#tracing.add(
      { parent: placeOf(trace, graph, wait.path) },
      {
        spanId: waitSpanId(runId, wait.path, wait.startMs),
        name: `wait ${wait.nodeId}`,
        startMs: wait.startMs,
        endMs: wait.endMs,
        attributes: {
          ...runAttributes(trace.origin),
          ...nodeRunAttributes(wait),
          'pawl.attempt.number': wait.attempt,
          'pawl.wait.for': wait.for,
        },
        ...(wait.attempt > 0 && { links: [this.#linkTo(trace, wait.path, wait.attempt)] }),
      },
    );
  }

  /** Under the attempt it answers, which has ended in another way. */
  #late(trace: RunTrace, late: LateOutcome): void {
    const { runId } = trace.origin;
    const { path, attempt, failure } = late;
    this.#tracing.add(
      { parent: { ...trace.context, spanId: attemptSpanId(runId, path, attempt) } },
      {
        spanId: lateSpanId(runId, late.seq),
        name: `late ${late.nodeId}`,
        startMs: late.startMs,
        endMs: late.endMs,
        attributes: {
          ...runAttributes(trace.origin),
          ...nodeRunAttributes(late),
          'pawl.attempt.number': attempt,
          'pawl.attempt.outcome': 'late',
        },
        ...(failure && { error: failure.code }),
      },
    );
  }

  #run(trace: RunTrace, { decision, end }: DecisionReading): void {
    const { origin } = trace;
    const { status, failure, degradedCount } = end!;
    const { spent } = decision.view.run;
    this.#tracing.add(trace.place, {
      spanId: runSpanId(origin.runId),
      name: `run ${origin.flow}`,
      startMs: origin.admittedAtMs,
      endMs: decision.run.nowMs,
      attributes: {
        ...runAttributes(origin),
        'pawl.flow.version': origin.versionId,
        'pawl.workspace.id': origin.workspaceId,
        'pawl.run.status': status,
        'pawl.run.trigger': origin.admitted.trigger,
        'pawl.run.degraded': degradedCount,
        'pawl.cost_usd': spent.costNanoUsd / 1e9,
        'pawl.tokens': spent.tokens,
        'pawl.model_calls': spent.modelCalls,
      },
      ...(status === 'failed' && { error: failure?.code ?? status }),
    });
  }

  /** A call that died with its worker: its own process cannot tell, and what the other side made of it may name it as its parent. */
  async #lostCalls(trace: RunTrace, { attempts }: DecisionReading): Promise<void> {
    const { runId } = trace.origin;
    const lost = attempts.filter(({ outcome, intentSeq }) => outcome === 'lost' && intentSeq !== undefined);
    if (lost.length === 0) return;
    const events = await loadEvents(
      this.#pool,
      lost.map(({ intentSeq }) => ({ runId, seq: intentSeq! })),
    );
    for (const event of events) {
      if (event.type !== 'intent.recorded') continue;
      const { path, attempt, data, at } = event;
      // An intent of an earlier attempt: this one was lost before it had one of its own.
      const ended = lost.find((one) => one.path === path && one.attempt === attempt);
      if (!ended) continue;
      this.#tracing.add(
        { parent: { ...trace.context, spanId: attemptSpanId(runId, path, attempt) } },
        {
          spanId: callSpanId(runId, path, attempt, data.call),
          startMs: at,
          endMs: ended.endMs,
          attributes: {
            ...runAttributes(trace.origin),
            ...nodeRunAttributes(ended),
            'pawl.attempt.number': attempt,
            ...callAttributes(data),
          },
          error: 'lost',
          ...callName(data),
        },
      );
    }
  }

  async #containers(trace: RunTrace, { containers, decision, attempts }: DecisionReading): Promise<void> {
    if (containers.length === 0) return;
    const { runId } = trace.origin;
    const keys = containers.map(({ path }) => ({ runId, path }));
    const starts = new Map(
      (await loadNodeRunStarts(this.#pool, keys)).map(({ path, startedAtMs }) => [path, startedAtMs]),
    );
    for (const ended of containers) {
      const { path, nodeId, kind, status, failure } = ended;
      const endMs = decision.run.nowMs;
      // What a worker did in one go has one instant in the database, and began before it.
      const inside = attempts.filter((one) => one.path === path || one.path.startsWith(`${path}/`));
      const startMs = Math.min(starts.get(path) ?? endMs, ...inside.map((one) => one.startMs));
      this.#tracing.add(
        { parent: placeOf(trace, decision.view.graph, path) },
        {
          spanId: containerSpanId(runId, path),
          name: kind === 'agent' ? `invoke_agent ${nodeId}` : `${kind} ${nodeId}`,
          startMs,
          endMs,
          attributes: {
            ...runAttributes(trace.origin),
            ...nodeRunAttributes(ended),
            'pawl.node.status': status,
            ...(kind === 'agent' && agentAttributes(nodeId)),
          },
          ...(status === 'failed' && { error: failure?.code ?? status }),
        },
      );
    }
  }

  #linkTo(trace: RunTrace, path: string, attempt: number) {
    const spanId = attemptSpanId(trace.origin.runId, path, attempt);
    return { context: { ...trace.context, spanId }, attributes: { 'pawl.attempt.number': attempt } };
  }
}

/** What the spans of a node run hang under: the nearest container around it, else the run. */
function placeOf(trace: RunTrace, graph: FlowGraph, path: string): SpanContext {
  for (let scope = parsePath(graph, path)?.parent ?? ''; scope !== ''; ) {
    if (isContainer(graph, scope))
      return { ...trace.context, spanId: containerSpanId(trace.origin.runId, scope) };
    scope = parsePath(graph, scope)?.parent ?? '';
  }
  return trace.context;
}

/** What an attempt is in the life of a container, whose own span has the name of its kind. */
const PART_OF_CONTAINER: Readonly<Partial<Record<AttemptOutcome, string>>> = {
  laid_out: 'begin',
  turn_begun: 'turn of',
  flow_started: 'begin',
  waiting: 'begin',
};

/** Name and kind of the span of a call, as the GenAI conventions want them. */
export const callName = ({ effect, target }: Pick<Intent, 'effect' | 'target'>) =>
  effect === 'model'
    ? { name: `chat ${target.slice(target.indexOf(':') + 1)}`, kind: SpanKind.CLIENT }
    : { name: `execute_tool ${target.slice(0, target.lastIndexOf('@'))}`, kind: SpanKind.INTERNAL };

const callAttributes = (intent: Intent): Attributes =>
  intent.effect === 'model'
    ? modelRequestAttributes(intent)
    : toolCallAttributes(intent.target, intent.effect, intent.key);
