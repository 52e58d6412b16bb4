// Catches: readiness that lies, a contract that is not the one in force, metrics or logs that tell too much.
import { once } from 'node:events';
import { connect } from 'node:net';
import { openApiDocument } from '@pawl/api';
import { beforeEach, describe, expect, it } from 'vitest';
import { aFlow, anHttp, aRun, type TestHttp } from '../../support/an-http.ts';

let http: TestHttp;
beforeEach(() => {
  http = anHttp();
});

describe('what the engine says of itself', () => {
  it('health is the process, readiness is database and queue', async () => {
    expect((await http.ask('GET /health')).json()).toEqual({ status: 'ok' });
    const ready = await http.ask('GET /ready');
    expect([ready.statusCode, ready.json()]).toEqual([
      200,
      { ready: true, checks: { database: true, queue: true } },
    ]);
    http.store.queueWorks = false;
    http.store.outage = new Error('away');
    const away = await http.ask('GET /ready');
    expect([away.statusCode, away.json()]).toEqual([
      503,
      { ready: false, checks: { database: false, queue: false } },
    ]);
    expect((await http.ask('GET /health')).statusCode).toBe(200);
  });

  it('tools, models and the flow schema are those it was made with', async () => {
    expect((await http.ask('GET /v1/tools')).json().items).toMatchObject([
      { name: 'files.read', effect: 'pure' },
    ]);
    expect((await http.ask('GET /v1/models')).json().items).toMatchObject([{ id: 'sim:writer' }]);
    expect((await http.ask('GET /v1/schemas/flow.json')).json()).toMatchObject({ type: 'object' });
  });

  it('the OpenAPI document is the contract', async () => {
    expect((await http.ask('GET /v1/openapi.json')).json()).toEqual(openApiDocument('0.1.0'));
  });

  it('metrics count operations and starts', async () => {
    await aRun(http);
    await http.ask('GET /v1/runs/x');
    const { body, headers } = await http.ask('GET /metrics');
    expect(headers['content-type']).toMatch(/^text\/plain; version=/);
    expect(body).toContain('pawl_run_starts_total{result="started"} 1');
    expect(body).toContain('pawl_http_requests_total{operation="startRun",method="POST",status="201"} 1');
    expect(body).toContain('pawl_http_requests_total{operation="getRun",method="GET",status="404"} 1');
    expect(body).toContain('pawl_http_request_seconds_bucket');
  });
});

describe('addresses', () => {
  it.each([
    ['GET /v2/runs', 404, 'route_not_found'],
    ['GET /', 404, 'route_not_found'],
    ['GET /v1/runs/', 404, 'run_not_found'],
    ['GET /v1/%zz', 404, 'route_not_found'],
    ['PUT /v1/runs', 405, 'method_not_allowed'],
    ['POST /v1/flows/greet', 405, 'method_not_allowed'],
    ['GET /v1/tools?x=1', 400, 'query_invalid'],
  ])('%s answers %d %s', async (line, status, code) => {
    const reply = await http.ask(line);
    expect(reply.json()).toMatchObject({ status, code });
    if (status === 405) expect(reply.headers.allow).toMatch(/^(GET|POST)(, (GET|POST))*$/);
  });

  it('a request id is kept when it is harmless, and made otherwise', async () => {
    const kept = await http.ask('GET /health', { headers: { 'x-request-id': 'trace-1' } });
    expect(kept.headers['x-request-id']).toBe('trace-1');
    const made = await http.ask('GET /health', { headers: { 'x-request-id': 'a b\tc' } });
    expect(made.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('trouble', () => {
  const outages: [string, Error][] = [
    ['a refused socket', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
    ['a server that shuts down', Object.assign(new Error('terminating connection'), { code: '57P01' })],
    ['a cut connection', new Error('Connection terminated unexpectedly')],
    [
      'a wrapped cause',
      new Error('query failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) }),
    ],
    ['several addresses', new AggregateError([Object.assign(new Error(), { code: 'ECONNREFUSED' })])],
  ];
  it.each(outages)('no database (%s): 503 with Retry-After, without detail', async (_, outage) => {
    http.store.outage = outage;
    const reply = await http.ask('POST /v1/runs', { body: { flow: 'greet' } });
    expect(reply.json()).toMatchObject({ status: 503, code: 'store_unavailable' });
    expect(reply.headers['retry-after']).toBe('1');
  });

  it('a defect: 500 that tells nothing, and a log line that tells the cause', async () => {
    http.store.outage = Object.assign(new Error('relation "run" has no column secret_thing'), {
      code: '42703',
    });
    const reply = await http.ask('GET /v1/runs');
    expect(reply.json()).toMatchObject({ status: 500, code: 'internal_error' });
    expect(reply.body).not.toContain('secret_thing');
    const line = http.logged.find(({ msg }) => msg === 'request failed');
    expect(JSON.stringify(line)).toContain('secret_thing');
    expect(line?.requestId).toBe(reply.headers['x-request-id']);
  });

  it('V13: neither bodies nor keys nor queries are logged', async () => {
    const key = 'pawl_home0123456789abcdefghij';
    await http.ask('POST /v1/flows/greet/publish', { body: aFlow() });
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'private-key' };
    await http.ask('POST /v1/runs', { body: { flow: 'greet', input: { word: 'hush' } }, headers });
    await http.ask('GET /v1/runs?tag=who:hush', { headers });
    await http.ask('POST /v1/runs', { text: '{"hush', headers });
    const lines = JSON.stringify(http.logged);
    expect(http.logged.length).toBeGreaterThan(3);
    expect(lines).toContain('"by":"key:home"');
    for (const secret of [key, 'hush', 'private-key']) expect(lines).not.toContain(secret);
  });

  it('a socket that was opened ahead of need does not hold up closing', async () => {
    const { port } = new URL(await http.app.listen({ host: '127.0.0.1', port: 0 }));
    const accepted = once(http.app.server, 'connection');
    const socket = connect(Number(port), '127.0.0.1');
    await accepted;
    const cut = once(socket, 'close');
    await http.app.close();
    await cut;
  });

  it('a closing server refuses with 503', async () => {
    let url = '';
    let reply: Response | undefined;
    // Runs after the server's own hook and before the socket stops listening.
    http.app.addHook('preClose', async () => {
      reply = await fetch(`${url}/v1/flows`);
    });
    url = await http.app.listen({ host: '127.0.0.1', port: 0 });
    expect((await fetch(`${url}/v1/flows`)).status).toBe(200);
    await http.app.close();
    expect(await reply!.json()).toMatchObject({ status: 503, code: 'shutting_down' });
  });
});
