// Catches: a schedule that is made of a body nobody meant, or an address that answers for another one.
import { beforeEach, describe, expect, it, test } from 'vitest';
import { aFlow, anHttp, type TestHttp } from '../../support/an-http.ts';

let http: TestHttp;
beforeEach(async () => {
  http = anHttp();
  await http.ask('POST /v1/flows/greet/publish', { body: aFlow() });
});
const nightly = { name: 'nightly', flow: 'greet', cron: '30 2 * * *' };
const create = (body: unknown = nightly) => http.ask('POST /v1/schedules', { body });

describe('schedules', () => {
  it('are made, changed, switched, read and removed', async () => {
    const made = await create({ ...nightly, input: { day: '{{ schedule.date }}' } });
    expect(made.statusCode).toBe(201);
    expect(made.headers.location).toBe('/v1/schedules/nightly');
    expect(made.json()).toMatchObject({ enabled: true, overlap: 'skip', timeZone: 'UTC' });
    const changed = await http.ask('PATCH /v1/schedules/nightly', { body: { overlap: 'queue' } });
    expect(changed.json()).toMatchObject({ overlap: 'queue', cron: '30 2 * * *' });
    expect((await http.ask('POST /v1/schedules/nightly/pause')).json()).toMatchObject({ enabled: false });
    expect((await http.ask('POST /v1/schedules/nightly/resume')).json()).toMatchObject({ enabled: true });
    expect((await http.ask('GET /v1/schedules?flow=greet')).json().items).toHaveLength(1);
    expect((await http.ask('GET /v1/schedules?flow=other')).json().items).toEqual([]);
    expect((await http.ask('GET /v1/schedules/nightly/next')).json().slots).toHaveLength(10);
    const next = await http.ask('GET /v1/schedules/nightly/next?count=2&after=2026-03-01T00:00:00Z');
    expect(next.json().slots).toEqual(['2026-03-02T00:00:00.000Z', '2026-03-03T00:00:00.000Z']);
    expect((await http.ask('GET /v1/schedules/nightly/slots')).json()).toEqual({ items: [] });
    expect((await http.ask('DELETE /v1/schedules/nightly')).json()).toMatchObject({ name: 'nightly' });
    expect((await http.ask('GET /v1/schedules/nightly')).json()).toMatchObject({
      code: 'schedule_not_found',
    });
  });

  it('C79: what was exported can be imported, and is off', async () => {
    await create();
    const file = await http.ask('GET /v1/schedules/export');
    expect(file.headers['content-disposition']).toContain('schedules.json');
    await http.ask('DELETE /v1/schedules/nightly');
    const imported = await http.ask('POST /v1/schedules/import', { body: file.json() });
    expect(imported.statusCode).toBe(201);
    expect(imported.json().items).toMatchObject([{ name: 'nightly', enabled: false }]);
    expect((await http.ask('POST /v1/schedules/import', { body: file.json() })).json()).toMatchObject({
      code: 'schedule_exists',
    });
  });

  test.each([
    [{ ...nightly, name: 'No Slug' }, '/name'],
    [{ ...nightly, overlap: 'wait' }, '/overlap'],
    [{ ...nightly, catchUpWindowMs: 32 * 86_400_000 }, '/catchUpWindowMs'],
    [{ ...nightly, jitterMs: 1.5 }, '/jitterMs'],
    [{ ...nightly, timezone: 'UTC' }, '/timezone'],
    [{ name: 'nightly', flow: 'greet' }, '/cron'],
  ])('%j is refused with its place', async (body, pointer) => {
    const reply = await create(body);
    expect(reply.json()).toMatchObject({ code: 'body_invalid', issues: [{ pointer }] });
    expect(http.store.schedules.schedules.size).toBe(0);
  });

  it('C31: integers that would be rounded are refused with their place', async () => {
    const text = '{"name":"nightly","flow":"greet","cron":"* * * * *","input":{"id":9007199254740993}}';
    const reply = await http.ask('POST /v1/schedules', { text });
    expect(reply.json()).toMatchObject({ code: 'unsafe_integer', issues: [{ pointer: '/input/id' }] });
  });

  it('a flow that is not there, and a name that is taken', async () => {
    expect((await create({ ...nightly, flow: 'never' })).json()).toMatchObject({ code: 'flow_not_found' });
    await create();
    expect((await create()).json()).toMatchObject({ status: 409, code: 'schedule_exists' });
  });
});
