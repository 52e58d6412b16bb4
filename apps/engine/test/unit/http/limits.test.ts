// Catches: a limit that names nothing or limits nothing and is kept all the same; one that another workspace sees or removes (V14).
import { beforeEach, expect, it } from 'vitest';
import { anHttp, type TestHttp } from '../../support/an-http.ts';
import { ELSEWHERE_KEY } from '../../support/memory-store.ts';

let http: TestHttp;
beforeEach(() => {
  http = anHttp();
});
const set = (body: object) => http.ask('PUT /v1/limits', { body });

it('a limit is set, listed and removed; without a window it is per minute', async () => {
  await set({ target: 'openai:*', requests: 60 });
  const reply = await set({ target: 'crm.find@2', concurrency: 2, tokens: 9, windowMs: 500 });
  expect(reply.json().items).toMatchObject([
    { target: 'openai:*', scope: 'workspace', requests: 60, windowMs: 60_000 },
    { target: 'crm.find@2', concurrency: 2, tokens: 9, windowMs: 500 },
  ]);
  const left = await http.ask('DELETE /v1/limits?target=openai:*');
  expect(left.json().items).toMatchObject([{ target: 'crm.find@2' }]);
  expect((await http.ask('DELETE /v1/limits?target=openai:*')).json()).toMatchObject({
    status: 404,
    code: 'limit_not_found',
  });
});

it.each([
  { target: 'openai', requests: 1 },
  { target: '*', requests: 1 },
  { target: 'openai:*' },
  { target: 'openai:*', windowMs: 1_000 },
  { target: 'openai:*', requests: 0 },
  { target: 'openai:*', requests: 1, windowMs: 1 },
  { target: 'openai:*', requests: 1, windowMs: 86_400_001 },
])('%j is refused', async (body) => {
  expect((await set(body)).json()).toMatchObject({ status: 422, code: 'body_invalid' });
});

it('V14: another workspace sees none of it and removes none', async () => {
  await set({ target: 'openai:*', requests: 60 });
  const headers = { authorization: `Bearer ${ELSEWHERE_KEY}` };
  expect((await http.ask('GET /v1/limits', { headers })).json()).toEqual({ items: [] });
  expect((await http.ask('DELETE /v1/limits?target=openai:*', { headers })).statusCode).toBe(404);
  expect((await http.ask('GET /v1/limits')).json().items).toHaveLength(1);
});
