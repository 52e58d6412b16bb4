// Catches: news of another workspace, a watcher that is kept for ever or goes on hearing without access, a cost that grows with watchers.
import { createClient, type WorkspaceNews } from '@pawl/api';
import type { JournalEvent } from '@pawl/dag-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anHttp, aRun, type TestHttp } from '../../support/an-http.ts';
import { ELSEWHERE_KEY, HOME, HOME_KEY, keyOf } from '../../support/memory-store.ts';
import { readStream } from '../../support/sse-reader.ts';

let http: TestHttp;
let baseUrl: string;
let runId: string;
const asHome = { authorization: `Bearer ${HOME_KEY}` };
beforeEach(async () => {
  http = anHttp({ auth: { mode: 'keys', defaultWorkspaceId: HOME }, limits: { keyCacheMs: 0 } });
  baseUrl = await http.app.listen({ host: '127.0.0.1', port: 0 });
  runId = await aRun(http, asHome);
});
afterEach(() => http.app.close());

const ended: JournalEvent = {
  type: 'run.statusChanged',
  path: '',
  attempt: 0,
  data: { v: 1, status: 'succeeded', output: 'secret' },
};
const finish = () => http.store.runs.append(runId, ended);
const listen = (key = HOME_KEY) => readStream(`${baseUrl}/v1/live`, { authorization: `Bearer ${key}` });

describe('the stream of a workspace', () => {
  it('begins by asking to read again, then tells how a run stands that changed, without what went in or came out', async () => {
    const stream = await listen();
    expect(stream.headers).toMatchObject({ 'content-type': 'text/event-stream; charset=utf-8' });
    await stream.until(/^event: again$/m);
    finish();
    const [told] = (await stream.until(/^event: run$/m)).slice(-1);
    const run = JSON.parse(/^data: (.*)$/m.exec(told!)![1]!);
    expect(run).toMatchObject({ id: runId, status: 'succeeded', lastSeq: 2 });
    expect(told).not.toContain('secret');
    expect(told).not.toContain('Ada');
    stream.cut();
  });

  it('V14: says nothing to another workspace', async () => {
    const [own, foreign] = [await listen(), await listen(ELSEWHERE_KEY)];
    await foreign.until(/^event: again$/m);
    finish();
    await own.until(/^event: run$/m);
    http.store.bus.lose();
    const heard = await foreign.until(/^event: again$/m);
    expect(heard.join()).not.toContain(runId);
    own.cut();
    foreign.cut();
  });

  it('tells how much waits for a person when that changed', async () => {
    const stream = await listen();
    await stream.until(/^event: again$/m);
    http.store.inbox.ask(HOME, runId, 7);
    finish();
    const [told] = (await stream.until(/^event: inbox$/m)).slice(-1);
    expect(told).toContain('{"count":1,"hasMore":false}');
    stream.cut();
  });

  it('asks to read again when wake-ups may have been lost', async () => {
    const stream = await listen();
    await stream.until(/^event: again$/m);
    http.store.bus.lose();
    await stream.until(/^event: again$/m);
    stream.cut();
  });

  it('ends for a key that was revoked, and does not open without one', async () => {
    const stream = await listen(keyOf('viewer'));
    await stream.until(/^event: again$/m);
    const key = http.store.access.keys.find((each) => each.key === keyOf('viewer'))!;
    http.store.access.revokeKey({ workspaceId: HOME, keyId: key.id });
    finish();
    const heard = [];
    for (let frame = await stream.next(); frame !== undefined; frame = await stream.next()) heard.push(frame);
    expect(heard.join()).not.toContain(runId);
    expect((await http.ask('GET /v1/live')).json()).toMatchObject({ code: 'api_key_missing' });
  });

  it('lets go of who is gone', async () => {
    const stream = await listen();
    await stream.until(/^event: again$/m);
    expect(http.store.bus.watchers).toBe(1);
    stream.cut();
    await expect.poll(() => http.store.bus.watchers).toBe(0);
  });

  it('is heard by the client, which asks to read again after each lost connection', async () => {
    const client = createClient({ baseUrl, apiKey: HOME_KEY });
    const over = new AbortController();
    const heard: WorkspaceNews['kind'][] = [];
    const listening = (async () => {
      for await (const news of client.workspaceNews({ signal: over.signal, pauseMs: { first: 1, most: 1 } }))
        heard.push(news.kind);
    })();
    await expect.poll(() => heard).toEqual(['again']);
    finish();
    await expect.poll(() => heard).toContain('run');
    http.app.server.closeAllConnections();
    await expect.poll(() => heard.filter((kind) => kind === 'again')).toHaveLength(2);
    over.abort();
    await listening;
  });
});
