// Catches: an event lost or doubled across a cut, a silent stream that proxies close, a follower left behind or kept for ever.
import { createClient, type RunSignal } from '@pawl/api';
import type { JournalEvent } from '@pawl/dag-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../../../test/support/until.ts';
import type { HttpLimits } from '../../../src/http/index.ts';
import { anHttp, aRun, type TestHttp } from '../../support/an-http.ts';
import { readStream, seqsOf } from '../../support/sse-reader.ts';

let http: TestHttp;
let baseUrl: string;
let runId: string;
async function listen(limits: HttpLimits = {}): Promise<void> {
  http = anHttp({ limits });
  baseUrl = await http.app.listen({ host: '127.0.0.1', port: 0 });
  runId = await aRun(http);
}
beforeEach(() => listen());
afterEach(() => http.app.close());

const skipped = (n: number): JournalEvent => ({
  type: 'nodeRun.skipped',
  path: `each/${n}/score`,
  attempt: 0,
  data: { v: 1, killedBy: ['a'] },
});
const ended: JournalEvent = {
  type: 'run.statusChanged',
  path: '',
  attempt: 0,
  data: { v: 1, status: 'succeeded', output: '\ud800\u0000🙂\r\n' },
};
const append = (...events: JournalEvent[]) => {
  for (const event of events) http.store.runs.append(runId, event);
};
const url = (query = '') => `${baseUrl}/v1/runs/${runId}/events${query}`;

describe('the stream', () => {
  it('says the journal in order with ids, then end, then closes', async () => {
    append(skipped(1), skipped(2));
    const stream = await readStream(url());
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(stream.headers['x-request-id']).toBeDefined();
    const before = await stream.until(/^id: 3$/m);
    append(ended);
    const after = await stream.until(/^event: end$/m);
    expect(seqsOf([...before, ...after])).toEqual([1, 2, 3, 4]);
    expect(await stream.next()).toBeUndefined();
  });

  it('carries odd characters as they are', async () => {
    append(ended);
    const frames = await (await readStream(url())).until(/^id: 2$/m);
    const [, data] = /^data: (.*)$/m.exec(frames.at(-1)!)!;
    expect(JSON.parse(data!)).toEqual(http.store.runs.runs.get(runId)!.journal[1]);
  });

  it.each([0, 1, 2, 3])('after a cut behind event %d it goes on exactly there', async (last) => {
    append(skipped(1), skipped(2));
    const first = await readStream(url());
    await first.until(/^id: 3$/m);
    first.cut();
    append(skipped(3));
    const second = await readStream(url('?after=99'), { 'last-event-id': String(last) });
    append(ended);
    const expected = [1, 2, 3, 4, 5].filter((seq) => seq > last);
    expect(seqsOf(await second.until(/^event: end$/m))).toEqual(expected);
  });

  it('a finished run that was read to the end answers end at once', async () => {
    append(ended);
    const stream = await readStream(url(), { 'last-event-id': '2' });
    expect(seqsOf(await stream.until(/^event: end$/m))).toEqual([]);
  });

  it('deltas pass without an id and are not repeated', async () => {
    const delta = { path: 'each/3/score', attempt: 1, text: '北京 🌍 naïve' };
    const stream = await readStream(url());
    await stream.until(/^id: 1$/m);
    http.store.bus.publish(runId, { kind: 'delta', delta });
    const [frame] = await stream.until(/^event: delta$/m);
    expect(frame).toBe(`event: delta\ndata: ${JSON.stringify(delta)}`);
    append(ended);
    const again = await (await readStream(url())).until(/^event: end$/m);
    expect(again.join()).not.toContain('delta');
  });

  it('events appended from many sides at once come once each', async () => {
    const stream = await readStream(url());
    const count = 2_000;
    for (let n = 0; n < count; n++) {
      append(skipped(n));
      if (n % 50 === 0) await new Promise(setImmediate);
    }
    append(ended);
    const seqs = seqsOf(await stream.until(/^event: end$/m));
    expect(seqs).toEqual(Array.from({ length: count + 2 }, (_, index) => index + 1));
  });

  it('a follower that leaves is forgotten', async () => {
    const stream = await readStream(url());
    await stream.until(/^id: 1$/m);
    expect(http.store.bus.count(runId)).toBe(1);
    stream.cut();
    await until(() => expect(http.store.bus.count(runId)).toBe(0));
    const metrics = await http.ask('GET /metrics');
    expect(metrics.body).toContain('pawl_http_event_streams 0');
  });

  it('a server that closes ends its streams without an end event', async () => {
    const stream = await readStream(url());
    await stream.until(/^id: 1$/m);
    const closed = http.app.close();
    expect(await stream.next()).toBeUndefined();
    await closed;
  });
});

describe('a stream under trouble', () => {
  it('C40: a silent run is kept alive by comments', async () => {
    await http.app.close();
    await listen({ keepAliveMs: 10 });
    const stream = await readStream(url());
    await stream.until(/^id: 1$/m);
    expect(await stream.next()).toBe(': keep-alive');
    expect(await stream.next()).toBe(': keep-alive');
  });

  it('C40: the default interval lies below 15 seconds', async () => {
    const { DEFAULT_LIMITS } = await import('../../../src/http/options.ts');
    expect(DEFAULT_LIMITS.keepAliveMs).toBeLessThan(15_000);
  });

  it('lost wake-ups are made up for by reading again', async () => {
    await http.app.close();
    await listen({ rereadMs: 10 });
    const stream = await readStream(url());
    await stream.until(/^id: 1$/m);
    http.store.bus.isDelivering = false;
    append(skipped(1), ended);
    expect(seqsOf(await stream.until(/^event: end$/m))).toEqual([2, 3]);
  });

  it('a database that is away does not end the stream', async () => {
    await http.app.close();
    await listen({ rereadMs: 10 });
    const stream = await readStream(url());
    await stream.until(/^id: 1$/m);
    http.store.outage = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    append(skipped(1));
    await until(() => expect(http.logged.some(({ msg }) => msg === 'journal could not be read')).toBe(true));
    http.store.outage = undefined;
    append(ended);
    expect(seqsOf(await stream.until(/^event: end$/m))).toEqual([2, 3]);
  });
});

describe('the client', () => {
  it('resumes through cuts without gap or double, and ends with the run', async () => {
    append(skipped(1));
    const client = createClient({ baseUrl, fetch: cutAfter(1) });
    const seen: RunSignal[] = [];
    for await (const signal of client.runEvents(runId, { pauseMs: { first: 1, most: 1 } })) {
      seen.push(signal);
      if (seen.length === 2) append(skipped(2), skipped(3));
      if (seen.length === 4) append(ended);
    }
    expect(seen.map((signal) => signal.kind === 'event' && signal.event.seq)).toEqual([1, 2, 3, 4, 5]);
  });

  it('outlives a restart of the engine on the same address', async () => {
    const client = createClient({ baseUrl });
    const events = client.runEvents(runId, { pauseMs: { first: 1, most: 5 } });
    expect((await events.next()).value).toMatchObject({ kind: 'event', event: { seq: 1 } });
    const next = events.next();
    const port = Number(new URL(baseUrl).port);
    await http.app.close();
    const { store } = http;
    http = anHttp({ store, live: store.bus });
    await http.app.listen({ host: '127.0.0.1', port });
    store.runs.append(runId, ended);
    expect((await next).value).toMatchObject({ kind: 'event', event: { seq: 2 } });
    expect((await events.next()).done).toBe(true);
  });

  it('yields deltas as they pass', async () => {
    const events = createClient({ baseUrl }).runEvents(runId, { after: 1 });
    const next = events.next();
    await until(() => expect(http.store.bus.count(runId)).toBe(1));
    http.store.bus.publish(runId, { kind: 'delta', delta: { path: 'a', attempt: 1, text: 'Hel' } });
    expect((await next).value).toEqual({ kind: 'delta', delta: { path: 'a', attempt: 1, text: 'Hel' } });
    await events.return();
    await until(() => expect(http.store.bus.count(runId)).toBe(0));
  });

  it('an unknown run is an error, not a reason to try for ever', async () => {
    const events = createClient({ baseUrl }).runEvents('00000000-0000-7000-8000-00000000dead');
    await expect(events.next()).rejects.toMatchObject({ code: 'run_not_found' });
  });

  it('stops when it is told to', async () => {
    const abort = new AbortController();
    const events = createClient({ baseUrl }).runEvents(runId, { after: 1, signal: abort.signal });
    const next = events.next();
    await until(() => expect(http.store.bus.count(runId)).toBe(1));
    abort.abort();
    expect((await next).done).toBe(true);
  });

  it('a connection that fell silent is opened again', async () => {
    await http.app.close();
    await listen({ keepAliveMs: 100_000 });
    let calls = 0;
    const counting: typeof fetch = (...args) => {
      calls += 1;
      return fetch(...args);
    };
    const client = createClient({ baseUrl, fetch: counting });
    const events = client.runEvents(runId, { after: 1, silenceMs: 20, pauseMs: { first: 1, most: 1 } });
    const next = events.next();
    await until(() => expect(calls).toBeGreaterThan(1));
    append(ended);
    expect((await next).value).toMatchObject({ event: { seq: 2 } });
    await events.return();
  });
});

/** A fetch whose streams break in the middle of the frame that follows the given number of events. */
function cutAfter(events: number): typeof fetch {
  return async (...args) => {
    const response = await fetch(...args);
    if (!response.body) return response;
    let seen = 0;
    const reader = response.body.getReader();
    const body = new ReadableStream({
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        const text = Buffer.from(value).toString('latin1');
        const places = [...text.matchAll(/^id: /gm)];
        seen += places.length;
        if (seen <= events) return controller.enqueue(value);
        const cut = places[Math.max(0, events - (seen - places.length))]!.index + 5;
        controller.enqueue(value.slice(0, cut));
        void reader.cancel();
        controller.error(new TypeError('terminated'));
      },
    });
    return new Response(body, { status: response.status, headers: response.headers });
  };
}
