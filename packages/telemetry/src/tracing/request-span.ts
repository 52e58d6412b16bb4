import { type Attributes, SpanKind } from '@opentelemetry/api';
import type { TraceContext } from '@pawl/dag-core';
import { preciseNow } from '../attempt-note.ts';
import { spanContextOf, traceContextOf } from './trace-context.ts';
import { fail, type Tracing } from './tracing.ts';

/** A request that a server is answering. Addresses without their query: it may hold what users wrote (V13). */
export interface RequestAbout {
  readonly method: string;
  /** As the server knows it, with names in place of values. */
  readonly route: string;
  readonly path: string;
  readonly operation: string;
  readonly requestId: string;
  /** Of whoever asks. */
  readonly parent: TraceContext | undefined;
}

export interface WatchedRequest {
  /** What is started by it hangs below it. */
  readonly trace: TraceContext;
  readonly traceId: string;
  about(attributes: Attributes): void;
  /** Only the first call counts. */
  answered(status: number): void;
}

/** Starts the span of a request. */
export function watchRequest(tracing: Tracing, about: RequestAbout): WatchedRequest {
  const parent = about.parent && spanContextOf(about.parent);
  const span = tracing.start(`${about.method} ${about.route}`, parent && { parent }, {
    kind: SpanKind.SERVER,
    startMs: preciseNow(),
    attributes: {
      'http.request.method': about.method,
      'http.route': about.route,
      'url.path': about.path,
      'url.scheme': 'http',
      'pawl.operation': about.operation,
      'pawl.request.id': about.requestId,
    },
  });
  const context = span.spanContext();
  return {
    trace: traceContextOf(context),
    traceId: context.traceId,
    about: (attributes) => void span.setAttributes(attributes),
    answered: (status) => {
      if (!span.isRecording()) return;
      span.setAttribute('http.response.status_code', status);
      if (status >= 500) fail(span, String(status));
      span.end(preciseNow());
    },
  };
}
