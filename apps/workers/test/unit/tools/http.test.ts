// Which mistake would this catch? A request that is repeated when it must not be, an answer that fills the memory, a
// password that goes to the wrong place, a doubt that is not shown.
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { AttemptAbort, type Json, leavesDoubt, type Tool } from '@pawl/tool-sdk';
import { assertToolContract } from '@pawl/tool-sdk/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { httpTools } from '../../../src/tools/http/index.ts';
import { type LoopbackServer, type SeenRequest, startLoopbackServer } from '../../support/loopback-server.ts';
import { type Ran, run } from '../../support/real-context.ts';

const MB = 1024 * 1024;
const tools = httpTools({ maxBytes: 16 * MB });
const named = (name: string): Tool => tools.find((tool) => tool.name === `http.${name}`)!;
const servers: LoopbackServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
const serve = async (answer?: (request: SeenRequest, response: ServerResponse) => void, host?: string) => {
  const server = await startLoopbackServer(answer, host);
  servers.push(server);
  return server;
};
const answering = (body: string | Buffer, headers: Record<string, string> = {}, status = 200) =>
  serve((_request, response) => response.writeHead(status, headers).end(body));
type Done = {
  status: number;
  url: string;
  headers: Record<string, string>;
  body: Json;
  artifact?: { name: string };
};
const done = (ran: Ran): Done => {
  if ('failure' in ran) throw new Error(`${ran.failure.code}: ${ran.failure.message}`);
  return ran.output as unknown as Done;
};
const failure = (ran: Ran) => {
  if ('output' in ran) throw new Error(`it succeeded: ${JSON.stringify(ran.output)}`);
  return { ...ran.failure, doubt: leavesDoubt(ran.failure) };
};
const aborting = (code: 'timed_out' | 'cancelled') => {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(new AttemptAbort(code, 'time is up')) };
};

describe('the class is that of the method', () => {
  it.each([
    ['get', 'pure'],
    ['head', 'pure'],
    ['download', 'idempotent'],
    ['put', 'idempotent'],
    ['delete', 'idempotent'],
    ['post', 'non_repeatable'],
    ['patch', 'non_repeatable'],
    ['post_keyed', 'idempotent'],
    ['patch_keyed', 'idempotent'],
  ])('http.%s is %s and keeps its contract', async (name, effect) => {
    const tool = named(name);
    expect(tool.effect).toBe(effect);
    const isWrite = !['get', 'head', 'download'].includes(name);
    await assertToolContract(tool, {
      args: { url: 'https://api.example/things/7', ...(isWrite && { json: { a: 1 } }) },
      invalidArgs: [
        {},
        { url: 'x', surplus: 1 },
        isWrite ? { url: 'x', json: 1, text: 'a' } : { url: 'x', json: 1 },
      ],
      respond: () => Response.json({ id: 'thing-7' }),
    });
  });
});

describe('the request', () => {
  it.each([
    ['get', 'GET'],
    ['head', 'HEAD'],
    ['download', 'GET'],
    ['put', 'PUT'],
    ['delete', 'DELETE'],
    ['post', 'POST'],
    ['patch', 'PATCH'],
    ['post_keyed', 'POST'],
    ['patch_keyed', 'PATCH'],
  ])('http.%s sends %s; the key goes along with writes only', async (name, method) => {
    const server = await serve();
    done(await run(named(name), { url: `${server.url}/a?b=1` }, { idempotencyKey: 'run:path:0' }));
    const [request] = server.seen;
    expect(request).toMatchObject({ method, path: '/a?b=1' });
    expect(request!.headers['idempotency-key']).toBe(/GET|HEAD/.test(method) ? undefined : 'run:path:0');
  });

  it('has query, headers, basic credentials and a body of each kind', async () => {
    const server = await serve();
    const sent = async (more: Record<string, Json>) => {
      done(await run(named('post'), { url: `${server.url}/x?a=1`, ...more }));
      return server.seen.at(-1)!;
    };
    const query = { q: 'ü &', n: 2, on: true, ids: [1, 2], none: null };
    expect((await sent({ query })).path).toBe('/x?a=1&q=%C3%BC+%26&n=2&on=true&ids=1&ids=2');
    const basicAuth = { user: 'ana', password: 'pä:ss' };
    expect((await sent({ basicAuth })).headers.authorization).toBe(
      `Basic ${Buffer.from('ana:pä:ss').toString('base64')}`,
    );
    expect((await sent({ headers: { 'X-Team': 'blue' } })).headers).toMatchObject({
      'x-team': 'blue',
      'user-agent': 'pawl',
    });
    for (const [body, type, bytes] of [
      [{ json: { a: [null, 'é'] } }, 'application/json', '{"a":[null,"é"]}'],
      [{ json: null }, 'application/json', 'null'],
      [{ text: 'héllo' }, 'text/plain; charset=utf-8', 'héllo'],
      [{ form: { a: 'x y', b: [1, 2] } }, 'application/x-www-form-urlencoded', 'a=x+y&b=1&b=2'],
      [{ text: '<a/>', headers: { 'content-type': 'application/xml' } }, 'application/xml', '<a/>'],
    ] as const) {
      const request = await sent(body as Record<string, Json>);
      expect([request.headers['content-type'], request.body.toString()]).toEqual([type, bytes]);
    }
  });

  it('carries the key in the header that the service wants; a key of the author goes first', async () => {
    const server = await serve();
    const url = server.url;
    await run(named('post_keyed'), { url, keyHeader: 'X-Request-Id' }, { idempotencyKey: 'k' });
    await run(
      named('post_keyed'),
      { url, headers: { 'idempotency-key': 'order-7' } },
      { idempotencyKey: 'k' },
    );
    expect(server.seen.map(({ headers }) => [headers['x-request-id'], headers['idempotency-key']])).toEqual([
      ['k', 'k'],
      [undefined, 'order-7'],
    ]);
  });

  it.each<[string, Record<string, Json>]>([
    ['no address', { url: 'nowhere' }],
    ['another scheme', { url: 'file:///etc/passwd' }],
    ['a password in the address', { url: 'http://u:p@127.0.0.1/' }],
    ['a line break in a header', { url: 'http://127.0.0.1/', headers: { a: 'b\r\nc: d' } }],
    ['a header of the client', { url: 'http://127.0.0.1/', headers: { 'Transfer-Encoding': 'chunked' } }],
    ['another host', { url: 'http://127.0.0.1/', headers: { host: 'evil.example' } }],
    ['a user with a colon', { url: 'http://127.0.0.1/', basicAuth: { user: 'a:b', password: '' } }],
    ['half an emoji', { url: 'http://127.0.0.1/', text: 'a\ud83d' }],
    ['a port of another protocol', { url: 'http://127.0.0.1:25/' }],
  ])('is refused with %s, and nothing was sent', async (_case, args) => {
    expect(failure(await run(named('post'), args))).toMatchObject({
      class: 'permanent',
      notApplied: true,
      doubt: false,
    });
  });

  it('when a header has a secret that cannot be sent, the message does not show it', async () => {
    const headers = { authorization: 'Bearer s3cr3t\u0001' };
    const failed = failure(await run(named('get'), { url: 'http://127.0.0.1/', headers }));
    expect(failed).toMatchObject({
      code: 'tool_input',
      message: expect.stringContaining('/headers/authorization'),
    });
    expect(JSON.stringify(failed)).not.toContain('s3cr3t');
  });
});

describe('the answer', () => {
  const got = async (args: Record<string, Json>, name = 'get') => run(named(name), args as Json);

  it('is JSON, text or null by its media type', async () => {
    for (const [body, type, expected] of [
      ['{"a":1}', 'application/json', { a: 1 }],
      ['\ufeff[1]', 'application/problem+json; charset=utf-8', [1]],
      ['héllo', 'text/plain; charset=utf-8', 'héllo'],
      ['<a>é</a>', 'application/xml', '<a>é</a>'],
      ['plain', '', 'plain'],
      ['', 'application/json', null],
    ] as const) {
      const server = await answering(body, type === '' ? {} : { 'content-type': type });
      expect(done(await got({ url: server.url })).body, type).toEqual(expected);
    }
    const empty = await answering('', {}, 204);
    expect(done(await got({ url: empty.url }))).toMatchObject({ status: 204, body: null });
  });

  it('has its charset from the answer, or from the author', async () => {
    const gbk = Buffer.from('c4e3bac3', 'hex');
    const said = await answering(gbk, { 'content-type': 'text/html; charset="GBK"' });
    expect(done(await got({ url: said.url })).body).toBe('你好');
    const unsaid = await answering(gbk, { 'content-type': 'text/html' });
    expect(done(await got({ url: unsaid.url, charset: 'gbk' })).body).toBe('你好');
    expect(failure(await got({ url: unsaid.url }))).toMatchObject({ code: 'not_text', class: 'permanent' });
  });

  it('never rounds an integer', async () => {
    const server = await answering('{"id":9007199254740993}', { 'content-type': 'application/json' });
    expect(failure(await got({ url: server.url }))).toMatchObject({
      code: 'unsafe_integer',
      message: expect.stringContaining('/id'),
    });
    expect(done(await got({ url: server.url, bigIntegers: 'strings' })).body).toEqual({
      id: '9007199254740993',
    });
  });

  it('when it says JSON and is none, that is final', async () => {
    const server = await answering('<html>', { 'content-type': 'application/json' });
    expect(failure(await got({ url: server.url }))).toMatchObject({
      code: 'json_syntax',
      class: 'permanent',
    });
  });

  it('leaves cookies out of what is recorded', async () => {
    const server = await answering('{}', { 'set-cookie': 'session=s3cr3t', 'x-a': 'b' });
    const { headers } = done(await got({ url: server.url }));
    expect(headers['x-a']).toBe('b');
    expect(JSON.stringify(headers)).not.toContain('s3cr3t');
  });

  it('when it is neither JSON nor text, http.get names the tool that keeps it', async () => {
    const server = await answering(Buffer.from([0, 255]), { 'content-type': 'image/png' });
    expect(failure(await got({ url: server.url }))).toMatchObject({
      code: 'response_not_text',
      message: expect.stringContaining('http.download'),
    });
  });

  it.each([
    ['/files/report%20A.pdf', {}, 'report A.pdf'],
    ['/x', { 'content-disposition': 'attachment; filename="a \\"b\\".pdf"' }, 'a "b".pdf'],
    ['/x', { 'content-disposition': "attachment; filename=x; filename*=UTF-8''%E5%90%8D.pdf" }, '名.pdf'],
    ['/x', { 'content-disposition': 'attachment; filename="../../etc/passwd"' }, 'passwd'],
    ['/', {}, 'response'],
    ['/%2e%2e', {}, 'response'],
  ])('http.download of %s with %j is called %j', async (path, headers, name) => {
    const data = Buffer.from([0, 255, 1]);
    const server = await answering(data, { 'content-type': 'application/pdf', ...headers });
    const ran = await got({ url: server.url + path }, 'download');
    const hash = createHash('sha256').update(data).digest('hex');
    expect(done(ran).artifact).toMatchObject({ name, mediaType: 'application/pdf', bytes: 3, hash });
    expect(Buffer.from(ran.seen.artifacts[0]!.data)).toEqual(data);
  });

  it('when a write is answered with bytes, they are kept as an artifact', async () => {
    const server = await answering(Buffer.from([0, 255]), { 'content-type': 'image/png' });
    expect(done(await got({ url: server.url, json: {}, name: 'chart.png' }, 'post'))).toMatchObject({
      body: null,
      artifact: { name: 'chart.png', bytes: 2 },
    });
  });

  it('when a status was said to be an answer, it is one', async () => {
    const server = await answering('{"gone":true}', { 'content-type': 'application/json' }, 404);
    expect(done(await got({ url: server.url, acceptStatus: [404] }))).toMatchObject({
      status: 404,
      body: { gone: true },
    });
    expect(failure(await got({ url: server.url }))).toMatchObject({ code: 'http_404', class: 'permanent' });
  });
});

describe('answers without measure', () => {
  const limit = { maxBytes: 100_000 };

  it('when it is announced as too large, it is not read', async () => {
    let wrote = 0;
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 200_000_000, 'content-type': 'text/plain' });
      response.flushHeaders();
      response.on('drain', () => wrote++);
    });
    expect(failure(await run(named('get'), { url: server.url, ...limit }))).toMatchObject({
      code: 'response_too_large',
      class: 'permanent',
      detail: { limit: 100_000 },
    });
    expect(wrote).toBe(0);
  });

  it('when it never ends, it is cut off', async () => {
    let isClosed = Promise.resolve();
    const server = await serve((_request, response) => {
      isClosed = new Promise((resolve) => response.once('close', () => resolve()));
      response.writeHead(200, { 'content-type': 'text/plain' });
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(16 * 1024)));
      };
      response.on('drain', write);
      write();
    });
    for (const name of ['get', 'download'])
      expect(failure(await run(named(name), { url: server.url, ...limit }))).toMatchObject({
        code: 'response_too_large',
      });
    await isClosed;
  });

  it.each([1, 2])(
    'when a small answer unpacks to a huge one (%d layers), it is cut off after its limit',
    async (layers) => {
      let bomb = Buffer.alloc(256 * MB);
      for (let layer = 0; layer < layers; layer++) bomb = gzipSync(bomb);
      const server = await answering(bomb, {
        'content-encoding': Array.from({ length: layers }, () => 'gzip').join(', '),
        'content-type': 'application/octet-stream',
      });
      const before = process.memoryUsage().rss;
      const ran = await run(named('download'), { url: server.url, maxBytes: MB });
      expect(failure(ran)).toMatchObject({ code: 'response_too_large' });
      expect(process.memoryUsage().rss - before).toBeLessThan(128 * MB);
      expect(ran.seen.artifacts).toEqual([]);
    },
  );

  it('when the operator sets a limit, no call goes beyond it', async () => {
    const server = await answering('x'.repeat(2_000), { 'content-type': 'text/plain' });
    const careful = httpTools({ maxBytes: 1_000 }).find((tool) => tool.name === 'http.get')!;
    expect(failure(await run(careful, { url: server.url, maxBytes: 1_000_000 }))).toMatchObject({
      detail: { limit: 1_000 },
    });
  });

  it('when an error never ends, its beginning is kept', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(500, { 'content-type': 'text/plain' });
      const write = (): void => {
        while (!response.destroyed && response.write('no'.repeat(8 * 1024)));
      };
      response.on('drain', write);
      write();
    });
    expect(failure(await run(named('get'), { url: server.url }))).toMatchObject({
      code: 'http_500',
      class: 'transient',
    });
  });
});

describe('redirects', () => {
  it('are followed to the end, whose address is told', async () => {
    const server = await serve(({ path }, response) => {
      if (path === '/a') response.writeHead(301, { location: '/b' }).end();
      else if (path === '/b') response.writeHead(308, { location: '/c?d=1' }).end();
      else response.writeHead(200, { 'content-type': 'text/plain' }).end('there');
    });
    expect(done(await run(named('get'), { url: `${server.url}/a` }))).toMatchObject({
      url: `${server.url}/c?d=1`,
      body: 'there',
    });
  });

  it('go round only so often', async () => {
    const server = await serve((_request, response) => response.writeHead(302, { location: '/' }).end());
    expect(failure(await run(named('get'), { url: server.url, maxRedirects: 3 }))).toMatchObject({
      code: 'too_many_redirects',
      class: 'permanent',
    });
    expect(server.seen).toHaveLength(4);
  });

  it('carry no credentials and no body to another origin', async () => {
    const elsewhere = await serve();
    const server = await serve(({ path }, response) =>
      response.writeHead(307, { location: elsewhere.url + path }).end(),
    );
    const headers = {
      authorization: 'Bearer s3cr3t',
      'x-api-key': 's3cr3t',
      cookie: 'a=s3cr3t',
      accept: 'text/plain',
    };
    done(await run(named('get'), { url: server.url, headers }));
    expect(JSON.stringify(elsewhere.seen[0]!.headers)).not.toContain('s3cr3t');
    expect(elsewhere.seen[0]!.headers.accept).toBe('text/plain');
    expect(failure(await run(named('post'), { url: server.url, json: { card: 1 } }))).toMatchObject({
      code: 'redirect_refused',
      class: 'permanent',
    });
    expect(elsewhere.seen).toHaveLength(1);
  });

  it('C83: lead to no private address', async () => {
    const ledger = await serve();
    const outside = await serve(
      (_request, response) => response.writeHead(302, { location: ledger.url }).end(),
      '127.0.0.2',
    );
    expect(failure(await run(named('get'), { url: outside.url }, { allow: '127.0.0.2' }))).toMatchObject({
      code: 'address_blocked',
      class: 'permanent',
    });
    expect(ledger.seen).toEqual([]);
  });
});

describe('what a failure means', () => {
  const DOUBT = ['post', 'patch'];
  const WRITES = ['put', 'delete', 'post', 'patch', 'post_keyed', 'patch_keyed'];

  it.each([...WRITES, 'get'])('when nobody listens, http.%s is proven not to have happened', async (name) => {
    const server = await startLoopbackServer();
    await server.close();
    expect(failure(await run(named(name), { url: server.url }))).toMatchObject({
      code: 'connection_failed',
      class: 'transient',
      notApplied: true,
      doubt: false,
    });
  });

  it.each(WRITES)(
    'C01: when the connection is cut without an answer, http.%s leaves it open',
    async (name) => {
      const server = await serve((_request, response) => void response.destroy());
      const failed = failure(await run(named(name), { url: server.url, json: {} }));
      expect(failed).toMatchObject({ code: 'connection_lost', class: 'transient', doubt: true });
      expect(server.seen).toHaveLength(1);
      expect(named(name).effect === 'non_repeatable').toBe(DOUBT.includes(name));
    },
  );

  it('when the answer breaks off in the middle, it is no answer', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
      response.write('{"a":', () => response.destroy());
    });
    expect(failure(await run(named('get'), { url: server.url }))).toMatchObject({
      code: 'connection_lost',
      class: 'transient',
    });
    expect(failure(await run(named('post'), { url: server.url }))).toMatchObject({
      class: 'transient',
      doubt: true,
    });
  });

  it.each([
    [400, 'permanent'],
    [401, 'permanent'],
    [403, 'permanent'],
    [404, 'permanent'],
    [409, 'transient'],
    [422, 'permanent'],
    [500, 'transient'],
    [503, 'transient'],
    [529, 'transient'],
  ])('C10: a %d is %s, and its words are kept', async (status, kind) => {
    const server = await answering('{"error":{"message":"quota of ACME"}}', { 'retry-after': '7' }, status);
    for (const name of ['get', 'put', 'post']) {
      const failed = failure(await run(named(name), { url: server.url }));
      expect(failed).toMatchObject({
        code: `http_${status}`,
        class: kind,
        message: expect.stringContaining('quota of ACME'),
      });
      if (kind === 'transient') expect(failed.retryAfterMs).toBe(7_000);
      expect(failed.doubt).toBe(kind === 'transient');
    }
  });

  it.each([425, 429])(
    'C67: a %d says that a POST was not looked at: it may be sent again, when the service says',
    async (status) => {
      const server = await answering('slow down', { 'retry-after': '3' }, status);
      expect(failure(await run(named('post'), { url: server.url }))).toMatchObject({
        code: `http_${status}`,
        class: 'transient',
        notApplied: true,
        retryAfterMs: 3_000,
        doubt: false,
      });
    },
  );

  it('when the author knows that a status means "nothing done", it does', async () => {
    const server = await answering('maintenance', {}, 503);
    const args = { url: server.url, notAppliedStatus: [503] };
    expect(failure(await run(named('post'), args))).toMatchObject({
      class: 'transient',
      notApplied: true,
      doubt: false,
    });
  });

  it('C13: when time is up, the connection is closed, and a POST is in doubt', async () => {
    for (const name of ['get', 'post']) {
      const { signal, abort } = aborting('timed_out');
      let hungUp: Promise<void> | undefined;
      const server = await serve((_request, response) => {
        hungUp = new Promise((resolve) => response.once('close', () => resolve()));
        abort();
      });
      const failed = failure(await run(named(name), { url: server.url }, { signal }));
      expect(failed).toMatchObject({ code: 'timed_out', class: 'timed_out', doubt: true });
      await hungUp;
    }
  });

  it('when time is up while the answer comes, it is the time that is told', async () => {
    const { signal, abort } = aborting('cancelled');
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write('slowly', () => setImmediate(abort));
    });
    expect(failure(await run(named('get'), { url: server.url }, { signal }))).toMatchObject({
      class: 'cancelled',
    });
  });
});
