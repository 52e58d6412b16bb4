// Catches: a value that an answer or a log gives back (V13), one that is set where nothing can keep it, and one of another workspace.
import { beforeEach, expect, it } from 'vitest';
import { anHttp, type TestHttp } from '../../support/an-http.ts';
import { ELSEWHERE_KEY, HOME } from '../../support/memory-store.ts';

const VALUE = 'hush-4711';
let http: TestHttp;
beforeEach(() => {
  http = anHttp();
});
const set = (body: object) => http.ask('PUT /v1/credentials', { body });

it('V13: a credential is set and listed, and its value is in no answer and no line of the log', async () => {
  const reply = await set({ name: 'CRM_TOKEN', value: VALUE });
  expect(reply.json()).toMatchObject({ name: 'CRM_TOKEN', setBy: 'local' });
  const all = await http.ask('GET /v1/credentials');
  expect(all.json()).toMatchObject({ canStore: true, items: [{ name: 'CRM_TOKEN' }] });
  const removed = await http.ask('DELETE /v1/credentials/CRM_TOKEN');
  expect(removed.json()).toMatchObject({ name: 'CRM_TOKEN' });
  expect((await http.ask('DELETE /v1/credentials/CRM_TOKEN')).json()).toMatchObject({
    code: 'credential_not_found',
  });
  expect(http.store.credentials.values.get(`${HOME}/CRM_TOKEN`)).toBe(VALUE);
  expect(reply.body + all.body + removed.body + JSON.stringify(http.logged)).not.toContain(VALUE);
  expect(JSON.stringify(http.logged)).toContain('CRM_TOKEN');
});

it.each([
  { name: '1TOKEN', value: VALUE },
  { name: 'A-B', value: VALUE },
  { name: 'TOKEN', value: '' },
  { name: 'TOKEN' },
])('%j is refused, and its value not repeated', async (body) => {
  const reply = await set(body);
  expect(reply.json()).toMatchObject({ status: 422, code: 'body_invalid' });
  expect(reply.body).not.toContain(VALUE);
});

it('without a key nothing is stored, and the answer says what to set', async () => {
  http.store.credentials.canStore = false;
  const reply = await set({ name: 'TOKEN', value: VALUE });
  expect(reply.json()).toMatchObject({ status: 409, code: 'credentials_off' });
  expect(http.store.credentials.values.size).toBe(0);
});

it('V14: another workspace sees none of it and removes none', async () => {
  await set({ name: 'TOKEN', value: VALUE });
  const headers = { authorization: `Bearer ${ELSEWHERE_KEY}` };
  expect((await http.ask('GET /v1/credentials', { headers })).json().items).toEqual([]);
  expect((await http.ask('DELETE /v1/credentials/TOKEN', { headers })).statusCode).toBe(404);
  expect((await http.ask('GET /v1/credentials')).json().items).toHaveLength(1);
});
