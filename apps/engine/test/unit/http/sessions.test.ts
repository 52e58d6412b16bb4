// Catches: a session that a foreign page can use, that outlives its end, or that acts elsewhere; a password that can be guessed.
import { beforeEach, describe, expect, it } from 'vitest';
import { anHttp, aRun, type TestHttp } from '../../support/an-http.ts';
import { ELSEWHERE_KEY, HOME, HOME_KEY, keyOf } from '../../support/memory-store.ts';

const PASSWORD = 'correct horse battery';
const HOST = 'localhost:7430';
const ownPage = { origin: `http://${HOST}`, 'sec-fetch-site': 'same-origin' };
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

let http: TestHttp;
let now: number;
beforeEach(async () => {
  now = Date.parse('2026-01-02T03:04:05Z');
  http = anHttp({ auth: { mode: 'keys', defaultWorkspaceId: HOME }, now: () => now });
  http.store.access.now = () => now;
  await aUser('ada', 'editor');
});

const aUser = (name: string, role: string, key = HOME_KEY) =>
  http.ask('POST /v1/users', { body: { name, role, password: PASSWORD }, headers: bearer(key) });
const trySignIn = (body: object, more: { headers?: Record<string, string>; from?: string } = {}) =>
  http.ask('POST /v1/session', { body, ...more, headers: { ...ownPage, ...more.headers } });

/** Signs in and gives the headers of a page that is signed in. */
async function signIn(body: object = { name: 'ada', password: PASSWORD }) {
  const reply = await trySignIn(body);
  expect(reply.statusCode).toBe(200);
  const [cookie] = String(reply.headers['set-cookie']).split(';');
  return { ...ownPage, cookie: cookie! };
}
const me = async (headers: Record<string, string>) => (await http.ask('GET /v1/me', { headers })).json();
const isIn = async (headers: Record<string, string>) =>
  (await http.ask('GET /v1/flows', { headers })).statusCode === 200;

describe('signing in', () => {
  it('gives a cookie that no script reads and no other site sends, and says who it is', async () => {
    const reply = await trySignIn({ name: 'ada', password: PASSWORD });
    expect(reply.json()).toMatchObject({ by: 'user:ada', role: 'editor', signedInWith: 'password' });
    expect(reply.headers['set-cookie']).toMatch(
      /^pawl_session=[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const tls = await trySignIn(
      { name: 'ada', password: PASSWORD },
      { headers: { origin: 'https://pawl.example', host: 'pawl.example' } },
    );
    expect(tls.headers['set-cookie']).toMatch(/; Secure$/);
  });

  it('is the same name however it is typed', async () => {
    expect(await me(await signIn({ name: ' Ada', password: PASSWORD }))).toMatchObject({ name: 'ada' });
  });

  it('with a key acts as that key, as long as it is in force', async () => {
    const headers = await signIn({ key: keyOf('operator') });
    expect(await me(headers)).toMatchObject({ by: 'key:operator', role: 'operator', signedInWith: 'key' });
    const { items } = (await http.ask('GET /v1/keys', { headers: bearer(HOME_KEY) })).json();
    const { id } = items.find(({ name }: { name: string }) => name === 'operator');
    await http.ask(`DELETE /v1/keys/${id}`, { headers: bearer(HOME_KEY) });
    expect(await isIn(headers)).toBe(false);
  });

  it('tells nobody whether there is such a user: the same answer, and a password is looked at', async () => {
    const wrong = await trySignIn({ name: 'ada', password: 'not hers, but long' });
    const nobody = await trySignIn({ name: 'bob', password: PASSWORD });
    const elsewhere = await trySignIn({ name: 'ada', password: PASSWORD, workspace: 'elsewhere' });
    const nowhere = await trySignIn({ name: 'ada', password: PASSWORD, workspace: 'nowhere' });
    const said = [wrong, nobody, elsewhere, nowhere].map((reply) => {
      const { requestId: _requestId, ...problem } = reply.json();
      return { ...problem, cookie: reply.headers['set-cookie'] };
    });
    expect(new Set(said.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(said[0]).toMatchObject({ status: 401, code: 'sign_in_failed' });
    expect(http.store.access.passwordLooks).toBe(4);
  });

  it('ends the session that the browser had before', async () => {
    const before = await signIn();
    const reply = await trySignIn({ name: 'ada', password: PASSWORD }, { headers: before });
    expect(reply.statusCode).toBe(200);
    expect(http.store.access.sessions.size).toBe(1);
  });
});

describe('a session', () => {
  it('ends when its time is over', async () => {
    const headers = await signIn();
    now += http.store.access.sessionMs - 1;
    expect(await isIn(headers)).toBe(true);
    now += 5_001;
    expect((await http.ask('GET /v1/flows', { headers })).json()).toMatchObject({
      status: 401,
      code: 'session_ended',
    });
  });

  it('ends by signing out, at once, and the cookie is taken away', async () => {
    const headers = await signIn();
    const other = await signIn();
    const reply = await http.ask('DELETE /v1/session', { headers });
    expect(reply.json()).toEqual({ sessions: 1 });
    expect(reply.headers['set-cookie']).toMatch(/^pawl_session=; Max-Age=0; /);
    expect([await isIn(headers), await isIn(other)]).toEqual([false, true]);
  });

  it('ends everywhere when its owner says so, and nobody else’s', async () => {
    await aUser('bob', 'viewer');
    const [one, two] = [await signIn(), await signIn()];
    const bobs = await signIn({ name: 'bob', password: PASSWORD });
    expect((await http.ask('DELETE /v1/session?everywhere=true', { headers: one })).json()).toEqual({
      sessions: 2,
    });
    expect([await isIn(one), await isIn(two), await isIn(bobs)]).toEqual([false, false, true]);
  });

  it('has the role that its user has now, and ends with the user', async () => {
    const headers = await signIn();
    const change = (body: object) => http.ask('PATCH /v1/users/ada', { body, headers: bearer(HOME_KEY) });
    await change({ role: 'viewer' });
    expect(await me(headers)).toMatchObject({ role: 'viewer' });
    expect((await http.ask('POST /v1/flows', { body: { name: 'f' }, headers })).json()).toMatchObject({
      code: 'role_insufficient',
    });
    await http.ask('DELETE /v1/users/ada', { headers: bearer(HOME_KEY) });
    expect(await isIn(headers)).toBe(false);
  });

  it('names its user in what it does', async () => {
    const headers = await signIn();
    await aRun(http, headers);
    const paused = await http.ask('POST /v1/flows/greet/pause', { headers });
    expect(paused.json()).toMatchObject({ pausedBy: 'user:ada' });
  });

  it('stops hearing a stream when it ends', async () => {
    const headers = { ...(await signIn()), accept: 'text/event-stream' };
    const url = await http.app.listen({ host: '127.0.0.1', port: 0 });
    const runId = await aRun(http, bearer(HOME_KEY));
    const own = { ...headers, origin: url };
    const stream = await fetch(`${url}/v1/runs/${runId}/events`, { headers: own });
    expect(stream.status).toBe(200);
    const heard = stream.text();
    await fetch(`${url}/v1/session`, { method: 'DELETE', headers: own });
    http.store.bus.publish(runId, { kind: 'grew' });
    expect(await heard).not.toContain('event: end');
    await http.app.close();
  });

  it('V14: a session of another workspace sees nothing of this one', async () => {
    await aUser('eve', 'admin', ELSEWHERE_KEY);
    const headers = await signIn({ name: 'eve', password: PASSWORD, workspace: 'elsewhere' });
    expect((await http.ask('GET /v1/users', { headers })).json().items).toMatchObject([{ name: 'eve' }]);
    const { items } = (await http.ask('GET /v1/keys', { headers: bearer(HOME_KEY) })).json();
    const change = { body: { role: 'admin' }, headers };
    for (const reply of [
      await http.ask('PATCH /v1/users/ada', change),
      await http.ask('DELETE /v1/users/ada', { headers }),
      await http.ask(`DELETE /v1/keys/${items[0].id}`, { headers }),
    ])
      expect(reply.statusCode).toBe(404);
    expect((await aUser('ada', 'viewer', ELSEWHERE_KEY)).statusCode, 'the name is free there').toBe(201);
    expect(await me(await signIn())).toMatchObject({ role: 'editor' });
  });
});

describe('a foreign page', () => {
  it.each([
    ['of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['of another port of this machine', { 'sec-fetch-site': 'same-site', origin: 'http://localhost:1' }],
    ['in a sandbox', { origin: 'null' }],
    ['where the browser says its origin only', { origin: 'https://evil.example' }],
    ['that hides where it comes from', {}],
    ['that is an address somebody opened', { 'sec-fetch-site': 'none' }],
  ])('%s cannot act with the cookie', async (_, page) => {
    const { cookie } = await signIn();
    const headers = { cookie, ...page } as Record<string, string>;
    const reply = await http.ask('POST /v1/flows', { body: { name: 'stolen' }, headers });
    expect(reply.json()).toMatchObject({ status: 403, code: 'origin_not_allowed' });
    expect((await http.ask('GET /v1/flows', { headers: bearer(HOME_KEY) })).json().items).toEqual([]);
  });

  it.each([
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of another port', { 'sec-fetch-site': 'same-site' }],
  ])('%s cannot read with it either', async (_, page) => {
    const { cookie } = await signIn();
    const reply = await http.ask('GET /v1/flows', { headers: { cookie, ...page } as Record<string, string> });
    expect(reply.json()).toMatchObject({ status: 403, code: 'origin_not_allowed' });
  });

  it('cannot sign a browser in', async () => {
    const reply = await trySignIn(
      { name: 'ada', password: PASSWORD },
      { headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' } },
    );
    expect(reply.json()).toMatchObject({ code: 'origin_not_allowed' });
    expect(reply.headers['set-cookie']).toBeUndefined();
  });

  it('is no obstacle for a download that somebody opens', async () => {
    const { cookie } = await signIn();
    expect(await isIn({ cookie, 'sec-fetch-site': 'none' })).toBe(true);
    expect(await isIn({ cookie })).toBe(true);
  });
});

describe('guessing', () => {
  const guess = (name: string, from = '203.0.113.7') =>
    trySignIn({ name, password: 'wrong, though long' }, { from }).then((reply) => reply.json().code);

  it('of one name is slowed down more and more, from wherever it comes, and not for ever', async () => {
    for (let i = 0; i < 5; i++) expect(await guess('ada', `203.0.113.${i}`)).toBe('sign_in_failed');
    const slowed = await trySignIn({ name: 'ada', password: PASSWORD }, { from: '198.51.100.1' });
    expect(slowed.json()).toMatchObject({ status: 429, code: 'sign_ins_slowed' });
    expect(slowed.headers['retry-after']).toBe('1');
    expect(http.store.access.passwordLooks).toBe(5);
    now += 1_000;
    expect(await guess('ada')).toBe('sign_in_failed');
    now += 1_000;
    expect(await guess('ada')).toBe('sign_ins_slowed');
    now += 60_000;
    await signIn();
    expect(await guess('ada'), 'who got in begins anew').toBe('sign_in_failed');
  });

  it('of a name that nobody has is slowed down alike', async () => {
    for (let i = 0; i < 5; i++) await guess('nobody', `203.0.113.${i}`);
    expect(await guess('nobody')).toBe('sign_ins_slowed');
  });

  it('of many names from one address is slowed down; other addresses go on', async () => {
    for (let i = 0; i < 20; i++) expect(await guess(`user-${i}`)).toBe('sign_in_failed');
    expect(await guess('user-20')).toBe('sign_ins_slowed');
    expect(await guess('user-20', '198.51.100.1')).toBe('sign_in_failed');
  });

  it('at the same moment counts each guess', async () => {
    const codes = await Promise.all(Array.from({ length: 10 }, () => guess('ada')));
    expect(codes.filter((code) => code === 'sign_in_failed')).toHaveLength(5);
  });

  it('is not what happened when the database was away', async () => {
    http.store.outage = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    for (let i = 0; i < 10; i++) expect(await guess('ada')).toBe('store_unavailable');
    http.store.outage = undefined;
    await signIn();
  });

  it('of the current password, by who is signed in, is slowed down too', async () => {
    const headers = await signIn();
    const body = { current: 'wrong, though long', password: 'another horse battery' };
    const change = () =>
      http.ask('PUT /v1/me/password', { body, headers }).then((reply) => reply.json().code);
    for (let i = 0; i < 5; i++) expect(await change()).toBe('password_wrong');
    expect(await change()).toBe('sign_ins_slowed');
  });
});

describe('users and keys', () => {
  it('a new password of one’s own ends the other sessions', async () => {
    const [mine, other] = [await signIn(), await signIn()];
    const body = { current: PASSWORD, password: 'another horse battery' };
    expect((await http.ask('PUT /v1/me/password', { body, headers: mine })).statusCode).toBe(200);
    expect([await isIn(mine), await isIn(other)]).toEqual([true, false]);
    await signIn({ name: 'ada', password: body.password });
  });

  it('a password that an admin set ends all of them', async () => {
    const headers = await signIn();
    const body = { password: 'another horse battery' };
    await http.ask('PATCH /v1/users/ada', { body, headers: bearer(HOME_KEY) });
    expect(await isIn(headers)).toBe(false);
  });

  it('keys have no password to change', async () => {
    const body = { current: PASSWORD, password: 'another horse battery' };
    const reply = await http.ask('PUT /v1/me/password', { body, headers: bearer(HOME_KEY) });
    expect(reply.json()).toMatchObject({ status: 409, code: 'password_not_yours' });
  });

  it('nobody takes away their own access', async () => {
    await aUser('root', 'admin');
    const headers = await signIn({ name: 'root', password: PASSWORD });
    const ownKey = http.store.access.keys.find(({ name }) => name === 'home')!.id;
    for (const reply of [
      await http.ask('DELETE /v1/users/root', { headers }),
      await http.ask('PATCH /v1/users/root', { body: { role: 'viewer' }, headers }),
      await http.ask(`DELETE /v1/keys/${ownKey}`, { headers: bearer(HOME_KEY) }),
    ])
      expect(reply.json()).toMatchObject({ status: 409, code: 'own_access' });
  });

  it('a key that is made is told once, says who made it, and has its role', async () => {
    await aUser('root', 'admin');
    const headers = await signIn({ name: 'root', password: PASSWORD });
    const made = await http.ask('POST /v1/keys', { body: { name: 'ci', role: 'viewer' }, headers });
    const { key, ...summary } = made.json();
    expect(summary).toMatchObject({ name: 'ci', role: 'viewer', createdBy: 'user:root' });
    expect(await me(bearer(key))).toMatchObject({ by: 'key:ci', role: 'viewer' });
    expect((await http.ask('GET /v1/keys', { headers })).body).not.toContain(key);
  });

  it.each([
    ['a short password', { name: 'bob', role: 'viewer', password: 'too short' }],
    ['a name with a space', { name: 'bob b', role: 'viewer', password: PASSWORD }],
    ['a name in capitals', { name: 'Bob', role: 'viewer', password: PASSWORD }],
    ['a role that is none', { name: 'bob', role: 'owner', password: PASSWORD }],
  ])('%s is refused', async (_, body) => {
    const reply = await http.ask('POST /v1/users', { body, headers: bearer(HOME_KEY) });
    expect(reply.json()).toMatchObject({ status: 422, code: 'body_invalid' });
    expect(reply.body).not.toContain(String(body.password));
  });

  it('V13: no password and no token reaches the log', async () => {
    const headers = await signIn();
    await trySignIn({ name: 'ada', password: 'wrong, though long' });
    await http.ask('GET /v1/flows', { headers });
    const lines = JSON.stringify(http.logged);
    expect(lines).toContain('"by":"user:ada"');
    for (const secret of [PASSWORD, 'wrong, though long', headers.cookie.split('=')[1]!])
      expect(lines).not.toContain(secret);
  });
});

describe('on this machine without keys', () => {
  it('a cookie that means nothing here is passed over, one that does counts', async () => {
    const open = anHttp();
    const stale = { ...ownPage, cookie: `pawl_session=${'x'.repeat(43)}` };
    expect((await open.ask('GET /v1/me', { headers: stale })).json()).toMatchObject({ by: 'local' });
    const reply = await open.ask('POST /v1/session', { body: { key: keyOf('viewer') }, headers: ownPage });
    const [cookie] = String(reply.headers['set-cookie']).split(';');
    expect((await open.ask('GET /v1/me', { headers: { ...ownPage, cookie: cookie! } })).json()).toMatchObject(
      {
        by: 'key:viewer',
        role: 'viewer',
      },
    );
  });
});
