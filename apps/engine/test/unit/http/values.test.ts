// Catches: a value that is told as a page of this origin, cut elsewhere than asked, or given to who may not have it.
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { anHttp, aRun, type TestHttp } from '../../support/an-http.ts';

let http: TestHttp;
let runId: string;
beforeEach(async () => {
  http = anHttp();
  runId = await aRun(http);
  http.store.runs.append(runId, {
    type: 'outcome.succeeded',
    path: 'a',
    attempt: 1,
    data: { v: 1, output: { word: 'größe' } },
  });
});
const TEXT = '{"word":"größe"}';
const ask = (rest: string, headers: Record<string, string> = {}) =>
  http.ask(`GET /v1/runs/${runId}/events/${rest}`, { headers });

it('a value is downloaded as its JSON text, as an attachment in a sandbox', async () => {
  const reply = await ask('2/values/output');
  expect(reply.body).toBe(TEXT);
  expect(reply.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': expect.stringMatching(/^attachment/),
    'content-security-policy': expect.stringContaining('sandbox'),
    'accept-ranges': 'bytes',
  });
  expect((await ask('2/values/output', { 'if-none-match': String(reply.headers.etag) })).statusCode).toBe(
    304,
  );
});

it('a range of a value is that part of its bytes', async () => {
  const reply = await ask('2/values/output', { range: 'bytes=0-8' });
  expect([reply.statusCode, reply.body]).toEqual([206, TEXT.slice(0, 9)]);
  expect(reply.headers['content-range']).toBe(`bytes 0-8/${Buffer.byteLength(TEXT)}`);
  expect((await ask('2/values/output', { range: 'bytes=99-' })).json()).toMatchObject({
    code: 'range_not_satisfiable',
  });
});

it.each(['3/values/output', '0/values/output', 'x/values/output', '2/values/request', '2/values/secret'])(
  '%s names nothing: 404',
  async (rest) => {
    expect((await ask(rest)).json()).toMatchObject({ status: 404, code: 'value_not_found' });
  },
);

it('V14: of a run that is not there says so', async () => {
  const reply = await http.ask(`GET /v1/runs/${randomUUID()}/events/1/values/output`);
  expect(reply.json()).toMatchObject({ code: 'run_not_found' });
});
