import {
  type Attributes,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';

/** A span whose beginning and end are known. Instants in epoch milliseconds. */
export interface SpanData {
  readonly spanId: string;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly kind?: SpanKind;
  readonly links?: readonly Link[];
  /** A stable code; present when it ended badly. */
  readonly error?: string;
}

/** Where a span stands: in the trace of `parent`, or as the root of a trace of its own. */
export type SpanPlace = { readonly parent: SpanContext } | { readonly traceId: string };

/** What a process tells of itself and where troubles go. */
export interface TracingProcess {
  readonly version: string;
  /** Which of several processes of a service this is. */
  readonly instanceId: string;
  onTrouble(message: string): void;
}

/** What {@link Tracing} needs of the SDK, which is only loaded when traces are on. */
export interface TracingParts {
  readonly tracer: Tracer;
  /** Says the ids of the span that is started next. */
  useIds(ids: { readonly spanId: string; readonly traceId?: string }): void;
  isSampled(traceId: string, place: SpanPlace): boolean;
  close(): Promise<void>;
}

/** Makes spans, most of them with ids of our own choosing. Nothing here throws or waits for an exporter. */
export class Tracing {
  readonly #parts: TracingParts;

  constructor(parts: TracingParts) {
    this.#parts = parts;
  }

  /** True when spans of a trace are kept; the same in every process. */
  isSampled(traceId: string, place: SpanPlace): boolean {
    return this.#parts.isSampled(traceId, place);
  }

  /** Starts a span that is ended by whoever asked for it. Without a place it is the root of a trace with a random id. */
  start(
    name: string,
    place: SpanPlace | undefined,
    about: {
      readonly spanId?: string;
      readonly kind?: SpanKind;
      readonly startMs?: number;
      readonly attributes?: Attributes;
      readonly links?: readonly Link[];
    } = {},
  ): Span {
    const { spanId, kind = SpanKind.INTERNAL, startMs, attributes, links } = about;
    if (spanId !== undefined)
      this.#parts.useIds({ spanId, ...(place && 'traceId' in place && { traceId: place.traceId }) });
    const context =
      place && 'parent' in place ? trace.setSpanContext(ROOT_CONTEXT, place.parent) : ROOT_CONTEXT;
    return this.#parts.tracer.startSpan(
      name,
      {
        kind,
        ...(startMs !== undefined && { startTime: startMs }),
        ...(attributes && { attributes }),
        ...(links && { links: [...links] }),
      },
      context,
    );
  }

  /** Makes a span that is over. */
  add(place: SpanPlace, data: SpanData): void {
    const span = this.start(data.name, place, data);
    if (data.error !== undefined) fail(span, data.error);
    span.end(Math.max(data.startMs, data.endMs));
  }

  /** Sends what is left, for two seconds at most: a process that stops is not held up by whoever collects traces. */
  async close(): Promise<void> {
    const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref());
    await Promise.race([this.#parts.close().catch(() => {}), late]);
  }
}

const CLOSE_MS = 2_000;

/** Marks a span as failed. Codes only: messages hold what users wrote, and traces are read by others than the journal. */
export function fail(span: Span, code: string): void {
  span.setAttribute('error.type', code);
  span.setStatus({ code: SpanStatusCode.ERROR, message: code });
}
