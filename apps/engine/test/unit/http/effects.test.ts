// Catches: a filter that is ignored, an export that looks whole and is not, a cell that a spreadsheet would compute.
import type { EffectDetail } from '@pawl/run-store';
import { beforeEach, describe, expect, it } from 'vitest';
import { anHttp, type TestHttp } from '../../support/an-http.ts';
import { ELSEWHERE_KEY, HOME } from '../../support/memory-store.ts';

let http: TestHttp;
const runId = '0198c0de-5b1c-7d0a-9c3e-3a5f0e2b7c11';
const anEffect = (changes: Partial<EffectDetail> = {}): EffectDetail => ({
  id: `${runId}/7`,
  runId,
  seq: 7,
  flow: 'checkout',
  version: 'ab'.repeat(32),
  path: 'pay',
  attempt: 1,
  call: 0,
  effect: 'non_repeatable',
  target: 'pay.charge@1',
  key: `${runId}:pay:0`,
  requestHash: 'h',
  at: '2026-01-02T03:04:05.000Z',
  status: 'succeeded',
  request: { amount: 5, note: 'a "b", c' },
  output: { ok: true },
  ...changes,
});
beforeEach(() => {
  http = anHttp();
  http.store.effects.push({ workspaceId: HOME, effect: anEffect() });
});

it('the log is listed with every filter handed on, and one effect told with its arguments', async () => {
  const query =
    `flow=checkout&run=${runId}&target=pay.*&effect=non_repeatable&key=k&status=failed,late&status=lost&by=key:ada` +
    '&after=2026-01-01T00:00:00Z&before=2026-02-01T00:00:00%2B01:00&limit=5';
  const { items } = (await http.ask(`GET /v1/effects?${query}`)).json();
  const { request: _request, output: _output, ...summary } = anEffect();
  expect(items).toEqual([summary]);
  expect(http.store.effectFilters).toEqual([
    {
      flow: 'checkout',
      runId,
      target: 'pay.*',
      effect: 'non_repeatable',
      key: 'k',
      status: ['failed', 'late', 'lost'],
      by: 'key:ada',
      after: '2026-01-01T00:00:00Z',
      before: '2026-02-01T00:00:00+01:00',
      limit: 5,
    },
  ]);
  expect((await http.ask(`GET /v1/effects/${runId}/7`)).json()).toEqual(anEffect());
});

it.each(['status=lucky', 'effect=magic', 'tool=x', 'after=yesterday', 'run=7', 'limit=0'])(
  '%s is refused',
  async (query) => {
    expect((await http.ask(`GET /v1/effects?${query}`)).json()).toMatchObject({ code: 'query_invalid' });
  },
);

it.each([`${runId}/8`, `${runId}/0`, `${runId}/x`, 'x/7'])('there is no effect %s', async (id) => {
  expect((await http.ask(`GET /v1/effects/${id}`)).json()).toMatchObject({ status: 404 });
});

it('clients cannot write it: there is no address that takes another method', async () => {
  for (const line of [
    'POST /v1/effects',
    'PUT /v1/effects',
    `PUT /v1/effects/${runId}/7`,
    `POST /v1/effects/${runId}/7`,
  ])
    expect((await http.ask(line, { body: {} })).json()).toMatchObject({ status: 405 });
});

describe('an export', () => {
  it('is one JSON document per line, with arguments when they are asked for', async () => {
    const plain = await http.ask('GET /v1/effects/export');
    expect(plain.headers['content-type']).toBe('application/x-ndjson');
    expect(plain.headers['content-disposition']).toBe('attachment; filename="effects.ndjson"');
    const { request, output: _output, ...summary } = anEffect();
    expect(plain.body).toBe(`${JSON.stringify(summary)}\n`);
    const whole = await http.ask('GET /v1/effects/export?arguments=true&target=pay.*');
    expect(JSON.parse(whole.body)).toEqual({ ...summary, request });
    expect(http.store.effectFilters.at(-1)).toEqual({ target: 'pay.*', withRequest: true });
  });

  it('is CSV whose cells no spreadsheet computes', async () => {
    http.store.effects.push({
      workspaceId: HOME,
      effect: anEffect({
        path: '=1+1',
        settledBy: '@x',
        costUsd: -0.5,
        failure: { code: 'a,"b"', class: 'lost' },
      }),
    });
    const { body, headers } = await http.ask('GET /v1/effects/export?format=csv&arguments=true');
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    const [head, first, second, end] = body.split('\r\n');
    expect(head).toMatch(/^id,at,flow,version,run,path,attempt,call,effect,target,key,/);
    expect(first).toContain(`,"{""amount"":5,""note"":""a \\""b\\"", c""}"`);
    expect(second).toContain(`,'=1+1,`);
    expect(second).toContain(`,"a,""b""",lost,`);
    expect(second).toContain(`,'@x,`);
    expect(second).toContain(',-0.5,');
    expect(end).toBe('');
  });

  it('of another workspace is empty', async () => {
    const headers = { authorization: `Bearer ${ELSEWHERE_KEY}` };
    expect((await http.ask('GET /v1/effects/export', { headers })).body).toBe('');
  });

  it('that fails in the middle is cut, so that it does not look whole', async () => {
    await http.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = http.app.server.address() as { port: number };
    http.store.outage = new Error('gone');
    const reply = await fetch(`http://127.0.0.1:${port}/v1/effects/export`);
    await expect(reply.text()).rejects.toThrow();
    await http.app.close();
  });
});
