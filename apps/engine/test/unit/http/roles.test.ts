// Catches: a route that anybody may use because nobody said who may, and a role that may more or less than it says.
import { type RouteName, type RouteSpec, roleOf, routes } from '@pawl/api';
import { isEnough, ROLES, type Role } from '@pawl/dag-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { anHttp, type TestHttp } from '../../support/an-http.ts';
import { HOME, HOME_KEY, keyOf } from '../../support/memory-store.ts';

/** What needs more than to be a viewer, and what needs nothing. A new route that writes is put here on purpose. */
const NEEDS: Partial<Record<Role | 'open' | 'signature', readonly RouteName[]>> = {
  open: ['signIn', 'callBack', 'getFlowSchema', 'getOpenApi', 'getHealth', 'getReadiness'],
  signature: ['deliver'],
  operator: [
    'startRun',
    'bulkRuns',
    'cancelRun',
    'pauseRun',
    'resumeRun',
    'retryRun',
    'raiseBudget',
    'settleNodeRun',
    'answerQuestion',
    'sendSignal',
    'pauseFlow',
    'resumeFlow',
    'uploadArtifact',
  ],
  editor: [
    'createFlow',
    'saveDraft',
    'publishFlow',
    'startTest',
    'tryTool',
    'createSchedule',
    'importSchedules',
    'changeSchedule',
    'deleteSchedule',
    'pauseSchedule',
    'resumeSchedule',
    'backfillSchedule',
    'createWebhook',
    'changeWebhook',
    'deleteWebhook',
    'rotateWebhookSecret',
  ],
  admin: [
    'listUsers',
    'createUser',
    'changeUser',
    'removeUser',
    'listKeys',
    'createKey',
    'revokeKey',
    'setLimit',
    'removeLimit',
    'listCredentials',
    'setCredential',
    'removeCredential',
  ],
};
/** They change nothing but the session or the password of who asks, or nothing at all. */
const VIEWERS_WRITE: readonly RouteName[] = ['signOut', 'changePassword', 'validateFlow', 'planTest'];

const all = Object.entries(routes) as [RouteName, RouteSpec][];
const expected = (name: RouteName) =>
  Object.entries(NEEDS).find(([, names]) => names.includes(name))?.[0] ?? 'viewer';
const withRole = all.flatMap(([name, route]) => {
  const role = roleOf(route);
  return role ? [{ name, route, role }] : [];
});

describe('the table of routes', () => {
  it.each(all)('%s says who may use it', (name, route) => {
    expect(route.auth).toBe(expected(name));
  });

  it('lets viewers only read', () => {
    const written = withRole.filter(({ route, role }) => role === 'viewer' && route.method !== 'GET');
    expect(written.map(({ name }) => name).sort()).toEqual([...VIEWERS_WRITE].sort());
  });

  it('roles hold what those before them may', () => {
    const held = ROLES.map((role) => ROLES.filter((needed) => isEnough(role, needed)).length);
    expect(held).toEqual([1, 2, 3, 4]);
  });
});

describe('the server', () => {
  let http: TestHttp;
  beforeEach(() => {
    http = anHttp({ auth: { mode: 'keys', defaultWorkspaceId: HOME } });
  });
  const send = (route: RouteSpec, key: string) => {
    const path = route.path.replaceAll(/:(\w+)/g, (_, param: string) => (param === 'seq' ? '1' : 'x-1'));
    const body = route.body === undefined ? {} : { text: '{"broken' };
    return http.ask(`${route.method} ${path}`, { ...body, headers: { authorization: `Bearer ${key}` } });
  };

  // The stream of a workspace has no end to wait for; `live.test.ts` looks at who may hear it.
  it.each(withRole.filter(({ name }) => name !== 'watchWorkspace'))(
    '$name is refused below $role, before anything is read, and to nobody else',
    async (one) => {
      for (const role of ROLES) {
        const reply = await send(one.route, keyOf(role));
        const isRefused = reply.statusCode === 403 && reply.json().code === 'role_insufficient';
        expect([role, isRefused]).toEqual([role, !isEnough(role, one.role)]);
        if (isRefused) expect(reply.json()).toMatchObject({ role, needed: one.role });
      }
      expect((await http.ask(`${one.route.method} ${one.route.path}`)).json().code).toBe('api_key_missing');
    },
  );

  it('writes every refused access to the log, with who and from where, and no secret', async () => {
    const headers = { authorization: `Bearer ${keyOf('viewer')}` };
    await http.ask('POST /v1/flows', { body: { name: 'mine' }, headers, from: '203.0.113.7' });
    const wrong = 'pawl_unknown0123456789abcdef';
    await http.ask('GET /v1/flows', { headers: { authorization: `Bearer ${wrong}` } });
    await http.ask('POST /v1/session', { body: { name: 'ada', password: 'a-secret-of-hers' } });
    const refused = http.logged.filter(({ msg }) => msg === 'access refused');
    expect(refused).toMatchObject([
      { code: 'role_insufficient', operation: 'createFlow', by: 'key:viewer', address: '203.0.113.7' },
      { code: 'api_key_invalid', operation: 'listFlows', address: '127.0.0.1' },
      { code: 'sign_in_failed', operation: 'signIn', address: '127.0.0.1' },
    ]);
    const lines = JSON.stringify(http.logged);
    for (const secret of [wrong, keyOf('viewer'), 'a-secret-of-hers']) expect(lines).not.toContain(secret);
  });

  it('takes a request of this machine for an admin where that is the mode', async () => {
    const open = anHttp();
    expect((await open.ask('GET /v1/me')).json()).toEqual({
      name: 'local',
      by: 'local',
      role: 'admin',
      workspace: { id: HOME, name: 'default' },
      signedInWith: 'nothing',
    });
    expect((await open.ask('GET /v1/users')).statusCode).toBe(200);
  });

  it('tells a key who it is', async () => {
    const headers = { authorization: `Bearer ${HOME_KEY}` };
    expect((await http.ask('GET /v1/me', { headers })).json()).toMatchObject({
      by: 'key:home',
      role: 'admin',
      signedInWith: 'key',
    });
  });
});
