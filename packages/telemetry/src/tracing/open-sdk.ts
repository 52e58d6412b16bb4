import { context, DiagLogLevel, diag, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  type IdGenerator,
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { SamplerConfig, TracingConfig } from '../config.ts';
import type { TracingParts, TracingProcess } from './tracing.ts';

/** Troubles with a collector are told this often at most. */
const TELL_EVERY_MS = 60_000;

/** Wires OpenTelemetry's SDK. */
export function openSdk(config: TracingConfig, about: TracingProcess): TracingParts {
  tellTroubles(about.onTrouble);
  const exporter = config.protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter();
  const ids = new GivenIds();
  const sampler = samplerOf(config.sampler);
  const provider = new TracerProvider({
    sampler,
    idGenerator: ids,
    resource: defaultResource().merge(
      resourceFromAttributes({
        'service.version': about.version,
        'service.instance.id': about.instanceId,
        'process.pid': process.pid,
        ...config.resource,
      }),
    ),
    spanProcessors: [new BatchSpanProcessor({ exporter, ...config.batch })],
  });
  // So that spans which tools make with OpenTelemetry's API are sent along and stand where they belong.
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  return {
    tracer: provider.getTracer('pawl', about.version),
    useIds: (given) => ids.use(given),
    isSampled: (traceId, place) => {
      const parent = 'parent' in place ? trace.setSpanContext(ROOT_CONTEXT, place.parent) : ROOT_CONTEXT;
      const { decision } = sampler.shouldSample(parent, traceId, 'run', SpanKind.INTERNAL, {}, []);
      return decision === SamplingDecision.RECORD_AND_SAMPLED;
    },
    close: () => provider.shutdown(),
  };
}

/** Ids that were said beforehand, once, and random ones for everybody else. */
class GivenIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #next: { readonly spanId: string; readonly traceId?: string } | undefined;

  use(ids: { readonly spanId: string; readonly traceId?: string }): void {
    this.#next = ids;
  }

  /** The SDK asks for this one first, and for a trace only when the span has no parent. */
  generateSpanId(): string {
    const { spanId, traceId } = this.#next ?? {};
    if (traceId === undefined) this.#next = undefined;
    return spanId ?? this.#random.generateSpanId();
  }

  generateTraceId(): string {
    const { traceId } = this.#next ?? {};
    this.#next = undefined;
    return traceId ?? this.#random.generateTraceId();
  }
}

function samplerOf({ kind, ratio, isParentBased }: SamplerConfig): Sampler {
  const root =
    kind === 'always_on'
      ? new AlwaysOnSampler()
      : kind === 'always_off'
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(ratio);
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}

/** The first trouble at once, those of the next minute as a number. */
function tellTroubles(onTrouble: (message: string) => void): void {
  let toldAt = Number.NEGATIVE_INFINITY;
  let untold = 0;
  const tell = (message: unknown) => {
    const now = performance.now();
    if (now - toldAt < TELL_EVERY_MS) {
      untold += 1;
      return;
    }
    toldAt = now;
    const more = untold > 0 ? ` (and ${untold} more before)` : '';
    untold = 0;
    onTrouble(`${messageOf(message)}${more}`);
  };
  const ignore = () => {};
  diag.setLogger(
    { error: tell, warn: tell, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}

/** The SDK reports errors as a JSON text of the error with its stack. */
function messageOf(told: unknown): string {
  try {
    const { message, name } = JSON.parse(String(told)) as { message?: string; name?: string };
    return message || name || String(told);
  } catch {
    return String(told);
  }
}
