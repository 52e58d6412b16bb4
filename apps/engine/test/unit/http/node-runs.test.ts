// Catches: a path with slashes that does not arrive, a decision that is taken twice.
import { beforeEach, describe, expect, it } from 'vitest';
import { anHttp, aRun, type TestHttp } from '../../support/an-http.ts';

let http: TestHttp;
let runId: string;
beforeEach(async () => {
  http = anHttp();
  runId = await aRun(http);
});
const path = encodeURIComponent('each/3/score');

describe('node runs', () => {
  it('are listed, and read by a path with slashes', async () => {
    const list = await http.ask(`GET /v1/runs/${runId}/node-runs`);
    expect(list.json().items).toMatchObject([{ path: 'each/3/score', status: 'uncertain', itemIndex: 3 }]);
    const one = await http.ask(`GET /v1/runs/${runId}/node-run?path=${path}`);
    expect(one.json()).toMatchObject({ path: 'each/3/score', waitingFor: { kind: 'person' }, events: [] });
    expect((await http.ask(`GET /v1/runs/${runId}/node-run?path=each/3/score`)).json()).toEqual(one.json());
  });

  it('a path that was not touched, and a missing one, are told apart', async () => {
    const unknown = await http.ask(`GET /v1/runs/${runId}/node-run?path=each/4/score`);
    expect(unknown.json()).toMatchObject({ status: 404, code: 'node_run_not_found' });
    const missing = await http.ask(`GET /v1/runs/${runId}/node-run`);
    expect(missing.json()).toMatchObject({
      status: 400,
      code: 'query_invalid',
      issues: [{ pointer: '/path' }],
    });
  });

  it('the first decision wins; the next one is told the stored one', async () => {
    const settle = (body: object) =>
      http.ask(`POST /v1/runs/${runId}/node-run/settle?path=${path}`, { body });
    const first = await settle({ verdict: 'happened', output: { id: null } });
    expect(first.json()).toMatchObject({ path: 'each/3/score', status: 'succeeded' });
    expect(first.json()).not.toHaveProperty('events');
    const second = await settle({ verdict: 'did_not_happen' });
    expect(second.json()).toMatchObject({
      status: 409,
      code: 'node_run_not_settleable',
      decision: { verdict: 'happened', output: { id: null } },
    });
  });

  it.each([
    [{ verdict: 'happened' }, '/output'],
    [{ verdict: 'perhaps' }, '/verdict'],
    [{ verdict: 'skip', output: 1 }, '/output'],
    [{}, '/verdict'],
  ])('%j is no decision: refused at %s', async (body, pointer) => {
    const reply = await http.ask(`POST /v1/runs/${runId}/node-run/settle?path=${path}`, { body });
    expect(reply.json()).toMatchObject({ status: 422, code: 'body_invalid', issues: [{ pointer }] });
  });

  it('an unknown path cannot be settled', async () => {
    const reply = await http.ask(`POST /v1/runs/${runId}/node-run/settle?path=x`, {
      body: { verdict: 'skip' },
    });
    expect(reply.json()).toMatchObject({ status: 404, code: 'node_run_not_found' });
  });
});
