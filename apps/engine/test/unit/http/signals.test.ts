// Catches: a signal that is sent twice, or with something else than was meant.
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { anHttp, type TestHttp } from '../../support/an-http.ts';
import { ELSEWHERE_KEY, HOME } from '../../support/memory-store.ts';

let http: TestHttp;
beforeEach(() => {
  http = anHttp();
});
const send = (body: unknown, headers = {}) => http.ask('POST /v1/signals', { body, headers });

describe('signals', () => {
  it('are sent with name, key and payload; what is left out is empty', async () => {
    expect((await send({ name: 'paid' })).json()).toMatchObject({ result: 'sent', id: expect.any(String) });
    await send({ name: 'paid', key: 42, payload: { ok: true } });
    expect(http.store.signals.sent).toMatchObject([
      { workspaceId: HOME, by: 'local', name: 'paid', key: '', payload: null },
      { name: 'paid', key: '42', payload: { ok: true } },
    ]);
  });

  it('with an id are sent once; another body under it is refused', async () => {
    const body = { name: 'paid', key: 'o-1', payload: 1, id: 'delivery-1' };
    expect((await send(body)).statusCode).toBe(201);
    const again = await send(body);
    expect([again.statusCode, again.json()]).toMatchObject([200, { result: 'duplicate', id: 'delivery-1' }]);
    expect((await send({ ...body, payload: 2 })).json()).toMatchObject({
      status: 422,
      code: 'signal_conflict',
    });
    expect(http.store.signals.sent).toHaveLength(1);
    const elsewhere = { authorization: `Bearer ${ELSEWHERE_KEY}` };
    expect((await send({ ...body, payload: 2 }, elsewhere)).statusCode, 'V14: ids are of a workspace').toBe(
      201,
    );
  });

  it('are refused when too many are kept, with the time to wait', async () => {
    http.store.signals.limit = 0;
    const reply = await send({ name: 'paid' });
    expect(reply.json()).toMatchObject({ status: 429, code: 'signals_full' });
    expect(reply.headers['retry-after']).toBe('60');
  });

  it.each([
    {},
    { name: '1st' },
    { name: 'paid', key: 'a\u0000b' },
    { name: 'paid', key: 'a\ud800' },
    { name: 'paid', key: {} },
    { name: 'paid', id: '' },
    { name: 'paid', runId: 'latest' },
    { name: 'paid', extra: 1 },
  ])('%j is none', async (body) => {
    expect((await send(body)).json()).toMatchObject({ status: 422, code: 'body_invalid' });
  });

  it('that are kept are listed', async () => {
    await send({ name: 'paid', id: 'a' });
    await send({ name: 'shipped', id: 'b', runId: randomUUID() });
    const ids = async (query: string) =>
      (await http.ask(`GET /v1/signals${query}`)).json().items.map(({ id }: { id: string }) => id);
    expect(await ids('')).toEqual(['a', 'b']);
    expect(await ids('?name=shipped')).toEqual(['b']);
  });
});
