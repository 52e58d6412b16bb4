// Catches: what another workspace does with a tool, told here (V14); a name that is no tool and reaches the store.
import { beforeEach, expect, it } from 'vitest';
import { anHttp, type TestHttp } from '../../support/an-http.ts';
import { ELSEWHERE_KEY, HOME } from '../../support/memory-store.ts';

let http: TestHttp;
beforeEach(() => {
  http = anHttp();
});

it('V14: who calls a tool is told of the own workspace', async () => {
  const none = { calls: 0, succeeded: 0, failed: 0, lost: 0 };
  const use = {
    flows: [{ flow: 'greet', draft: ['a'], published: { version: 'v', number: 2, nodes: ['a', 'b'] } }],
    isCut: false,
    calls: { day: none, week: { calls: 3, succeeded: 2, failed: 1, lost: 0, medianMs: 12 } },
  };
  http.store.toolUse.set(`${HOME}/crm.find@2`, use);
  expect((await http.ask('GET /v1/tools/crm.find@2/use')).json()).toEqual(use);
  const headers = { authorization: `Bearer ${ELSEWHERE_KEY}` };
  const theirs = await http.ask('GET /v1/tools/crm.find@2/use', { headers });
  expect(theirs.json()).toEqual({ flows: [], isCut: false, calls: { day: none, week: none } });
});

it.each(['crm.find', 'crm%2Ffind@1', "a'@1", '@1'])('%s names no tool', async (tool) => {
  expect((await http.ask(`GET /v1/tools/${tool}/use`)).statusCode).toBeGreaterThanOrEqual(400);
});

it('a try goes to the store with who asks, and names its run and the path of the call', async () => {
  const body = { args: { path: 'a', n: [1] }, allow: true };
  const reply = await http.ask('POST /v1/tools/crm.charge@1/tries', { body });
  expect(reply.statusCode).toBe(201);
  expect(reply.headers.location).toBe(`/v1/runs/${reply.json().runId}`);
  expect(reply.json().path).toBe('call');
  expect(http.store.tries).toMatchObject([
    { workspaceId: HOME, by: 'local', tool: 'crm.charge@1', args: body.args, isAllowed: true },
  ]);
});

it('Y4: without a word about it, a try is not allowed to do what must not be repeated', async () => {
  const reply = await http.ask('POST /v1/tools/crm.charge@1/tries', { body: { args: {} } });
  expect(reply.json()).toMatchObject({ status: 422, code: 'effects_undecided' });
  expect(http.store.tries).toEqual([]);
});
