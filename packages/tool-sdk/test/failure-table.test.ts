// Which mistake would this catch? A failure treated as the wrong kind: a 401 that is retried, a payment that is not
// known to have failed and is sent again, a secret in the journal.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  AttemptAbort,
  classOfHttpStatus,
  failureOfHttp,
  HttpError,
  leavesDoubt,
  MAX_MESSAGE_UNITS,
  NotAppliedError,
  PermanentError,
  ToolInputError,
  ToolOutputError,
  TransientError,
  toFailure,
} from '../src/index.ts';

describe('C10: the class of an HTTP status', () => {
  it.each([
    [400, 'permanent'],
    [401, 'permanent'],
    [402, 'permanent'],
    [403, 'permanent'],
    [404, 'permanent'],
    [405, 'permanent'],
    [408, 'transient'],
    [409, 'transient'],
    [410, 'permanent'],
    [412, 'permanent'],
    [413, 'permanent'],
    [422, 'permanent'],
    [425, 'transient'],
    [429, 'transient'],
    [500, 'transient'],
    [501, 'permanent'],
    [502, 'transient'],
    [503, 'transient'],
    [504, 'transient'],
    [520, 'transient'],
    [529, 'transient'],
  ] as const)('%i is %s', (status, kind) => {
    expect(classOfHttpStatus(status)).toBe(kind);
  });

  it("when the service explains itself, its words are kept, and 'Retry-After' is read", () => {
    const failure = failureOfHttp(
      429,
      { 'Retry-After': '7', 'x-request-id': 'r-1' },
      '{"error":{"message":"Slow down","type":"rate"}}',
    );
    expect(failure).toEqual({
      code: 'http_429',
      message: 'The service answered 429: Slow down',
      class: 'transient',
      retryAfterMs: 7_000,
      detail: { status: 429, body: '{"error":{"message":"Slow down","type":"rate"}}', requestId: 'r-1' },
    });
  });

  it.each([
    ['{"detail":"No such order","title":"Not Found"}', 'No such order'],
    ['{"error":"invalid_grant"}', 'invalid_grant'],
    ['<html>  Bad\n gateway </html>', '<html> Bad gateway </html>'],
    ['null', 'null'],
    ['', ''],
  ])('when the body is %s, the message is taken from it', (body, said) => {
    const { message } = failureOfHttp(502, {}, body);
    expect(message).toBe(said === '' ? 'The service answered 502' : `The service answered 502: ${said}`);
  });

  it('when a tool throws HttpError, the table decides', async () => {
    const response = new Response('{"message":"nope"}', { status: 403 });
    expect(toFailure(await HttpError.from(response))).toMatchObject({
      code: 'http_403',
      class: 'permanent',
      message: 'The service answered 403: nope',
    });
  });
});

describe('what tools throw on purpose', () => {
  it.each([
    [
      new TransientError({ message: 'm', retryAfterMs: 1.2 }),
      { code: 'tool_transient', class: 'transient', retryAfterMs: 2 },
    ],
    [new PermanentError({ message: 'm', code: 'no_stock' }), { code: 'no_stock', class: 'permanent' }],
    [new NotAppliedError({ message: 'm' }), { code: 'not_applied', class: 'transient', notApplied: true }],
    [new NotAppliedError({ message: 'm', retry: 'never' }), { class: 'permanent', notApplied: true }],
    [new ToolInputError({ message: 'm' }), { code: 'tool_input', class: 'permanent', notApplied: true }],
    [
      new ToolOutputError('a@1', [{ pointer: '/x', message: 'is missing' }]),
      { code: 'tool_output', class: 'permanent' },
    ],
  ])('%s keeps its meaning', (error, expected) => {
    expect(toFailure(error)).toMatchObject(expected);
  });

  it('when another copy of the SDK threw it, it still means the same', () => {
    const foreign = Object.defineProperty(
      Object.assign(new Error('m'), { kind: 'not_applied', code: 'not_applied', retry: 'later' }),
      Symbol.for('pawl.tool-error'),
      { value: 'tool' },
    );
    expect(toFailure(foreign)).toMatchObject({ class: 'transient', notApplied: true });
  });

  it('when the attempt was aborted meanwhile, a deliberate error still counts', () => {
    const signal = AbortSignal.abort(new AttemptAbort('timed_out', 'time'));
    expect(toFailure(new NotAppliedError({ message: 'm' }), { signal })).toMatchObject({ notApplied: true });
  });

  it('when an infinite or negative wait is asked for, it is left out', () => {
    for (const retryAfterMs of [Number.POSITIVE_INFINITY, -1, Number.NaN]) {
      expect(toFailure(new TransientError({ message: 'm', retryAfterMs }))).not.toHaveProperty(
        'retryAfterMs',
      );
    }
  });
});

describe('aborts', () => {
  it.each([
    [
      new AttemptAbort('timed_out', 'over 5 s'),
      { class: 'timed_out', code: 'timed_out', message: 'over 5 s' },
    ],
    [new AttemptAbort('cancelled', 'by ada'), { class: 'cancelled', code: 'cancelled' }],
    [new AttemptAbort('lease_lost', 'gone'), { class: 'cancelled', code: 'lease_lost' }],
    [new DOMException('late', 'TimeoutError'), { class: 'timed_out' }],
    [undefined, { class: 'cancelled' }],
  ])('with the reason %s every surprise counts as the abort', (reason, expected) => {
    const signal = AbortSignal.abort(reason);
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    for (const thrown of [signal.reason, reset, new TypeError('x'), 'text', undefined]) {
      expect(toFailure(thrown, { signal, effect: 'idempotent' })).toMatchObject(expected);
    }
  });

  it('when a tool aborts its own request, the attempt was not cancelled', () => {
    const failure = toFailure(new DOMException('This operation was aborted', 'AbortError'), {
      signal: new AbortController().signal,
    });
    expect(failure).toMatchObject({ code: 'aborted_by_tool', class: 'transient' });
    expect(leavesDoubt(failure)).toBe(true);
  });
});

describe('the network', () => {
  let server: Server;
  let url: string;
  let closed: string;
  beforeAll(async () => {
    server = createServer((request) => {
      request.resume();
      request.on('end', () => request.socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    closed = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    await new Promise((resolve) => other.close(resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const thrownBy = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );

  it('when the connection is refused, nothing happened, and that is proof', async () => {
    const error = await thrownBy(fetch(closed, { method: 'POST', body: 'x' }));
    const failure = toFailure(error, { effect: 'non_repeatable' });
    expect(failure).toMatchObject({ code: 'connection_failed', class: 'transient', notApplied: true });
    expect(failure.message).toContain('ECONNREFUSED');
    expect(leavesDoubt(failure)).toBe(false);
  });

  it('when something had been sent before, a refused connection proves nothing', async () => {
    const error = await thrownBy(fetch(closed));
    expect(toFailure(error, { mayHaveSent: true })).not.toHaveProperty('notApplied');
  });

  it('when the socket is cut after the request was sent, the effect is open', async () => {
    const error = await thrownBy(fetch(url, { method: 'POST', body: 'x' }));
    const failure = toFailure(error, { effect: 'non_repeatable' });
    expect(failure).toMatchObject({ code: 'connection_lost', class: 'transient' });
    expect(leavesDoubt(failure)).toBe(true);
  });

  const coded = (code: string, more: object = {}): Error => Object.assign(new Error(code), { code }, more);
  it.each([
    ['ENOTFOUND', coded('ENOTFOUND'), { class: 'transient', notApplied: true }],
    ['EAI_AGAIN', coded('EAI_AGAIN'), { class: 'transient', notApplied: true }],
    ['connect timeout', coded('UND_ERR_CONNECT_TIMEOUT'), { class: 'transient', notApplied: true }],
    ['ETIMEDOUT of connect', coded('ETIMEDOUT', { syscall: 'connect' }), { notApplied: true }],
    [
      'certificate',
      new TypeError('fetch failed', { cause: coded('CERT_HAS_EXPIRED') }),
      { class: 'permanent', notApplied: true },
    ],
    [
      'all addresses refused',
      new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]),
      { notApplied: true },
    ],
  ])('%s: not sent', (_name, error, expected) => {
    expect(toFailure(error, { effect: 'non_repeatable' })).toMatchObject(expected);
  });

  it.each([
    ['ECONNRESET', coded('ECONNRESET')],
    ['EPIPE', coded('EPIPE')],
    ['ETIMEDOUT while talking', coded('ETIMEDOUT', { syscall: 'read' })],
    ['socket hang up', new Error('socket hang up')],
    ['headers timeout', new TypeError('fetch failed', { cause: coded('UND_ERR_HEADERS_TIMEOUT') })],
    ['refused after reset', new AggregateError([coded('ECONNREFUSED'), coded('ECONNRESET')])],
  ])('%s: open', (_name, error) => {
    const failure = toFailure(error, { effect: 'non_repeatable' });
    expect(failure).toMatchObject({ code: 'connection_lost', class: 'transient' });
    expect(leavesDoubt(failure)).toBe(true);
  });
});

describe('surprises', () => {
  it.each([
    ['pure', new TypeError('x is not a function'), 'permanent'],
    ['idempotent', new RangeError('bad'), 'permanent'],
    ['idempotent', new Error('odd'), 'transient'],
    ['pure', 'a string', 'transient'],
    ['non_repeatable', new TypeError('x is not a function'), 'transient'],
    ['non_repeatable', new Error('odd'), 'transient'],
  ] as const)('of a %s tool: %s is %s', (effect, error, kind) => {
    const failure = toFailure(error, { effect });
    expect(failure.class).toBe(kind);
    expect(failure).not.toHaveProperty('notApplied');
    if (effect === 'non_repeatable') expect(leavesDoubt(failure)).toBe(true);
  });

  it.each([undefined, null, 0, {}, [], Symbol.for('x'), Object.create(null)])(
    'when %s is thrown, it is still a failure',
    (thrown) => {
      const failure = toFailure(thrown);
      expect(failure).toMatchObject({ code: 'tool_error', message: 'The tool failed without a message.' });
      expect(() => JSON.stringify(failure)).not.toThrow();
    },
  );
});

describe('what is written down', () => {
  it('C26: when the cut would go through an emoji, the message stays well-formed', () => {
    const lion = '\u{1F981}';
    const { message } = toFailure(new Error(`${'x'.repeat(MAX_MESSAGE_UNITS - 2)}${lion}tail`));
    expect(message.length).toBeLessThanOrEqual(MAX_MESSAGE_UNITS);
    expect(message).toBe(`${'x'.repeat(MAX_MESSAGE_UNITS - 2)}…`);
    expect(toFailure(new Error(`a${lion}`)).message).toBe(`a${lion}`);
    expect(toFailure(new Error('[^\\ud800-\\udfff]')).message).toBe('[^\\ud800-\\udfff]');
    expect(toFailure(new Error('a\ud800b')).message).toBe('a\ufffdb');
  });

  it('C25: when the message holds NUL, it is kept', () => {
    expect(toFailure(new Error('a\u0000b')).message).toBe('a\u0000b');
  });

  it('V13: when a secret is in the message, the body or the detail, it is scrubbed in every form', () => {
    const secret = 'p@ss "wörd"/1';
    const context = { secrets: [secret, 'p@ss'] };
    const forms = [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret),
      Buffer.from(secret).toString('base64'),
    ];
    const seen = JSON.stringify([
      toFailure(new Error(forms.join(' | ')), context),
      failureOfHttp(401, {}, JSON.stringify({ message: forms.join(' ') }), context),
      toFailure(new PermanentError({ message: 'm', detail: { [secret]: [secret] } }), context),
    ]);
    for (const form of [secret, 'p@ss', encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
      expect(seen).not.toContain(form);
    }
    expect(seen).toContain('[secret]');
  });

  it('V13: when a secret lies across the cut, no half of it stays', () => {
    const { message } = toFailure(new Error(`${'x'.repeat(MAX_MESSAGE_UNITS - 4)}secretvalue`), {
      secrets: ['secretvalue'],
    });
    expect(message).not.toContain('sec');
  });
});
