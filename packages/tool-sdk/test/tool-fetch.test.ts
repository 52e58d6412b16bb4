// Which mistake would this catch? A key that changes between attempts, or proof of "not sent" after something was sent.
import { describe, expect, it } from 'vitest';
import { createToolFetch } from '../src/index.ts';

const make = (signal: AbortSignal, answer: () => Promise<Response>) => {
  const sent: { url: string; init: RequestInit }[] = [];
  const tool = createToolFetch({
    idempotencyKey: 'k-1',
    signal,
    fetch: (url, init) => {
      sent.push({ url: String(url), init: init! });
      return answer();
    },
  });
  return { tool, sent };
};
const live = (): AbortSignal => new AbortController().signal;
const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

describe('createToolFetch', () => {
  it('when the tool sets no key, the key of the effect is added; its own key is kept', async () => {
    const { tool, sent } = make(live(), async () => new Response());
    await tool.fetch('http://x/', { method: 'POST', headers: { a: 'b' } });
    await tool.fetch('http://x/', { method: 'POST', headers: { 'Idempotency-Key': 'mine' } });
    const keys = sent.map(({ init }) => new Headers(init.headers).get('idempotency-key'));
    expect(keys).toEqual(['k-1', 'mine']);
    expect(new Headers(sent[0]!.init.headers).get('a')).toBe('b');
  });

  it('when the attempt is aborted before, nothing is sent', async () => {
    const { tool, sent } = make(AbortSignal.abort(new Error('stop')), async () => new Response());
    await expect(tool.fetch('http://x/')).rejects.toThrow('stop');
    expect(sent).toEqual([]);
  });

  it('when either signal aborts, the request is aborted', async () => {
    const attempt = new AbortController();
    const own = new AbortController();
    const { tool, sent } = make(attempt.signal, async () => new Response());
    await tool.fetch('http://x/', { signal: own.signal });
    own.abort();
    expect(sent[0]!.init.signal!.aborted).toBe(true);
    await tool.fetch('http://x/');
    attempt.abort();
    expect(sent[1]!.init.signal!.aborted).toBe(true);
  });

  it.each([
    ['a read was answered', 'GET', async () => new Response(), false],
    ['a write was answered', 'POST', async () => new Response(), true],
    ['a write was refused at the door', 'POST', () => Promise.reject(refused), false],
    ['a write broke after it was sent', 'PUT', () => Promise.reject(reset), true],
  ] as const)('when %s, mayHaveSent is right', async (_case, method, answer, expected) => {
    const { tool } = make(live(), answer);
    await tool.fetch('http://x/', { method }).catch(() => undefined);
    expect(tool.mayHaveSent()).toBe(expected);
  });
});
