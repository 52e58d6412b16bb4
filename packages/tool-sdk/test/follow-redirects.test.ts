// Which mistake would this catch? A password, a cookie or a body that a redirect carries to somebody else.
import { describe, expect, it } from 'vitest';
import { createToolFetch, followRedirects, HttpError, readBody, toFailure } from '../src/index.ts';

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Answers one after the other; the last one again and again. */
function service(...answers: (readonly [status: number, location?: string])[]) {
  const sent: Sent[] = [];
  const send = async (url: string, init: RequestInit): Promise<Response> => {
    const { method = 'GET', headers, body } = init;
    sent.push({ url, method, headers: new Headers(headers), body });
    const [status, location] = answers[Math.min(sent.length, answers.length) - 1]!;
    return new Response(status === 204 ? null : 'x', { status, headers: location ? { location } : {} });
  };
  return { sent, send };
}
const HEADERS = {
  accept: 'application/json',
  authorization: 'Bearer t',
  cookie: 'c=1',
  'content-type': 'text/plain',
  'idempotency-key': 'k-1',
  'x-api-key': 'secret',
};
const after = async (
  from: string,
  init: RequestInit,
  ...answers: (readonly [number, string?])[]
): Promise<{ sent: Sent[]; response: Response }> => {
  const { sent, send } = service(...answers);
  return { response: await followRedirects(send, from, init), sent };
};

describe('R2: what becomes of the method', () => {
  it.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [307, 'POST', 'POST'],
    [308, 'POST', 'POST'],
    [301, 'PUT', 'PUT'],
    [302, 'DELETE', 'DELETE'],
    [303, 'PUT', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [302, 'GET', 'GET'],
  ])('%d makes a %s a %s', async (status, method, then) => {
    const body = method === 'POST' || method === 'PUT' ? 'b' : undefined;
    const { sent } = await after(
      'https://a.example/x',
      { method, body, headers: HEADERS },
      [status, '/y?z=1'],
      [200],
    );
    expect(sent[1]).toMatchObject({
      url: 'https://a.example/y?z=1',
      method: then,
      body: then === method ? body : undefined,
    });
    const isKept = then === method;
    expect([sent[1]!.headers.has('content-type'), sent[1]!.headers.has('idempotency-key')]).toEqual([
      isKept,
      isKept,
    ]);
    expect(sent[1]!.headers.get('x-api-key')).toBe('secret');
  });
});

describe('R3: what goes to another origin', () => {
  it.each([
    'https://b.example/',
    'https://a.example:8443/',
    'http://a.example/',
    '//b.example/',
    'https://a.example.evil.example/',
  ])('to %s go neither credentials nor headers of the author', async (location) => {
    const { sent } = await after('https://a.example/x', { headers: HEADERS }, [302, location], [200]);
    expect([...sent[1]!.headers.keys()].sort()).toEqual(['accept', 'content-type', 'idempotency-key']);
  });

  it('when the way leads back, what was dropped stays dropped', async () => {
    const { sent } = await after(
      'https://a.example/x',
      { headers: HEADERS },
      [302, 'https://b.example/'],
      [302, 'https://a.example/y'],
      [200],
    );
    expect(sent[2]!.headers.has('authorization')).toBe(false);
  });

  it('when a host only asks for https, it is the same host', async () => {
    const { sent } = await after(
      'http://a.example/x',
      { headers: HEADERS },
      [301, 'https://a.example/x'],
      [200],
    );
    expect(sent[1]!.headers.get('authorization')).toBe('Bearer t');
  });
});

describe('R4: what is not followed', () => {
  it.each([
    ['a body to another origin', 'POST', 307, 'https://b.example/'],
    ['another scheme', 'GET', 302, 'file:///etc/passwd'],
    ['an address with a password', 'GET', 302, 'https://u:p@a.example/'],
  ])('%s', async (_case, method, status, location) => {
    const { sent, send } = service([status, location], [200]);
    const body = method === 'POST' ? 'b' : undefined;
    const failing = followRedirects(send, 'https://a.example/x?token=t', { method, body });
    await expect(failing).rejects.toMatchObject({
      code: 'redirect_refused',
      message: expect.not.stringContaining('token'),
    });
    expect(sent).toHaveLength(1);
  });

  it('when it goes round and round, it ends', async () => {
    const { sent, send } = service([302, 'https://a.example/x']);
    await expect(followRedirects(send, 'https://a.example/x')).rejects.toMatchObject({
      code: 'too_many_redirects',
    });
    expect(sent).toHaveLength(21);
    const none = service([302, '/y']);
    await expect(followRedirects(none.send, 'https://a.example/x', {}, { max: 0 })).rejects.toMatchObject({
      code: 'too_many_redirects',
    });
    expect(none.sent).toHaveLength(1);
  });

  it.each([
    [302, undefined],
    [302, 'http://'],
    [304, '/y'],
    [201, '/y'],
  ] as const)('when it answers %d with %j, that is the answer', async (status, location) => {
    const { response, sent } = await after('https://a.example/', {}, [
      status === 304 ? 204 : status,
      location,
    ]);
    expect(sent).toHaveLength(1);
    expect(response.status).toBe(status === 304 ? 204 : status);
  });
});

describe('R1: ctx.fetch', () => {
  const make = (answers: (readonly [number, string?])[]) => {
    const { sent, send } = service(...answers);
    const signal = new AbortController().signal;
    return {
      sent,
      tool: createToolFetch({
        idempotencyKey: 'k-1',
        signal,
        fetch: (url, init) => send(String(url), init!),
      }),
    };
  };

  it('when a write was redirected, it counts as sent, whatever happens to the next request', async () => {
    const { tool } = make([[303, 'ftp://a.example/']]);
    await expect(tool.fetch('https://a.example/', { method: 'POST', body: 'b' })).rejects.toMatchObject({
      code: 'redirect_refused',
    });
    expect(tool.mayHaveSent()).toBe(true);
  });

  it('when the tool wants to see redirects, it does', async () => {
    const { tool, sent } = make([[302, '/y']]);
    expect((await tool.fetch('https://a.example/', { redirect: 'manual' })).status).toBe(302);
    expect(sent).toHaveLength(1);
  });

  it('when a request only reads, no key goes along', async () => {
    const { tool, sent } = make([[200]]);
    await tool.fetch('https://a.example/');
    expect(sent[0]!.headers.has('idempotency-key')).toBe(false);
  });
});

describe('bodies that do not end', () => {
  const endless = (): Response => {
    const part = new Uint8Array(64 * 1024).fill(97);
    return new Response(new ReadableStream({ pull: (controller) => controller.enqueue(part) }), {
      status: 500,
    });
  };

  it('when an error never ends, its beginning is kept', async () => {
    const failure = toFailure(await HttpError.from(endless()), { effect: 'pure' });
    expect(failure).toMatchObject({ code: 'http_500', class: 'transient' });
  });

  it('when a body is larger than asked for, it is cut there', async () => {
    const { bytes, isCut } = await readBody(endless(), 100_000);
    expect([bytes.byteLength, isCut]).toEqual([100_000, true]);
    expect(await readBody(new Response('abc'), 3)).toMatchObject({ isCut: false });
    expect((await readBody(new Response(null), 3)).bytes.byteLength).toBe(0);
  });
});
