// Catches: a number rounded on its way, a character lost, an oversized or odd body that reaches the store.
import fastify from 'fastify';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { limitBodyTime } from '../../../src/http/read-bytes.ts';
import { aFlow, anHttp, type TestHttp } from '../../support/an-http.ts';

let http: TestHttp;
beforeEach(async () => {
  http = anHttp();
  await http.ask('POST /v1/flows/greet/publish', { body: aFlow() });
});
const startText = (input: string) => http.ask('POST /v1/runs', { text: `{"flow":"greet","input":${input}}` });

describe('what a body may hold', () => {
  it('NUL, lone surrogates, cut emoji and odd keys come back as they were, from run and journal', async () => {
    const input = {
      nul: 'a\u0000b',
      high: '\ud800',
      low: '\udc00',
      cut: '🙂'.slice(0, 1),
      '': 0,
      'a/b~c': null,
      constructor: '"',
      z: 1,
      a: [1e308, -0.5, 9007199254740991],
    };
    const { runId } = (await http.ask('POST /v1/runs', { body: { flow: 'greet', input } })).json();
    const run = await http.ask(`GET /v1/runs/${runId}`);
    expect(run.json().input).toEqual(input);
    expect(Object.keys(run.json().input)).toEqual(Object.keys(input));
    const events = await http.ask(`GET /v1/runs/${runId}/events`, {
      headers: { accept: 'application/json' },
    });
    expect(events.json().events[0].data.input).toEqual(input);
    expect(run.rawPayload.includes(Buffer.from('\ufffd'))).toBe(false);
  });

  it('a 19-digit integer is refused with its pointer, and no run', async () => {
    const reply = await startText('{"order":{"ids":[1,1234567890123456789]}}');
    expect(reply.json()).toMatchObject({
      status: 422,
      code: 'unsafe_integer',
      issues: [{ pointer: '/input/order/ids/1' }],
    });
    expect(reply.json().detail).toContain('/input/order/ids/1');
    expect(http.store.runs.starts).toEqual([]);
  });

  it('a flow that says so gets huge integers as strings, digit for digit', async () => {
    await http.ask('POST /v1/flows/greet/publish', { body: aFlow('greet', { bigIntegers: 'strings' }) });
    expect((await startText('{"id":-1234567890123456789,"n":5}')).statusCode).toBe(201);
    expect(http.store.runs.starts[0]?.input).toEqual({ id: '-1234567890123456789', n: 5 });
  });

  it('outside the input, or for an unknown flow, the strict rule stays', async () => {
    await http.ask('POST /v1/flows/greet/publish', { body: aFlow('greet', { bigIntegers: 'strings' }) });
    const tags = await http.ask('POST /v1/runs', {
      text: '{"flow":"greet","tags":{"n":1234567890123456789}}',
    });
    expect(tags.json()).toMatchObject({ code: 'unsafe_integer', issues: [{ pointer: '/tags/n' }] });
    const unknown = await http.ask('POST /v1/runs', { text: '{"flow":"none","input":1234567890123456789}' });
    expect(unknown.json()).toMatchObject({ code: 'flow_not_found' });
    const noFlow = await http.ask('POST /v1/runs', { text: '{"flow":7,"input":1234567890123456789}' });
    expect(noFlow.json()).toMatchObject({ code: 'unsafe_integer' });
  });

  it.each([
    ['{"__proto__":{"isAdmin":true}}', 'reserved_key'],
    ['1e400', 'number_out_of_range'],
    [`${'['.repeat(1_500)}${']'.repeat(1_500)}`, 'nesting_too_deep'],
  ])('%.30s is refused as %s', async (input, code) => {
    expect((await startText(input)).json()).toMatchObject({ status: 422, code });
    expect(http.store.runs.starts).toEqual([]);
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined();
  });
});

describe('bodies that cannot be read', () => {
  it('malformed JSON answers 400 with the position', async () => {
    const reply = await http.ask('POST /v1/runs', { text: '{"flow": "greet",}' });
    expect(reply.json()).toMatchObject({ status: 400, code: 'body_malformed' });
    expect(reply.json().detail).toMatch(/position 17/);
  });

  it('no body, and bytes that are not UTF-8, answer 400', async () => {
    expect((await http.ask('POST /v1/runs')).json()).toMatchObject({ status: 400, code: 'body_malformed' });
    const latin1 = Buffer.from('{"flow":"gr\xfc\xdfe"}', 'latin1');
    expect((await http.ask('POST /v1/runs', { text: latin1 })).json().detail).toContain('UTF-8');
  });

  it('a byte order mark is no error', async () => {
    expect((await http.ask('POST /v1/runs', { text: '\ufeff{"flow":"greet"}' })).statusCode).toBe(201);
  });

  it.each([
    [{ 'content-type': 'application/x-yaml' }],
    [{ 'content-type': 'text/plain' }],
    [{ 'content-type': 'not a type' }],
    [{ 'content-encoding': 'gzip' }],
  ])('%j answers 415', async (headers) => {
    const reply = await http.ask('POST /v1/runs', { text: '{"flow":"greet"}', headers: headers as never });
    expect(reply.json()).toMatchObject({ status: 415, code: 'media_type_unsupported' });
  });

  it('25 MB answer 413 naming the limit, and no run', async () => {
    const reply = await startText(JSON.stringify('x'.repeat(25 * 1024 * 1024)));
    expect(reply.json()).toMatchObject({ status: 413, code: 'body_too_large', limitBytes: 20_971_520 });
    expect(reply.json().detail).toContain('20 MB (20971520 bytes)');
    expect(http.store.runs.starts).toEqual([]);
  });

  it('just below the limit is taken', async () => {
    const reply = await startText(JSON.stringify('x'.repeat(20 * 1024 * 1024 - 100)));
    expect(reply.statusCode).toBe(201);
  });
});

it('a request that was injected has no connection to be cut when the time for a body is over', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const app = fastify();
    limitBodyTime(app, 1_000);
    // Answered before its body is read.
    app.addHook('onRequest', (_, reply) => reply.code(401).send('refused'));
    app.post('/', async () => 'taken');
    expect((await app.inject({ method: 'POST', url: '/', payload: { a: 1 } })).body).toBe('refused');
    expect(() => vi.advanceTimersByTime(2_000)).not.toThrow();
  } finally {
    vi.useRealTimers();
  }
});
