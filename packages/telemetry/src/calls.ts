import { context, type Span, trace } from '@opentelemetry/api';
import type { Intent, ModelAnswer, TraceContext } from '@pawl/dag-core';
import { type AttemptNote, preciseNow } from './attempt-note.ts';
import type { CallMetrics } from './metrics/call-metrics.ts';
import {
  modelAnswerAttributes,
  modelRequestAttributes,
  nodeRunAttributes,
  runAttributes,
  toolCallAttributes,
} from './tracing/attributes.ts';
import { callName } from './tracing/commit-spans.ts';
import type { RunTraces } from './tracing/run-traces.ts';
import { attemptSpanId, callSpanId } from './tracing/span-ids.ts';
import { traceContextOf } from './tracing/trace-context.ts';
import { fail, type Tracing } from './tracing/tracing.ts';

/** A call of a model or a tool that an attempt is about to make. */
export interface CallAbout {
  readonly runId: string;
  readonly path: string;
  readonly nodeId: string;
  readonly kind: string;
  readonly attempt: number;
  readonly intent: Pick<Intent, 'call' | 'effect' | 'target' | 'key'> & {
    readonly request?: Intent['request'];
  };
  readonly note: AttemptNote | undefined;
}

/** How a call ended. */
interface CallEnd {
  /** Code of the failure. */
  readonly error?: string;
  readonly answer?: ModelAnswer;
}

/** A call that is being watched. */
export interface WatchedCall {
  /** What the other side is to hang its spans under; absent when there is no trace. */
  readonly trace: TraceContext | undefined;
  /** Makes the call, so that spans made meanwhile stand below it. */
  run<T>(call: () => Promise<T>): Promise<T>;
  ended(end: CallEnd): void;
}

/** Watches calls of models and tools: how long they take, how they end, and their spans. */
export class Calls {
  readonly #metrics: CallMetrics | undefined;
  readonly #tracing: { readonly tracing: Tracing; readonly traces: RunTraces } | undefined;

  constructor(parts: {
    metrics: CallMetrics | undefined;
    tracing: { readonly tracing: Tracing; readonly traces: RunTraces } | undefined;
  }) {
    this.#metrics = parts.metrics;
    this.#tracing = parts.tracing;
  }

  /** Begins to watch a call. Neither this nor what it gives ever throws: a call is worth more than what is known of it. */
  async begin(about: CallAbout): Promise<WatchedCall> {
    const startedAt = performance.now();
    const span = await this.#span(about).catch(() => undefined);
    return {
      trace: span && traceContextOf(span.spanContext()),
      run: (call) => (span ? context.with(trace.setSpan(context.active(), span), call) : call()),
      ended: (end) => {
        try {
          const { error, answer } = end;
          this.#metrics?.ended(about.intent, (performance.now() - startedAt) / 1_000, error, answer);
          if (span) endWithAttempt(span, about.note, end);
        } catch {}
      },
    };
  }

  async #span({ runId, path, nodeId, kind, attempt, intent }: CallAbout): Promise<Span | undefined> {
    const found = await this.#tracing?.traces.of(runId);
    if (!found || !this.#tracing) return undefined;
    const attributes =
      intent.effect === 'model'
        ? modelRequestAttributes({ request: {}, requestHash: '', ...intent })
        : toolCallAttributes(intent.target, intent.effect, intent.key);
    return this.#tracing.tracing.start(
      callName(intent).name,
      { parent: { ...found.context, spanId: attemptSpanId(runId, path, attempt) } },
      {
        spanId: callSpanId(runId, path, attempt, intent.call),
        kind: callName(intent).kind,
        startMs: preciseNow(),
        attributes: {
          ...runAttributes(found.origin),
          ...nodeRunAttributes({ path, nodeId, kind }),
          'pawl.attempt.number': attempt,
          ...attributes,
        },
      },
    );
  }
}

/** Its span is sent with that of its attempt, or never: an attempt that was taken over is told by whoever took it. */
function endWithAttempt(span: Span, note: AttemptNote | undefined, { error, answer }: CallEnd): void {
  if (answer) span.setAttributes(modelAnswerAttributes(answer));
  if (error !== undefined) fail(span, error);
  const endedAt = preciseNow();
  if (note) note.calls = [...(note.calls ?? []), () => span.end(endedAt)];
  else span.end(endedAt);
}
