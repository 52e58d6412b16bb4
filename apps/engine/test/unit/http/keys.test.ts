// Catches: a request that acts without a key where it must not, or a foreign page that acts through a browser.
import { beforeEach, describe, expect, it } from 'vitest';
import { createAuthenticate } from '../../../src/http/access/authenticate.ts';
import { isLoopback } from '../../../src/http/access/loopback.ts';
import { anHttp, type TestHttp } from '../../support/an-http.ts';
import { ELSEWHERE_KEY, HOME, HOME_KEY } from '../../support/memory-store.ts';

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe('with keys', () => {
  let http: TestHttp;
  beforeEach(() => {
    http = anHttp({ auth: { mode: 'keys', defaultWorkspaceId: HOME } });
  });

  it('a request without a key answers 401, from this machine too', async () => {
    const reply = await http.ask('GET /v1/flows');
    expect(reply.json()).toMatchObject({ status: 401, code: 'api_key_missing' });
    expect(reply.headers['www-authenticate']).toBe('Bearer');
  });

  it.each([
    'Bearer pawl_unknown0123456789abcdef',
    'Bearer sk-0123456789abcdef0123456789',
    'Bearer',
    'Basic cGF3bDpwYXds',
    `Bearer ${HOME_KEY} ${HOME_KEY}`,
    HOME_KEY,
  ])('%s answers 401', async (authorization) => {
    const reply = await http.ask('GET /v1/flows', { headers: { authorization } });
    expect(reply.json()).toMatchObject({ status: 401, code: 'api_key_invalid' });
    expect(reply.body).not.toContain('0123456789');
  });

  it('the key is asked for before the body is read', async () => {
    const reply = await http.ask('POST /v1/runs', { text: Buffer.alloc(25 * 1024 * 1024, ' ') });
    expect(reply.json()).toMatchObject({ code: 'api_key_missing' });
  });

  it('a good key works from anywhere, with the scheme in any letter case', async () => {
    const headers = { authorization: `bearer ${HOME_KEY}`, host: 'pawl.example' };
    expect((await http.ask('GET /v1/flows', { headers, from: '203.0.113.7' })).statusCode).toBe(200);
  });

  it('health, readiness and the contract are open; metrics are not', async () => {
    for (const path of ['/health', '/ready', '/v1/openapi.json', '/v1/schemas/flow.json'])
      expect((await http.ask(`GET ${path}`, { from: '203.0.113.7' })).statusCode).toBe(200);
    expect((await http.ask('GET /metrics')).statusCode).toBe(401);
  });
});

describe('open on this machine', () => {
  let http: TestHttp;
  beforeEach(() => {
    http = anHttp();
  });

  it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('%s needs no key', async (from) => {
    expect((await http.ask('GET /v1/flows', { from })).statusCode).toBe(200);
  });

  it.each(['203.0.113.7', '10.0.0.1', '::ffff:10.0.0.1', '2001:db8::1'])('%s needs one', async (from) => {
    expect((await http.ask('GET /v1/flows', { from })).json()).toMatchObject({ code: 'api_key_missing' });
    expect((await http.ask('GET /v1/flows', { from, headers: bearer(HOME_KEY) })).statusCode).toBe(200);
  });

  it.each([
    ['a rebound name', { host: 'evil.example' }],
    ['a name that starts like ours', { host: 'localhost.evil.example' }],
    ['a page of another origin', { origin: 'https://evil.example' }],
    ['a page of another local port', { origin: 'http://localhost:9999' }],
    ['a sandboxed page', { origin: 'null' }],
    ['a cross-site form', { 'sec-fetch-site': 'cross-site' }],
    ['a proxy', { 'x-forwarded-for': '203.0.113.7' }],
    ['a proxy of the standard kind', { forwarded: 'for=203.0.113.7' }],
  ])('%s is refused without a key', async (_, headers) => {
    const reply = await http.ask('POST /v1/flows/greet/publish', { headers: headers as never });
    expect(reply.json()).toMatchObject({ status: 403, code: 'host_not_allowed' });
  });

  it.each(['localhost:7430', 'LOCALHOST', '127.0.0.1:1', '[::1]:7430'])(
    'host %s is this machine',
    async (host) => {
      const headers = { host, origin: `http://${host}` };
      expect((await http.ask('GET /v1/flows', { headers })).statusCode).toBe(200);
    },
  );

  it('a bad key is refused, not ignored', async () => {
    const reply = await http.ask('GET /v1/flows', { headers: bearer('pawl_unknown0123456789abcdef') });
    expect(reply.json()).toMatchObject({ status: 401, code: 'api_key_invalid' });
  });

  it('a key acts in its own workspace, no key in the default one', async () => {
    await http.ask('POST /v1/flows', { body: { name: 'mine' } });
    const names = async (headers: Record<string, string>) =>
      (await http.ask('GET /v1/flows', { headers })).json().items.length;
    expect(await names({})).toBe(1);
    expect(await names(bearer(HOME_KEY))).toBe(1);
    expect(await names(bearer(ELSEWHERE_KEY))).toBe(0);
  });
});

describe('found keys', () => {
  it('are believed for a while and asked again after it; unknown ones are asked each time', async () => {
    let now = 0;
    let lookups = 0;
    let isRevoked = false;
    const authenticate = createAuthenticate({
      mode: 'keys',
      defaultWorkspaceId: HOME,
      keyCacheMs: 5_000,
      now: () => now,
      store: {
        findKey: async () => {
          lookups += 1;
          return isRevoked ? undefined : { keyId: '1', name: 'home', workspaceId: HOME, role: 'viewer' };
        },
        findSession: async () => undefined,
      },
    });
    const ask = () => authenticate({ headers: bearer(HOME_KEY), raw: { socket: {} } } as never);
    expect(await ask()).toMatchObject({ workspaceId: HOME, by: 'key:home', role: 'viewer' });
    isRevoked = true;
    now = 4_999;
    await ask();
    expect(lookups).toBe(1);
    now = 5_000;
    await expect(ask()).rejects.toMatchObject({ code: 'api_key_invalid' });
    await expect(ask()).rejects.toMatchObject({ code: 'api_key_invalid' });
    expect(lookups).toBe(3);
  });

  it('no address is no loopback', () => {
    expect([undefined, '', '127', '1127.0.0.1', '::ffff:128.0.0.1'].map(isLoopback)).toEqual(
      Array(5).fill(false),
    );
  });
});
