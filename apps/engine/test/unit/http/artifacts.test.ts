// Catches: bytes changed on their way, a generated page that runs as one of ours, a name that breaks out of its header.
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
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
