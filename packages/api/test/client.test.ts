// Catches: a call that goes to another address than the contract's, an error that a program cannot tell apart.
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  ApiError,
  createClient,
  EngineUnreachableError,
  PROBLEMS,
  UnexpectedReplyError,
} from '../src/index.ts';

const runId = '00000000-0000-7000-8000-000000000007';
/** A client whose requests are kept and answered by `reply`. */
function aClient(reply: () => Response | Promise<Response>, apiKey?: string) {
  const requests: {
    method: string;
    url: string;
    headers: Record<string, string>;
    body: string | undefined;
  }[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const headers = init?.headers as Record<string, string>;
    requests.push({
      method: init!.method!,
      url: String(url),
      headers,
      body: init?.body as string | undefined,
    });
    return reply();
  };
  return { client: createClient({ baseUrl: 'http://engine.test/prefix/', apiKey, fetch }), requests };
}
const json = (value: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
const problem = (code: keyof typeof PROBLEMS, headers: Record<string, string> = {}) => {
  const { status, title } = PROBLEMS[code];
  const value = { type: 'urn', title, status, code, detail: 'The sentence.', requestId: 'r' };
  return json(value, status, { ...headers, 'content-type': 'application/problem+json' });
};

describe('a call', () => {
  it('sends what the route says, where it says', async () => {
    const { client, requests } = aClient(() => json({ result: 'started', runId }, 201), 'pawl_key');
    const started = await client.startRun({
      body: { flow: 'greet', input: { lone: '\ud800' } },
      headers: { 'idempotency-key': 'order-1' },
    });
    expect(started).toEqual({ result: 'started', runId });
    expect(requests).toEqual([
      {
        method: 'POST',
        url: 'http://engine.test/prefix/v1/runs',
        headers: {
          accept: 'application/json',
          authorization: 'Bearer pawl_key',
          'content-type': 'application/json',
          'idempotency-key': 'order-1',
        },
        body: '{"flow":"greet","input":{"lone":"\\ud800"}}',
      },
    ]);
  });

  it('escapes parameters, repeats lists and leaves out what is absent', async () => {
    const { client, requests } = aClient(() => json({ items: [] }));
    await client.listRuns({ query: { status: ['failed', 'partial'], tag: 'a:b&c', flow: undefined } });
    await client.getNodeRun({ params: { runId: 'a/../b' }, query: { path: 'each/3/score' } });
    await client.listFlows();
    expect(requests.map(({ url }) => url.slice('http://engine.test/prefix'.length))).toEqual([
      '/v1/runs?status=failed&status=partial&tag=a%3Ab%26c',
      '/v1/runs/a%2F..%2Fb/node-run?path=each%2F3%2Fscore',
      '/v1/flows',
    ]);
    expect(requests[2]!.headers).not.toHaveProperty('content-type');
    expect(requests[2]!.headers).not.toHaveProperty('authorization');
  });

  it('gives any declared reply, also a readiness of 503, and what is not JSON as the response', async () => {
    const away = { ready: false, checks: { database: false } };
    expect(await aClient(() => json(away, 503)).client.getReadiness()).toEqual(away);
    const metrics = await aClient(() => new Response('a 1\n')).client.getMetrics();
    expect(await metrics.text()).toBe('a 1\n');
  });

  it('is typed by the route table', () => {
    const { client } = aClient(() => json({}));
    expectTypeOf(client.startRun).parameter(0).toHaveProperty('body');
    expectTypeOf(client.startRun).returns.resolves.toEqualTypeOf<{
      result: 'started' | 'duplicate';
      runId: string;
    }>();
    expectTypeOf(client.getMetrics).returns.resolves.toEqualTypeOf<Response>();
    expectTypeOf(client.listFlows).toBeCallableWith();
    // @ts-expect-error: a run is named by its id
    void (() => client.getRun());
    // @ts-expect-error: no such status
    void (() => client.listRuns({ query: { status: ['done'] } }));
    // @ts-expect-error: a misspelt member
    void (() => client.startRun({ body: { flow: 'greet', inputs: {} } }));
  });
});

describe('a failing call', () => {
  it('throws the problem with its code, sentence and Retry-After', async () => {
    const { client } = aClient(() => problem('queue_full', { 'retry-after': '3' }));
    const error = await client.startRun({ body: { flow: 'a' } }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: 'queue_full',
      status: 429,
      message: 'The sentence.',
      retryAfterMs: 3_000,
    });
  });

  it('says that nothing answers, and where', async () => {
    const { client } = aClient(() => {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) });
    });
    const error = await client.listFlows().catch((thrown) => thrown);
    expect(error).toBeInstanceOf(EngineUnreachableError);
    expect(error.message).toMatch(/http:\/\/engine\.test\/prefix\/ \(ECONNREFUSED\).*npm start/);
  });

  it('an answer of something else is told apart', async () => {
    for (const reply of [
      () => new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } }),
      () => new Response('<h1>Log in</h1>', { headers: { 'content-type': 'text/html' } }),
      () => json({ code: 'not_ours' }, 418),
    ])
      await expect(aClient(reply).client.listFlows()).rejects.toBeInstanceOf(UnexpectedReplyError);
  });

  it('an abort is an abort', async () => {
    const abort = new AbortController();
    abort.abort(new Error('enough'));
    const { client } = aClient(() => Promise.reject(abort.signal.reason));
    await expect(client.listFlows({ signal: abort.signal })).rejects.toThrow('enough');
  });
});
