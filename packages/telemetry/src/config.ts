import { readKeyValues } from './read-key-values.ts';

/** How traces are sent; the names and defaults are those of OpenTelemetry's environment variables. */
export interface TracingConfig {
  readonly protocol: 'http/protobuf' | 'http/json';
  readonly sampler: SamplerConfig;
  readonly batch: {
    readonly maxQueueSize: number;
    readonly maxExportBatchSize: number;
    readonly scheduledDelayMillis: number;
    readonly exportTimeoutMillis: number;
  };
  /** Of every span; `service.name` and what OTEL_RESOURCE_ATTRIBUTES names. */
  readonly resource: Readonly<Record<string, string>>;
}

export interface SamplerConfig {
  readonly kind: 'always_on' | 'always_off' | 'traceidratio';
  /** 0…1 */
  readonly ratio: number;
  /** Runs that came with somebody's trace context follow what that one decided. */
  readonly isParentBased: boolean;
}

/**
 * Reads OpenTelemetry's standard variables. Traces are on when OTEL_EXPORTER_OTLP_ENDPOINT or
 * OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is set; the exporter itself reads those for address, headers, time limit, compression and
 * certificates.
 *
 * @param serviceName  what the process is called unless OTEL_SERVICE_NAME says otherwise
 * @returns undefined when traces are off
 * @throws {Error} naming the variable and what was expected
 */
export function readTracingConfig(env: NodeJS.ProcessEnv, serviceName: string): TracingConfig | undefined {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint || env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none')
    return undefined;
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint)) {
    const name = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
      ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'
      : 'OTEL_EXPORTER_OTLP_ENDPOINT';
    throw new Error(`${name} is no address; expected one like http://localhost:4318.`);
  }
  const maxQueueSize = count(env, 'OTEL_BSP_MAX_QUEUE_SIZE', 16_384);
  return {
    protocol: protocolIn(env),
    sampler: samplerIn(env),
    batch: {
      maxQueueSize,
      maxExportBatchSize: Math.min(count(env, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512), maxQueueSize),
      scheduledDelayMillis: count(env, 'OTEL_BSP_SCHEDULE_DELAY', 5_000),
      exportTimeoutMillis: count(env, 'OTEL_BSP_EXPORT_TIMEOUT', 30_000),
    },
    resource: {
      'service.name': serviceName,
      ...readKeyValues(env.OTEL_RESOURCE_ATTRIBUTES),
      ...(env.OTEL_SERVICE_NAME && { 'service.name': env.OTEL_SERVICE_NAME }),
    },
  };
}

/** Values of the exporter's headers, which are often keys: never to be shown (V13). */
export const exporterSecrets = (env: NodeJS.ProcessEnv): string[] =>
  [env.OTEL_EXPORTER_OTLP_HEADERS, env.OTEL_EXPORTER_OTLP_TRACES_HEADERS].flatMap((text) =>
    Object.values(readKeyValues(text)),
  );

function protocolIn(env: NodeJS.ProcessEnv): TracingConfig['protocol'] {
  const protocol =
    env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/protobuf';
  if (protocol === 'http/protobuf' || protocol === 'http/json') return protocol;
  throw new Error(
    `OTEL_EXPORTER_OTLP_PROTOCOL is "${protocol}"; expected http/protobuf or http/json, usually on port 4318.`,
  );
}

function samplerIn(env: NodeJS.ProcessEnv): SamplerConfig {
  const name = env.OTEL_TRACES_SAMPLER || 'parentbased_always_on';
  const [, parent, kind] = /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(name) ?? [];
  if (kind === undefined)
    throw new Error(
      `OTEL_TRACES_SAMPLER is "${name}"; expected always_on, always_off or traceidratio, with or without parentbased_ before it.`,
    );
  const text = env.OTEL_TRACES_SAMPLER_ARG || '1';
  const ratio = Number(text);
  if (kind === 'traceidratio' && !(ratio >= 0 && ratio <= 1))
    throw new Error(`OTEL_TRACES_SAMPLER_ARG is "${text}"; expected a number from 0 to 1.`);
  return { kind: kind as SamplerConfig['kind'], ratio, isParentBased: parent !== undefined };
}

function count(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`${name} is "${text}"; expected a whole number, 1 or more.`);
  return value;
}
