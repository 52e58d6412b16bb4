// Catches: a follower that gives up when the engine is away for a while, or never gives up when it is refused.
import { describe, expect, it } from 'vitest';
import { createClient, type RunSignal } from '../src/index.ts';

const event = (seq: number) => `id: ${seq}\nevent: journal\ndata: {"seq":${seq}}\n\n`;
const END = 'event: end\ndata: {}\n\n';
const stream = (text: string) => new Response(text, { headers: { 'content-type': 'text/event-stream' } });

/** Follows a run through the given answers, one per connection; gives the numbers seen and the ids resumed from. */
async function follow(answers: (() => Response)[], after?: number) {
  const resumed: string[] = [];
  const fetch: typeof globalThis.fetch = async (_, init) => {
    resumed.push((init!.headers as Record<string, string>)['last-event-id']!);
    return answers.shift()!();
  };
  const client = createClient({ baseUrl: 'http://engine.test', fetch });
  const seen: RunSignal[] = [];
  for await (const signal of client.runEvents('run', { after, pauseMs: { first: 0, most: 0 } }))
    seen.push(signal);
  return { seqs: seen.map((signal) => (signal.kind === 'event' ? signal.event.seq : signal.delta)), resumed };
}

describe('following a run', () => {
  it('resumes after the last event seen, and drops what it has seen', async () => {
    const answers = [
      () => stream(event(1) + event(2) + event(3).slice(0, 20)),
      () => stream(event(2) + event(3)),
      () => stream(event(4) + END),
    ];
    expect(await follow(answers)).toEqual({ seqs: [1, 2, 3, 4], resumed: ['0', '2', '3'] });
  });

  it('starts after a place that the caller knows', async () => {
    expect(await follow([() => stream(event(8) + END)], 7)).toEqual({ seqs: [8], resumed: ['7'] });
  });

  it.each([
    ['nothing listens', () => Promise.reject(new TypeError('fetch failed')) as never],
    ['the gateway is bad', () => new Response('', { status: 502 })],
    ['a proxy answers with a page', () => new Response('<p>', { headers: { 'content-type': 'text/html' } })],
    ['the engine stops', () => problemOf('shutting_down', 503)],
    ['too many follow', () => problemOf('queue_full', 429)],
  ])('goes on when %s', async (_, trouble) => {
    expect(await follow([trouble, trouble, () => stream(event(1) + END)])).toMatchObject({ seqs: [1] });
  });

  it.each([
    ['run_not_found', 404],
    ['api_key_invalid', 401],
  ])('gives up at %s', async (code, status) => {
    await expect(follow([() => problemOf(code, status)])).rejects.toMatchObject({ code });
  });
});

function problemOf(code: string, status: number): Response {
  const value = { type: 'urn', title: 't', status, code, detail: 'd', requestId: 'r' };
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/problem+json' },
  });
}
