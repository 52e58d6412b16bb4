// Catches: a run, flow or artifact that another workspace can read, change, or learn the existence of (C82, V14).
import { randomUUID } from 'node:crypto';
import { type RouteSpec, roleOf, routes } from '@pawl/api';
import type { EffectDetail } from '@pawl/run-store';
import { beforeEach, describe, expect, it } from 'vitest';
import { aFlow, anHttp, aRun, type TestHttp } from '../../support/an-http.ts';
import { ELSEWHERE_KEY, HOME } from '../../support/memory-store.ts';

const artifactId = randomUUID();
let http: TestHttp;
let ids: Record<string, string>;
beforeEach(async () => {
  http = anHttp();
  const runId = await aRun(http);
  const versionId = http.store.flows.toRun({ workspaceId: HOME, flow: 'greet' }).id;
  http.store.artifacts.push({
    workspaceId: HOME,
    bytes: Buffer.from('secret'),
    artifact: {
      id: artifactId,
      artifactId,
      runId,
      name: 'a',
      version: 1,
      mediaType: 'text/plain',
      bytes: 6,
      hash: 'h',
      createdAt: '2026-01-02T03:04:05.000Z',
    },
  });
  http.store.schedules.create(HOME, { name: 'nightly', flow: 'greet', cron: '0 3 * * *' });
  http.store.webhooks.create(HOME, { name: 'orders', flow: 'greet' });
  http.store.access.createUser({ workspaceId: HOME, user: 'ada-of-home', role: 'viewer', password: 'x' });
  http.store.credentials.set({ workspaceId: HOME, credential: 'TOKEN_OF_HOME', value: 'x', by: 'local' });
  const question = http.store.inbox.ask(HOME, runId, 4);
  http.store.effects.push({ workspaceId: HOME, effect: { runId, seq: 77_777 } as EffectDetail });
  ids = {
    question,
    runId,
    flow: 'greet',
    versionId,
    artifactId,
    schedule: 'nightly',
    webhook: 'orders',
    seq: '77777',
    user: 'ada-of-home',
    credential: 'TOKEN_OF_HOME',
    keyId: http.store.access.keys[0]!.id,
  };
});

const BODIES: Record<string, unknown> = {
  raiseBudget: { limits: { tokens: 5 } },
  settleNodeRun: { verdict: 'skip' },
  changeWebhook: { enabled: false },
  changeSchedule: { cron: '0 4 * * *' },
  backfillSchedule: { from: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' },
  answerQuestion: { decision: 'approved' },
  planTest: { part: { do: 'all' } },
  startTest: { part: { do: 'all' } },
  changeUser: { role: 'admin' },
};
/** Deliveries have no key; `hooks.test.ts` is about them. Tools are there for everybody; see `tools.test.ts`. */
const addressed = (Object.entries(routes) as [string, RouteSpec][]).filter(
  ([, route]) => route.params && roleOf(route) && !route.path.startsWith('/v1/tools/'),
);

function send(
  [name, route]: [string, RouteSpec],
  values: Record<string, string>,
  headers: Record<string, string>,
) {
  const path = route.path.replaceAll(/:(\w+)/g, (_, param: string) => values[param]!);
  const query = route.path.includes('/node-run') && !route.path.endsWith('s') ? '?path=each/3/score' : '';
  const body = name === 'saveDraft' ? aFlow(values.flow) : BODIES[name];
  const ifMatch: Record<string, string> = name === 'saveDraft' ? { 'if-match': '"1"' } : {};
  return http.ask(`${route.method} ${path}${query}`, { body, headers: { ...headers, ...ifMatch } });
}
const foreign = { authorization: `Bearer ${ELSEWHERE_KEY}` };

describe('C82: another workspace', () => {
  it.each(addressed)('%s answers 404, in the words for a thing that never was', async (...entry) => {
    const reply = await send(entry, ids, foreign);
    expect(reply.statusCode).toBe(404);
    const unknown = {
      question: `${randomUUID()}.4`,
      runId: randomUUID(),
      flow: 'never',
      versionId: 'f'.repeat(64),
      artifactId: randomUUID(),
      schedule: 'unheard-of',
      webhook: 'nobody-sends',
      seq: '77778',
      user: 'nobody',
      credential: 'NONE',
      keyId: randomUUID(),
    };
    const never = await send(entry, unknown, foreign);
    const words = (body: string, values: Record<string, string>) =>
      Object.entries(values)
        .reduce((text, [name, value]) => text.replaceAll(value, `<${name}>`), body)
        .replace(/"requestId":"[^"]+"/, '');
    expect(words(reply.body, ids)).toBe(words(never.body, unknown));
    expect(reply.body).not.toContain('secret');
  });

  it('lists nothing, starts nothing, changes nothing', async () => {
    const before = JSON.stringify([...http.store.runs.runs]);
    for (const path of [
      '/v1/flows',
      '/v1/runs',
      '/v1/runs?flow=greet',
      '/v1/schedules',
      '/v1/inbox',
      '/v1/webhooks',
    ])
      expect((await http.ask(`GET ${path}`, { headers: foreign })).json().items).toEqual([]);
    const start = await http.ask('POST /v1/runs', { body: { flow: 'greet' }, headers: foreign });
    expect(start.json()).toMatchObject({ code: 'flow_not_found' });
    const version = { flow: 'greet', version: ids.versionId };
    const pinned = await http.ask('POST /v1/runs', { body: version, headers: foreign });
    expect(pinned.json()).toMatchObject({ status: 404 });
    for (const entry of addressed) await send(entry, ids, foreign);
    expect(JSON.stringify([...http.store.runs.runs])).toBe(before);
    expect((await http.ask('GET /v1/flows/greet')).json().revision).toBe(1);
    expect((await http.ask('GET /v1/schedules/nightly')).json()).toMatchObject({
      enabled: true,
      cron: '0 3 * * *',
    });
    expect((await http.ask('GET /v1/webhooks/orders')).json()).toMatchObject({ enabled: true });
    expect((await http.ask('GET /v1/users')).json().items).toMatchObject([{ role: 'viewer' }]);
    expect(http.store.access.keys.some(({ revokedAt }) => revokedAt)).toBe(false);
    expect((await http.ask('GET /v1/schedules/export', { headers: foreign })).json()).toEqual({
      schedules: [],
    });
  });

  it('a stream of a foreign run does not open', async () => {
    const headers = { ...foreign, accept: 'text/event-stream' };
    const reply = await http.ask(`GET /v1/runs/${ids.runId}/events`, { headers });
    expect(reply.json()).toMatchObject({ status: 404, code: 'run_not_found' });
    expect(http.store.bus.count(ids.runId!)).toBe(0);
  });

  it.each(['not-a-uuid', '..%2F..%2Fready', '%00', "1'or'1'='1"])(
    'the id %s is one that never was',
    async (runId) => {
      const reply = await http.ask(`GET /v1/runs/${runId}`);
      expect(reply.json()).toMatchObject({ status: 404, code: 'run_not_found' });
    },
  );
});
