// Catches: a start that is done twice or half, a filter that is ignored, an action on a finished run.
import { beforeEach, describe, expect, it } from 'vitest';
import { aFlow, anHttp, aRun, type TestHttp } from '../../support/an-http.ts';
import { ELSEWHERE_KEY, HOME } from '../../support/memory-store.ts';

let http: TestHttp;
beforeEach(async () => {
  http = anHttp();
  await http.ask('POST /v1/flows/greet/publish', {
    body: aFlow('greet', { input: { type: 'object', required: ['name', 'age'] } }),
  });
});
const input = { name: 'Ada', age: 36 };
const start = (body: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  http.ask('POST /v1/runs', { body: { flow: 'greet', input, ...body }, headers });

describe('starting', () => {
  it('a new run answers 201 with its address', async () => {
    const reply = await start({ tags: { team: 'red' }, budget: { costUsd: 0.5 }, trigger: 'cli' });
    expect(reply.statusCode).toBe(201);
    const { runId, result } = reply.json();
    expect(result).toBe('started');
    expect(reply.headers.location).toBe(`/v1/runs/${runId}`);
    expect((await http.ask(`GET /v1/runs/${runId}`)).json()).toMatchObject({
      id: runId,
      flow: 'greet',
      input,
      tags: { team: 'red' },
      budget: { limits: { costUsd: 0.5 } },
      waitingFor: { kind: 'worker' },
    });
    expect(http.store.runs.starts[0]).toMatchObject({ workspaceId: HOME, trigger: 'cli' });
  });

  it('C38: same key and body is the same run, in whichever place the key stands', async () => {
    const first = await start({}, { 'idempotency-key': 'order-1' });
    const again = await start({}, { 'idempotency-key': 'order-1' });
    const inBody = await start({ dedupeKey: 'order-1' });
    expect([first.statusCode, again.statusCode, inBody.statusCode]).toEqual([201, 200, 200]);
    expect(again.json()).toEqual({ result: 'duplicate', runId: first.json().runId });
    expect(inBody.json().runId).toBe(first.json().runId);
    expect(http.store.runs.runs.size).toBe(1);
  });

  it('C38: same key, other body: 422 naming the run, and no run', async () => {
    const first = await start({}, { 'idempotency-key': 'order-1' });
    const other = await start({ input: { ...input, age: 37 } }, { 'idempotency-key': 'order-1' });
    expect(other.json()).toMatchObject({ status: 422, code: 'dedupe_conflict', runId: first.json().runId });
    expect(http.store.runs.runs.size).toBe(1);
  });

  it('C38: while the first is being made: 409 with Retry-After', async () => {
    http.store.runs.inProgress.add('order-1');
    const reply = await start({}, { 'idempotency-key': 'order-1' });
    expect(reply.json()).toMatchObject({ status: 409, code: 'dedupe_in_progress' });
    expect(reply.headers['retry-after']).toBe('1');
  });

  it('C38: keys of another flow or another workspace do not meet', async () => {
    const first = await start({}, { 'idempotency-key': 'order-1' });
    await http.ask('POST /v1/flows/other/publish', { body: aFlow('other') });
    const otherFlow = await start({ flow: 'other' }, { 'idempotency-key': 'order-1' });
    const authorization = `Bearer ${ELSEWHERE_KEY}`;
    await http.ask('POST /v1/flows/greet/publish', { body: aFlow(), headers: { authorization } });
    const elsewhere = await start({}, { 'idempotency-key': 'order-1', authorization });
    const ids = [first, otherFlow, elsewhere].map((reply) => reply.json().runId);
    expect(new Set(ids).size).toBe(3);
  });

  it('two different keys in one request are refused', async () => {
    const reply = await start({ dedupeKey: 'a' }, { 'idempotency-key': 'b' });
    expect(reply.json()).toMatchObject({ code: 'header_invalid', issues: [{ pointer: '/idempotency-key' }] });
    expect(http.store.runs.starts).toEqual([]);
  });

  it('an input that does not fit the flow lists every place, and no run', async () => {
    const reply = await start({ input: {} });
    expect(reply.json()).toMatchObject({
      status: 422,
      code: 'input_invalid',
      issues: [{ pointer: '/input/name' }, { pointer: '/input/age' }],
    });
    expect(http.store.runs.runs.size).toBe(0);
  });

  it('no input at all is an empty object', async () => {
    await http.ask('POST /v1/flows/other/publish', { body: aFlow('other') });
    const reply = await http.ask('POST /v1/runs', { body: { flow: 'other' } });
    expect(reply.statusCode).toBe(201);
    expect(http.store.runs.starts[0]).toMatchObject({ input: {}, trigger: 'api' });
  });

  it.each([
    [{ flow: 'none' }, 404, 'flow_not_found'],
    [{ version: '0'.repeat(64) }, 404, 'version_not_found'],
    [{ flow: 'draft-only' }, 409, 'flow_not_published'],
    [{ dedupKey: 'misspelt' }, 422, 'body_invalid'],
    [{ budget: { costUsd: -1 } }, 422, 'body_invalid'],
    [{ version: 'latest' }, 422, 'body_invalid'],
    [{ trigger: 'schedule' }, 422, 'body_invalid'],
    [{ tags: ['red'] }, 422, 'body_invalid'],
  ])('%j answers %d %s', async (body, status, code) => {
    await http.ask('POST /v1/flows', { body: aFlow('draft-only') });
    expect((await start(body)).json()).toMatchObject({ status, code });
    expect(http.store.runs.runs.size).toBe(0);
  });

  it('a misspelt member is named', async () => {
    expect((await start({ dedupKey: 'x' })).json().issues).toEqual([
      expect.objectContaining({ pointer: '/dedupKey', code: 'unrecognized_keys' }),
    ]);
  });

  it('a flood is refused with Retry-After in whole seconds', async () => {
    http.store.runs.openLimit = 0;
    const reply = await start();
    expect(reply.json()).toMatchObject({ status: 429, code: 'queue_full' });
    expect(reply.headers['retry-after']).toBe('3');
  });
});

describe('listing', () => {
  it('pages, newest first, without gap or double', async () => {
    const ids = [];
    for (let n = 0; n < 5; n++) ids.unshift((await start({ tags: { n: String(n) } })).json().runId);
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await http.ask(`GET /v1/runs?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.json().items.map((run: { id: string }) => run.id));
      cursor = page.json().nextCursor ?? '';
    } while (cursor);
    expect(seen).toEqual(ids);
  });

  it('filters by flow, statuses, tag and time', async () => {
    const runId = (await start({ tags: { team: 'a:b' } })).json().runId;
    await start();
    await http.ask(`POST /v1/runs/${runId}/cancel`);
    const count = async (query: string) => (await http.ask(`GET /v1/runs?${query}`)).json().items.length;
    expect(await count('flow=greet')).toBe(2);
    expect(await count('flow=other')).toBe(0);
    expect(await count('status=cancelling')).toBe(1);
    expect(await count('status=cancelling,running')).toBe(2);
    expect(await count('status=cancelling&status=running')).toBe(2);
    expect(await count('tag=team:a:b')).toBe(1);
    expect(await count('createdAfter=2026-01-02T03:04:06Z')).toBe(0);
    expect(await count('createdBefore=2026-01-02T05:04:06%2B01:00')).toBe(2);
  });

  it.each([
    ['flwo=greet', '/flwo'],
    ['status=done', '/status/0'],
    ['limit=0', '/limit'],
    ['limit=201', '/limit'],
    ['limit=ten', '/limit'],
    ['createdAfter=yesterday', '/createdAfter'],
    ['tag=red', '/tag'],
    ['tag=a:%00', '/tag'],
  ])('?%s is refused at %s', async (query, pointer) => {
    const reply = await http.ask(`GET /v1/runs?${query}`);
    expect(reply.json()).toMatchObject({ status: 400, code: 'query_invalid', issues: [{ pointer }] });
  });

  it('a foreign cursor is refused', async () => {
    expect((await http.ask('GET /v1/runs?cursor=nonsense')).json()).toMatchObject({ code: 'cursor_invalid' });
  });
});

describe('acting', () => {
  it('cancel takes a reason, and asking twice is harmless', async () => {
    const runId = await startOne();
    const first = await http.ask(`POST /v1/runs/${runId}/cancel`, { body: { reason: 'wrong input' } });
    const again = await http.ask(`POST /v1/runs/${runId}/cancel`);
    expect([first.statusCode, again.statusCode]).toEqual([200, 200]);
    expect(first.json()).toMatchObject({ id: runId, status: 'cancelling' });
    expect(first.json()).not.toHaveProperty('input');
    const asked = http.store.runs.runs
      .get(runId)!
      .journal.filter(({ type }) => type === 'run.cancelRequested');
    expect(asked).toMatchObject([{ data: { by: 'local', reason: 'wrong input' } }]);
  });

  it('retry continues a paused run, and only such a one', async () => {
    const runId = await startOne();
    expect((await http.ask(`POST /v1/runs/${runId}/retry`)).json()).toMatchObject({
      code: 'run_not_retryable',
    });
    http.store.runs.runs.get(runId)!.detail.status = 'paused';
    expect(
      (await http.ask(`POST /v1/runs/${runId}/retry`, { body: { path: 'no/such' } })).json(),
    ).toMatchObject({
      code: 'node_run_not_found',
    });
    const reply = await http.ask(`POST /v1/runs/${runId}/retry`, { body: { path: 'each/3/score' } });
    expect(reply.json()).toMatchObject({ status: 'running' });
  });

  it('a budget is raised above what is used, and not by nothing', async () => {
    const runId = await startOne();
    const raise = (limits: object) => http.ask(`POST /v1/runs/${runId}/budget`, { body: { limits } });
    expect((await raise({ tokens: 500 })).json()).toMatchObject({ budget: { limits: { tokens: 500 } } });
    expect((await raise({ tokens: 0 })).json()).toMatchObject({ status: 409, code: 'budget_not_raised' });
    expect((await raise({})).json()).toMatchObject({
      code: 'body_invalid',
      issues: [{ pointer: '/limits' }],
    });
    expect((await raise({ tokens: 1.5 })).json()).toMatchObject({ issues: [{ pointer: '/limits/tokens' }] });
  });

  it.each(['cancel', 'retry', 'budget'])('%s of a finished run answers 409', async (action) => {
    const runId = await startOne();
    http.store.runs.append(runId, {
      type: 'run.statusChanged',
      path: '',
      attempt: 0,
      data: { v: 1, status: 'succeeded' },
    });
    const body = action === 'budget' ? { limits: { tokens: 5 } } : {};
    const reply = await http.ask(`POST /v1/runs/${runId}/${action}`, { body });
    expect(reply.json()).toMatchObject({ status: 409, code: 'run_not_open' });
    expect(reply.json().detail).toContain('succeeded');
  });

  it('an id is known in any letter case', async () => {
    const runId = await startOne();
    expect((await http.ask(`GET /v1/runs/${runId.toUpperCase()}`)).json().id).toBe(runId);
  });
});

const startOne = () => aRun(http);
