// Catches: a plan that starts something, a test that starts what nobody allowed, a wish that loses a part on its way to the store.
import { beforeEach, describe, expect, it } from 'vitest';
import { aFlow, anHttp, type TestHttp } from '../../support/an-http.ts';

let http: TestHttp;
beforeEach(async () => {
  http = anHttp();
  const nodes = [
    { id: 'begin', kind: 'transform', value: 1 },
    { id: 'send', kind: 'tool', tool: 'mail.send@1' },
  ];
  await http.ask('POST /v1/flows', { body: { ...aFlow(), nodes, edges: [{ from: 'begin', to: 'send' }] } });
});
const all = { part: { do: 'all' } };

describe('tests of a draft', () => {
  it('Y4: are planned without being started', async () => {
    const reply = await http.ask('POST /v1/flows/greet/test-plan', { body: all });
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({
      undecided: ['send'],
      nodes: [
        { node: 'begin', does: 'computes', effect: 'pure', calls: [] },
        { node: 'send', does: 'calls', effect: 'non_repeatable', calls: ['mail.send@1'] },
      ],
    });
    expect((await http.ask('GET /v1/runs')).json().items).toEqual([]);
  });

  it('Y4: are refused while somebody has to decide, and name what about', async () => {
    const reply = await http.ask('POST /v1/flows/greet/test-runs', { body: all });
    expect(reply.json()).toMatchObject({ status: 422, code: 'effects_undecided', nodes: ['send'] });
  });

  it('Y1: are started as runs that say what they are', async () => {
    const outputs = { send: { origin: 'mocked', output: { sent: true } } };
    const reply = await http.ask('POST /v1/flows/greet/test-runs', { body: { ...all, outputs } });
    expect(reply.statusCode).toBe(201);
    const { runId, plan } = reply.json();
    expect(reply.headers.location).toBe(`/v1/runs/${runId}`);
    expect(plan.nodes[1]).toMatchObject({ node: 'send', does: 'given', origin: 'mocked' });
    expect((await http.ask(`GET /v1/runs/${runId}`)).json()).toMatchObject({ mode: 'test' });
  });

  it.each([
    ['a part that is none', { part: { do: 'some' } }],
    ['a part without its node', { part: { do: 'to' } }],
    ['an output without its origin', { ...all, outputs: { send: { output: 1 } } }],
    ['an output of what is no node', { ...all, outputs: { 'a b': { origin: 'mocked', output: 1 } } }],
    ['a member that nobody knows', { ...all, allowed: ['send'] }],
  ])('%s: refused with a pointer', async (_, body) => {
    const reply = await http.ask('POST /v1/flows/greet/test-plan', { body });
    expect(reply.json()).toMatchObject({ status: 422, code: 'body_invalid' });
  });
});
