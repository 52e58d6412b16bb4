import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anHttp, type TestHttp } from '../../support/an-http.ts';

let folder: string;
let http: TestHttp;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pawl-designer-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<p>designer</p>');
  writeFileSync(join(folder, 'assets/index-1a2b3c.js'), 'export {}');
  writeFileSync(join(folder, 'assets/check-worker-1a2b3c.js'), 'export {}');
  http = anHttp({ designerFolder: folder });
});

afterAll(async () => {
  await http.app.close();
  rmSync(folder, { recursive: true });
});

const get = (url: string, accept = 'text/html,*/*') =>
  http.app.inject({ url, headers: { accept, host: 'localhost' } });

describe('the pages of the designer', () => {
  it.each(['/', '/flows/greet?select=hello', '/runs'])('are one page for a browser: %s', async (url) => {
    const reply = await get(url);
    expect(reply.body).toBe('<p>designer</p>');
    expect(reply.headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining("default-src 'self'"),
      'x-content-type-options': 'nosniff',
    });
    expect(reply.headers['content-security-policy']).not.toContain('unsafe-eval');
  });

  it('keep for good what is named by its content', async () => {
    const reply = await get('/assets/index-1a2b3c.js');
    expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(reply.headers['content-security-policy']).not.toContain('unsafe-eval');
  });

  it('let workers alone compile schemas', async () => {
    const reply = await get('/assets/check-worker-1a2b3c.js');
    expect(reply.headers['content-security-policy']).toContain("'unsafe-eval'");
  });

  it.each(['/v1/nothing', '/assets/old-1.js'])('never stand in for %s', async (url) => {
    expect(await get(url)).toMatchObject({ statusCode: 404 });
  });

  it('are not for programs: an address that is not there is a problem', async () => {
    expect((await get('/flows', 'application/json')).json()).toMatchObject({ code: 'route_not_found' });
  });

  it('need no key where everything else does', async () => {
    const keys = anHttp({ designerFolder: folder, auth: { mode: 'keys', defaultWorkspaceId: 'w' } });
    const reply = await keys.app.inject({ url: '/', headers: { accept: 'text/html' } });
    expect(reply.statusCode).toBe(200);
    await keys.app.close();
  });

  it('are not there where no designer was built', async () => {
    const bare = anHttp();
    const reply = await bare.app.inject({ url: '/', headers: { accept: 'text/html' } });
    expect(reply.json()).toMatchObject({ code: 'route_not_found' });
  });
});
