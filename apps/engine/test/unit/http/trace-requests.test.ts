// Catches: a caller's trace that gets lost, a broken header that refuses a run, log lines about a run that do not name it.
import { type Tracing, watchRequest } from '@pawl/telemetry';
import { beforeEach, describe, expect, it } from 'vitest';
import { aFlow, anHttp, aRun, type TestHttp } from '../../support/an-http.ts';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('the trace context of a start', () => {
  let http: TestHttp;
  beforeEach(async () => {
    http = anHttp();
    await http.ask('POST /v1/flows/greet/publish', { body: aFlow() });
  });
  const start = async (headers: Record<string, string>) => {
    const reply = await http.ask('POST /v1/runs', { body: { flow: 'greet' }, headers });
    return { reply, request: http.store.runs.starts.at(-1)! };
  };

  it('J7: is handed to the store with the start', async () => {
    const { request } = await start({ traceparent, tracestate: 'a=1' });
    expect(request.trace).toEqual({ parent: traceparent, state: 'a=1' });
  });

  it('when it cannot be read, the run starts without', async () => {
    for (const broken of ['', 'nonsense', traceparent.replace('0af', 'xyz')]) {
      const { reply, request } = await start({ traceparent: broken, tracestate: 'a=1' });
      expect(reply.statusCode).toBe(201);
      expect(request.trace).toBeUndefined();
    }
  });
});

describe('log lines about a run', () => {
  it('name it and its node run, whoever the request is about', async () => {
    const http = anHttp();
    const runId = await aRun(http);
    await http.ask(`GET /v1/runs/${runId}/node-run?path=hello`);
    await http.ask(`GET /v1/runs/${runId}`);
    const answered = http.logged.filter(({ msg }) => msg === 'request answered');
    expect(answered.map(({ operation, runId: id, path }) => [operation, id, path])).toEqual([
      ['publishFlow', undefined, undefined],
      ['startRun', runId, undefined],
      ['getNodeRun', runId, 'hello'],
      ['getRun', runId, undefined],
    ]);
  });
});

describe('spans of requests', () => {
  /** Spans as they ended, made by a tracing that keeps them. */
  function aTracing() {
    const spans: { name: string; attributes: Record<string, unknown>; ended: boolean }[] = [];
    const start = (name: string, _place: unknown, about: { attributes: Record<string, unknown> }) => {
      const span = { name, attributes: { ...about.attributes }, ended: false };
      spans.push(span);
      return {
        spanContext: () => ({ traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 }),
        setAttribute: (key: string, value: unknown) => {
          span.attributes[key] = value;
        },
        setAttributes: (more: Record<string, unknown>) => Object.assign(span.attributes, more),
        setStatus: () => {},
        isRecording: () => !span.ended,
        end: () => {
          span.ended = true;
        },
      };
    };
    return { spans, tracing: { start } as unknown as Tracing };
  }

  it('name the route and never what was asked with, carry the run, and what starts hangs below them', async () => {
    const { spans, tracing } = aTracing();
    const http = anHttp({ tracing });
    const runId = await aRun(http);
    await http.ask('GET /v1/runs?tag=team:secret-team');
    await http.ask('GET /health');
    await http.ask('GET /v1/nothing-of-the-kind');
    expect(spans.map(({ name }) => name)).toEqual([
      'POST /v1/flows/:flow/publish',
      'POST /v1/runs',
      'GET /v1/runs',
    ]);
    expect(spans[1]!.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/v1/runs',
      'http.response.status_code': 201,
      'pawl.run.id': runId,
    });
    expect(JSON.stringify(spans)).not.toContain('secret-team');
    expect(spans.every(({ ended }) => ended)).toBe(true);
    expect(http.store.runs.starts[0]!.trace).toEqual({
      parent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`,
    });
  });

  it('V13: keep quiet about an address that is a proof', async () => {
    const { spans, tracing } = aTracing();
    await anHttp({ tracing }).ask('POST /v1/callbacks/known', { body: { result: 1 } });
    expect(spans[0]!.attributes).toMatchObject({ 'url.path': '/v1/callbacks/:token' });
    expect(JSON.stringify(spans)).not.toContain('known');
  });

  it('end once, with the first answer', () => {
    const { spans, tracing } = aTracing();
    const about = {
      method: 'GET',
      route: '/r',
      path: '/r',
      operation: 'o',
      requestId: 'i',
      parent: undefined,
    };
    const watched = watchRequest(tracing, about);
    watched.answered(503);
    watched.answered(200);
    expect(spans[0]!.attributes).toMatchObject({ 'http.response.status_code': 503, 'error.type': '503' });
  });
});
