// Catches: bytes changed on their way, a generated page that runs as one of ours, a name that breaks out of its header.
import { randomUUID } from 'node:crypto';
import { type ClientRequest, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anHttp, aRun, type TestHttp } from '../../support/an-http.ts';
import { HOME } from '../../support/memory-store.ts';

let http: TestHttp;
let runId: string;
const bytes = Buffer.from(Array.from({ length: 5_000 }, (_, index) => index % 256));
beforeEach(async () => {
  http = anHttp();
  runId = await aRun(http);
});
function anArtifact(name: string, mediaType: string): string {
  const id = randomUUID();
  http.store.artifacts.push({
    workspaceId: HOME,
    bytes,
    artifact: {
      id,
      artifactId: id,
      runId,
      path: 'report',
      attempt: 1,
      name,
      version: 1,
      mediaType,
      bytes: bytes.length,
      hash: 'f'.repeat(64),
      createdAt: '2026-01-02T03:04:05.000Z',
    },
  });
  return id;
}

it('are listed by run, described and downloaded byte for byte', async () => {
  const id = anArtifact('report.md', 'text/markdown; charset=utf-8');
  expect((await http.ask(`GET /v1/runs/${runId}/artifacts`)).json().items).toMatchObject([
    { id, name: 'report.md' },
  ]);
  expect((await http.ask(`GET /v1/artifacts/${id}`)).json()).toMatchObject({ id, bytes: 5_000 });
  const file = await http.ask(`GET /v1/artifacts/${id}/content`);
  expect(file.rawPayload.equals(bytes)).toBe(true);
  expect(file.headers).toMatchObject({
    'content-type': 'text/markdown; charset=utf-8',
    'content-length': '5000',
    'content-disposition': `attachment; filename="report.md"; filename*=UTF-8''report.md`,
    etag: `"${'f'.repeat(64)}"`,
  });
});

it('are attachments in a sandbox, whatever they say they are', async () => {
  const id = anArtifact('index.html', 'text/html');
  const { headers } = await http.ask(`GET /v1/artifacts/${id}/content`);
  expect(headers['content-disposition']).toMatch(/^attachment/);
  expect(headers['content-security-policy']).toContain('sandbox');
  expect(headers['x-content-type-options']).toBe('nosniff');
});

it('odd names and media types cannot break a header', async () => {
  const id = anArtifact('a/b/"\r\nx: y\ud800 größe.txt', 'text/html\r\nset-cookie: a=b');
  const { headers } = await http.ask(`GET /v1/artifacts/${id}/content`);
  expect(headers['content-type']).toBe('application/octet-stream');
  expect(headers['content-disposition']).toBe(
    `attachment; filename="___x_ y_ gr__e.txt"; filename*=UTF-8''%22%0D%0Ax%3A%20y_%20gr%C3%B6%C3%9Fe.txt`,
  );
  expect(headers['set-cookie']).toBeUndefined();
});

it.each(['', '/content'])('an unknown one answers 404 at %j', async (rest) => {
  for (const id of [randomUUID(), 'report.md'])
    expect((await http.ask(`GET /v1/artifacts/${id}${rest}`)).json()).toMatchObject({
      code: 'artifact_not_found',
    });
});

describe('a download', () => {
  const etag = `"${'f'.repeat(64)}"`;
  const download = (headers: Record<string, string>) => {
    const id = anArtifact('r.bin', 'application/octet-stream');
    return http.ask(`GET /v1/artifacts/${id}/content`, { headers });
  };

  it.each([
    ['bytes=0-99', 0, 100],
    ['bytes=100-', 100, 5_000],
    ['bytes=-7', 4_993, 5_000],
    ['bytes=-9999', 0, 5_000],
    ['bytes=4999-9999', 4_999, 5_000],
  ])('of %s is that part', async (range, start, end) => {
    const part = await download({ range });
    expect(part.statusCode).toBe(206);
    expect(part.rawPayload.equals(bytes.subarray(start, end))).toBe(true);
    expect(part.headers).toMatchObject({
      'content-range': `bytes ${start}-${end - 1}/5000`,
      'content-length': String(end - start),
      'accept-ranges': 'bytes',
      etag,
    });
    expect(part.headers['content-disposition']).toMatch(/^attachment/);
  });

  it.each(['bytes=5000-', 'bytes=9999-10000', 'bytes=-0'])(
    'of %s, which is behind the end, is refused with the size',
    async (range) => {
      const reply = await download({ range });
      expect(reply.json()).toMatchObject({ status: 416, code: 'range_not_satisfiable' });
      expect(reply.headers['content-range']).toBe('bytes */5000');
    },
  );

  it.each(['bytes=9-3', 'bytes=-', 'bytes=a-b', 'bytes=0-1,3-4', 'lines=0-9'])(
    'of %s, which says nothing, is the whole',
    async (range) => {
      const reply = await download({ range });
      expect(reply.statusCode).toBe(200);
      expect(reply.rawPayload.length).toBe(5_000);
    },
  );

  it('goes on only where the content is still the same', async () => {
    expect((await download({ range: 'bytes=9-', 'if-range': etag })).statusCode).toBe(206);
    expect((await download({ range: 'bytes=9-', 'if-range': '"other"' })).statusCode).toBe(200);
  });

  it.each([etag, `"x", W/${etag}`, '*'])('with If-None-Match %s is not sent again', async (known) => {
    const reply = await download({ 'if-none-match': known });
    expect(reply.statusCode).toBe(304);
    expect(reply.rawPayload.length).toBe(0);
    expect(reply.headers.etag).toBe(etag);
  });

  it('with another If-None-Match is sent', async () => {
    expect((await download({ 'if-none-match': '"x"' })).statusCode).toBe(200);
  });
});

describe('an upload', () => {
  const upload = (content: Buffer, headers: Record<string, string> = {}, query = 'name=prices.csv') =>
    http.ask(`POST /v1/artifacts?${query}`, {
      text: content,
      headers: { 'content-type': 'text/csv', ...headers },
    });

  it('is kept byte for byte under its media type and comes back by its id', async () => {
    const made = await upload(bytes);
    expect(made.statusCode).toBe(201);
    const artifact = made.json();
    expect(artifact).toMatchObject({
      name: 'prices.csv',
      version: 1,
      mediaType: 'text/csv',
      by: 'local',
      bytes: 5_000,
    });
    expect(artifact.artifactId).toBe(artifact.id);
    expect(made.headers.location).toBe(`/v1/artifacts/${artifact.id}`);
    const back = await http.ask(`GET ${made.headers.location}/content`);
    expect(back.rawPayload.equals(bytes)).toBe(true);
    expect(back.headers['content-type']).toBe('text/csv');
  });

  it('of the same bytes is the artifact that is there; of others its next version', async () => {
    const first = await upload(bytes);
    const again = await upload(bytes);
    expect(again.statusCode).toBe(200);
    expect(again.json()).toEqual(first.json());
    expect((await upload(Buffer.from('other'))).json()).toMatchObject({ version: 2 });
    expect((await http.ask('GET /v1/artifacts?uploaded=true&name=prices.csv')).json().items).toHaveLength(2);
  });

  it('may be empty, of any type, and say nothing about its type', async () => {
    expect((await upload(Buffer.alloc(0), { 'content-length': '0' })).json()).toMatchObject({ bytes: 0 });
    expect((await upload(Buffer.from('{}'), { 'content-type': 'application/json' })).json()).toMatchObject({
      bytes: 2,
      mediaType: 'application/json',
    });
    const plain = await http.app.inject({
      method: 'POST',
      url: '/v1/artifacts?name=x',
      payload: Buffer.from('x'),
      headers: { host: 'localhost' },
    });
    expect(plain.json()).toMatchObject({ mediaType: 'application/octet-stream' });
  });

  it.each([
    ['a form', { 'content-type': 'multipart/form-data; boundary=x' }, 415, 'media_type_unsupported'],
    ['compressed', { 'content-encoding': 'gzip' }, 415, 'media_type_unsupported'],
    ['of no known type', { 'content-type': 'csv' }, 415, 'media_type_unsupported'],
  ] as const)('that is %s is refused and nothing is kept', async (_, headers, status, code) => {
    const reply = await upload(bytes, headers);
    expect(reply.json()).toMatchObject({ status, code, detail: expect.stringMatching(/^The upload is /) });
    expect(http.store.artifacts).toEqual([]);
  });

  it('without a name is refused', async () => {
    expect((await upload(bytes, {}, '')).json()).toMatchObject({ code: 'query_invalid' });
  });
});

describe('an upload over a socket', () => {
  beforeEach(async () => {
    http = anHttp({ limits: { uploadBytes: 1_000_000, uploadIdleMs: 100 } });
    await http.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(() => http.app.close());

  const begin = (
    headers: Record<string, string | number>,
  ): { call: ClientRequest; answer: Promise<unknown> } => {
    const { port } = http.app.server.address() as AddressInfo;
    const call = request({ host: '127.0.0.1', port, path: '/v1/artifacts?name=n', method: 'POST', headers });
    const answer = new Promise((resolve, reject) => {
      call.on('error', reject);
      call.on('response', async (reply) => {
        const chunks: Buffer[] = [];
        for await (const chunk of reply) chunks.push(chunk as Buffer);
        resolve(JSON.parse(Buffer.concat(chunks).toString()));
      });
    });
    answer.catch(() => {});
    return { call, answer };
  };

  it.each([
    ['content-length', { 'content-length': 5_000_000 }],
    ['transfer-encoding', { 'transfer-encoding': 'chunked' }],
  ])('above the limit, with %s, answers 413 with the limit and keeps nothing', async (_, headers) => {
    const { call, answer } = begin(headers);
    call.end(Buffer.alloc(5_000_000));
    expect(await answer).toMatchObject({ status: 413, code: 'body_too_large', limitBytes: 1_000_000 });
    expect(http.store.artifacts).toEqual([]);
  });

  it('that stops coming is given up', async () => {
    const { call, answer } = begin({ 'transfer-encoding': 'chunked' });
    call.write('begin');
    expect(await answer).toMatchObject({ status: 408, code: 'upload_interrupted' });
    expect(http.store.artifacts).toEqual([]);
  });

  it('whose connection breaks keeps nothing', async () => {
    const { call } = begin({ 'content-length': 900_000 });
    call.write(Buffer.alloc(200_000));
    await expect.poll(() => call.socket?.bytesWritten ?? 0).toBeGreaterThan(200_000);
    call.destroy();
    await expect.poll(() => http.store.brokenUploads).toMatchObject([{ code: 'upload_interrupted' }]);
    expect(http.store.artifacts).toEqual([]);
  });
});
