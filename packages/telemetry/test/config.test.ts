// Would catch: traces that are on though nobody asked, or off though somebody did, and a wrong value that is taken for a right one.
import { describe, expect, it } from 'vitest';
import { exporterSecrets, readTracingConfig } from '../src/config.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
const read = (env: Record<string, string>) => readTracingConfig(env, 'pawl-worker');

describe('the configuration of traces', () => {
  it.each([
    ['nothing is set', {}],
    ['the endpoint is empty', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
    ['the SDK is disabled', { ...endpoint, OTEL_SDK_DISABLED: 'TRUE' }],
    ['traces go nowhere', { ...endpoint, OTEL_TRACES_EXPORTER: 'none' }],
  ])('when %s, traces are off', (_, env) => {
    expect(read(env)).toBeUndefined();
  });

  it('when an endpoint is set, the defaults are those of OpenTelemetry, but for a longer queue', () => {
    expect(read(endpoint)).toEqual({
      protocol: 'http/protobuf',
      sampler: { kind: 'always_on', ratio: 1, isParentBased: true },
      batch: {
        maxQueueSize: 16_384,
        maxExportBatchSize: 512,
        scheduledDelayMillis: 5_000,
        exportTimeoutMillis: 30_000,
      },
      resource: { 'service.name': 'pawl-worker' },
    });
  });

  it('when the standard variables say otherwise, they are obeyed, and those for traces go first', () => {
    const env = {
      ...endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_BSP_MAX_QUEUE_SIZE: '100',
      OTEL_BSP_SCHEDULE_DELAY: '10',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test%20one,service.name=other,broken',
      OTEL_SERVICE_NAME: 'mine',
    };
    expect(read(env)).toMatchObject({
      protocol: 'http/json',
      sampler: { kind: 'traceidratio', ratio: 0.25, isParentBased: false },
      batch: { maxQueueSize: 100, maxExportBatchSize: 100, scheduledDelayMillis: 10 },
      resource: { 'deployment.environment': 'test one', 'service.name': 'mine' },
    });
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', /one like http/],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', /http\/protobuf or http\/json/],
    ['OTEL_TRACES_SAMPLER', 'sometimes', /always_on, always_off or traceidratio/],
    ['OTEL_BSP_MAX_QUEUE_SIZE', '0', /whole number/],
  ])('when %s is %s, the sentence names it and what was expected', (name, value, expected) => {
    expect(() => read({ ...endpoint, [name]: value })).toThrow(new RegExp(`^${name}\\b.*${expected.source}`));
  });

  it('when a ratio is none, the sentence names it', () => {
    const env = { ...endpoint, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' };
    expect(() => read(env)).toThrow(/^OTEL_TRACES_SAMPLER_ARG is "2"/);
  });

  it('V13: when the address is wrong, it is not shown: it may hold a password', () => {
    expect(() => read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'me:hidden@collector' })).toThrow(/^(?!.*hidden)/);
  });

  it('V13: what headers of the exporter hold is known as secret', () => {
    expect(exporterSecrets({ OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b, authorization=Bearer t' })).toEqual([
      'a b',
      'Bearer t',
    ]);
  });
});
