// Would catch: a call sent twice, a permanent error retried, a wait ignored, usage counted twice, a key in a message,
// a schema the provider refuses, text broken at chunk borders, a lost answer taken for a call that was never sent.
import { costOfUsage, type ModelProvider, wellFormed } from '@pawl/tool-sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeOpenAi, startFakeOpenAi } from '../../../../../test/support/fake-openai.ts';
import { createCompatibleProvider } from '../../../src/models/compatible.ts';
import { createOpenAiProvider } from '../../../src/models/openai.ts';
import { parseStructured } from '../../../src/models/parse-structured.ts';
import { aContext, aRequest, failureOf } from './call.ts';

const KEY = 'test-key';
let fake: FakeOpenAi;

beforeEach(async () => {
  fake = await startFakeOpenAi({ apiKey: KEY });
});
afterEach(() => fake.close());

interface Lane {
  readonly name: string;
  readonly model: string;
  provider(baseUrl: string, apiKey?: string): ModelProvider;
}
const lanes: Lane[] = [
  {
    name: 'openai: Responses',
    model: 'gpt-4.1-mini',
    provider: (baseUrl, apiKey = KEY) => createOpenAiProvider({ apiKey, baseUrl, api: 'responses' }),
  },
  {
    name: 'openai: Chat Completions',
    model: 'gpt-4.1-mini',
    provider: (baseUrl, apiKey = KEY) => createOpenAiProvider({ apiKey, baseUrl, api: 'chat' }),
  },
  {
    name: 'compatible:',
    model: 'local/llama3:8b',
    provider: (baseUrl, apiKey = KEY) => createCompatibleProvider({ local: { baseUrl, apiKey } }),
  },
];

describe.each(lanes)('$name', ({ provider: make, model }) => {
  const request = (content = 'Say hello.', more = {}) => aRequest(content, { model, ...more });
  const provider = (apiKey?: string) => make(fake.baseUrl, apiKey);

  it('makes one request with the key of the call and gives back text, usage, ids and model', async () => {
    fake.script({ text: 'Hello.', usage: { input: 27, output: 47, reasoning: 5 } });
    const response = await provider().call(request(), aContext({ idempotencyKey: 'r/a/0' }));
    expect(response).toMatchObject({
      text: 'Hello.',
      finishReason: 'stop',
      usage: { input: 27, output: 47, reasoning: 5 },
      responseId: expect.stringMatching(/fake/),
      model: expect.stringContaining('-2025-01-01'),
    });
    expect(response.firstTokenMs).toBeUndefined();
    expect(response.simulated).toBeUndefined();
    expect(fake.requests.map(({ key, refused }) => ({ key, refused }))).toEqual([
      { key: 'r/a/0', refused: undefined },
    ]);
    expect(JSON.parse(JSON.stringify(response))).toEqual(response);
  });

  it('sends the bound that the estimate names when the request has none, so that a reservation holds', async () => {
    const asked = request('x'.repeat(4_000));
    await provider().call(asked, aContext());
    const { maxOutputTokens, inputTokens } = provider().estimate(asked);
    const body = fake.requests[0]!.body;
    expect(body.max_output_tokens ?? body.max_completion_tokens ?? body.max_tokens).toBe(maxOutputTokens);
    expect(inputTokens).toBeGreaterThan(1_000);
  });

  it.each([400, 401, 403, 404, 422])(
    'C10: %i is permanent, called once, the provider’s words are kept',
    async (status) => {
      fake.script({ status, message: 'The widget is not a sprocket.' });
      const error = await failureOf(provider(), request());
      expect(error).toMatchObject({ name: 'ModelCallError', class: 'permanent', status, sent: true });
      expect(error.message).toContain('The widget is not a sprocket.');
      expect(error.message).toContain(model);
      expect(fake.requests).toHaveLength(1);
    },
  );

  it.each([408, 409, 425, 429, 500, 502, 503, 529])(
    'C10: %i is transient and left to the engine: one request',
    async (status) => {
      fake.script({ status, message: 'Later, please.' });
      const error = await failureOf(provider(), request());
      expect(error).toMatchObject({ class: 'transient', status, sent: true });
      expect(error.message).toContain('Later, please.');
      expect(fake.requests).toHaveLength(1);
    },
  );

  it.each([
    [{ 'retry-after': '7' }, 7_000, 7_000],
    [{ 'retry-after-ms': '1500' }, 1_500, 1_500],
    [{ 'retry-after-ms': '1500', 'retry-after': '7' }, 1_500, 1_500],
    [{ 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }, 3_500_000, 3_600_000],
  ])('C67: the wait of %j is handed to the engine', async (headers, atLeast, atMost) => {
    fake.script({
      status: 429,
      message: 'Rate limit reached.',
      headers: headers as unknown as Record<string, string>,
    });
    const { retryAfterMs } = await failureOf(provider(), request());
    expect(retryAfterMs).toBeGreaterThanOrEqual(atLeast);
    expect(retryAfterMs).toBeLessThanOrEqual(atMost);
  });

  it.each(['abc', '-1', '999999'])('C67: the unusable wait "%s" is not handed on', async (value) => {
    fake.script({ status: 429, message: 'Rate limit reached.', headers: { 'retry-after': value } });
    const error = await failureOf(provider(), request());
    expect(error.retryAfterMs).toBeUndefined();
    expect(error.class).toBe('transient');
  });

  it('V13: the key is in no part of the error, also when the provider repeats it', async () => {
    const secret = 'sk-very-secret-key-123';
    const error = await failureOf(provider(secret), request());
    expect(error).toMatchObject({ status: 401, class: 'permanent' });
    const visible = JSON.stringify([error.message, error.detail, error.stack]);
    expect(visible).toContain('Incorrect API key provided');
    expect(visible).not.toContain(secret);
  });

  it('says that nothing was sent only when the connection was refused', async () => {
    const gone = await startFakeOpenAi();
    await gone.close();
    expect(await failureOf(make(gone.baseUrl), request())).toMatchObject({
      class: 'transient',
      code: 'model_network',
      sent: false,
    });
  });

  it.each(['before', 'after', 'middle'] as const)(
    'a connection cut %s the answer is transient and may have been sent',
    async (cut) => {
      fake.script({ cut });
      const error = await failureOf(provider(), request());
      expect(error).toMatchObject({ class: 'transient', code: 'model_network', sent: true });
      expect(fake.requests.length).toBeLessThanOrEqual(1);
    },
  );

  it('a stream cut in the middle is transient; what came before was shown and is no answer', async () => {
    fake.script({ cut: 'middle', text: 'abcdefghij'.repeat(400) });
    const seen: string[] = [];
    const error = await failureOf(provider(), request(), aContext({ onDelta: (text) => seen.push(text) }));
    expect(error).toMatchObject({ class: 'transient', sent: true });
    expect(seen.join('').length).toBeGreaterThan(0);
  });

  it('a stream that ends without a reason to finish is no answer', async () => {
    fake.script({ text: 'half of', withoutEnd: true });
    expect(await failureOf(provider(), request(), aContext({ onDelta: () => undefined }))).toMatchObject({
      code: 'model_answer_unreadable',
      class: 'transient',
      sent: true,
    });
  });

  it('an error inside a stream is transient and keeps the provider’s words', async () => {
    fake.script({ text: 'a long enough answer', breakWith: { message: 'The model is overloaded.' } });
    const error = await failureOf(provider(), request(), aContext({ onDelta: () => undefined }));
    expect(error).toMatchObject({ class: 'transient', sent: true });
    expect(error.message).toContain('The model is overloaded.');
  });

  it('a 200 that is no JSON is transient, with its beginning as evidence', async () => {
    fake.script({ rawBody: '<html>Bad gateway</html>' });
    const error = await failureOf(provider(), request());
    expect(error).toMatchObject({ class: 'transient', sent: true, code: 'model_answer_unreadable' });
    expect(JSON.stringify(error.detail)).toContain('Bad gateway');
  });

  it('an abort is obeyed at once and told apart from a time limit', async () => {
    for (const [reason, expected] of [
      [undefined, { class: 'cancelled', code: 'model_cancelled', sent: true }],
      [
        new DOMException('too slow', 'TimeoutError'),
        { class: 'timed_out', code: 'model_timed_out', sent: true },
      ],
    ] as const) {
      const before = fake.requests.length;
      let release = () => {};
      fake.script({ text: 'never', hold: new Promise<void>((resolve) => (release = resolve)) });
      const abort = new AbortController();
      const failure = failureOf(provider(), request(), aContext({ signal: abort.signal }));
      await fake.arrived(before + 1);
      abort.abort(reason);
      expect(await failure).toMatchObject(expected);
      release();
    }
  });

  it('a call that was aborted before it began sends nothing', async () => {
    const error = await failureOf(provider(), request(), aContext({ signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ class: 'cancelled', sent: false });
    expect(fake.requests).toHaveLength(0);
  });

  it('C41: one byte per chunk: deltas joined = text = original, whole code points only', async () => {
    const text = '北京 🌍 naïve';
    fake.script({ text, borders: 'every-byte', pieces: Array.from(text) });
    const seen: string[] = [];
    const response = await provider().call(request(), aContext({ onDelta: (piece) => seen.push(piece) }));
    expect(seen.join('')).toBe(text);
    expect(response.text).toBe(text);
    expect(response.firstTokenMs).toBeGreaterThanOrEqual(0);
    expect(seen.every((piece) => wellFormed(piece) === piece && !piece.includes('\uFFFD'))).toBe(true);
  });

  it('C41: a surrogate pair split over two deltas is handed on whole', async () => {
    fake.script({ text: 'a🌍b', pieces: ['a\ud83c', '\udf0d', 'b'] });
    const seen: string[] = [];
    const response = await provider().call(request(), aContext({ onDelta: (piece) => seen.push(piece) }));
    expect(response.text).toBe('a🌍b');
    expect(seen).toEqual(['a', '🌍', 'b']);
  });

  it('a watcher that throws does not cost the answer', async () => {
    fake.script({ text: 'Paid for.' });
    const onDelta = () => {
      throw new Error('the watcher broke');
    };
    expect((await provider().call(request(), aContext({ onDelta }))).text).toBe('Paid for.');
  });

  it('C70: usage told twice in a stream counts once, equal to the unstreamed call to the last unit', async () => {
    const usage = { input: 27, output: 47, cached: 12 };
    fake.script({ text: 'Hello.', usage, firstUsage: { input: 27, output: 1, cached: 12 } });
    const streamed = await provider().call(request(), aContext({ onDelta: () => undefined }));
    const whole = await provider().call(request(), aContext());
    expect(streamed.usage).toEqual({ input: 27, output: 47, cacheRead: 12 });
    expect(whole.usage).toEqual(streamed.usage);
    const price = { inputNanoUsd: 400, outputNanoUsd: 1_600, cacheReadNanoUsd: 100, version: 'test' };
    expect(costOfUsage(price, streamed.usage)).toBe(15 * 400 + 12 * 100 + 47 * 1_600);
  });

  it.each([
    [{ text: 'cut o', finish: 'length' }, 'length', 'cut o'],
    [{ text: 'half', finish: 'content_filter' }, 'content_filter', 'half'],
    [{ text: '', refusal: 'I cannot do that.' }, 'refusal', 'I cannot do that.'],
  ] as const)('maps the end %j to %s, streamed or not', async (scripted, finishReason, text) => {
    fake.script(scripted);
    expect(await provider().call(request(), aContext())).toMatchObject({ finishReason, text });
    expect(await provider().call(request(), aContext({ onDelta: () => undefined }))).toMatchObject({
      finishReason,
      text,
    });
  });

  it('C32: optional keys in array items and minLength: taken in strict mode, nulls go back to absent', async () => {
    const schema = {
      type: 'object',
      required: ['items'],
      properties: {
        items: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: 'string', minLength: 1 },
              note: { type: 'string', minLength: 3 },
              kind: { enum: ['a', 'b'] },
              wanted: { type: ['string', 'null'] },
            },
          },
        },
      },
    };
    const text =
      '{"items":[{"name":"x","note":null,"kind":null,"wanted":null},{"name":"y","note":"abc","kind":"a","wanted":"w"}]}';
    fake.script({ text });
    const response = await provider().call(request('List them.', { schema }), aContext());
    expect(fake.requests.map(({ refused }) => refused)).toEqual([undefined]);
    expect(JSON.stringify(fake.requests[0]!.body)).toContain('"strict":true');
    expect(response.text).toBe(text);
    expect(parseStructured({ text: response.text, finishReason: response.finishReason, schema })).toEqual({
      ok: true,
      value: {
        items: [
          { name: 'x', wanted: null },
          { name: 'y', note: 'abc', kind: 'a', wanted: 'w' },
        ],
      },
    });
  });

  it('C32: a schema that strict mode cannot say is sent without it', async () => {
    const schema = { type: 'object', additionalProperties: { type: 'integer' } };
    fake.script({ text: '{"a":1}' });
    await provider().call(request('Count them.', { schema }), aContext());
    expect(fake.requests.map(({ refused }) => refused)).toEqual([undefined]);
    expect(JSON.stringify(fake.requests[0]!.body)).toContain('"strict":false');
  });

  it('C62: JSON cut at the token limit keeps its raw text and is told apart from invalid JSON', async () => {
    const schema = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } };
    const codes = [];
    for (const finish of ['length', 'stop'] as const) {
      fake.script({ text: '{"a":"b', finish });
      const { text, finishReason } = await provider().call(request('Go.', { schema }), aContext());
      expect(text).toBe('{"a":"b');
      const parsed = parseStructured({ text, finishReason, schema });
      codes.push(parsed.ok ? 'ok' : parsed.problem.code);
    }
    expect(codes).toEqual(['output_truncated', 'output_invalid_json']);
  });
});

describe('openai: choice of API', () => {
  it('uses the Responses API, keeps nothing there, and Chat Completions for what only that can say', async () => {
    const openai = createOpenAiProvider({ apiKey: KEY, baseUrl: fake.baseUrl });
    await openai.call(aRequest('Hi.', { model: 'gpt-4.1' }), aContext());
    await openai.call(
      aRequest('Hi.', { model: 'gpt-4.1', parameters: { seed: 7, stop: ['END'] } }),
      aContext(),
    );
    expect(fake.requests.map(({ endpoint }) => endpoint)).toEqual(['responses', 'chat']);
    expect(fake.requests[0]!.body).toMatchObject({ store: false });
    expect(fake.requests[1]!.body).toMatchObject({ seed: 7, stop: ['END'] });
  });

  it('without a key nothing is sent and the way out is named', async () => {
    const error = await failureOf(
      createOpenAiProvider({ baseUrl: fake.baseUrl }),
      aRequest('Hi.', { model: 'gpt-4.1' }),
    );
    expect(error).toMatchObject({ class: 'permanent', sent: false });
    expect(error.message).toContain('OPENAI_API_KEY');
    expect(fake.requests).toHaveLength(0);
  });
});

describe('compatible: servers', () => {
  it('works without a key, sends headers, and tells the schema in words where it cannot be enforced', async () => {
    await fake.close();
    fake = await startFakeOpenAi({ apiKey: null });
    const schema = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } };
    const words = createCompatibleProvider({
      old: { baseUrl: fake.baseUrl, structured: 'words', headers: { 'x-team': 'blue' } },
    });
    fake.script({ text: '{"a":"b"}' });
    await words.call(aRequest('Go.', { model: 'old/m', schema }), aContext());
    const [sent] = fake.requests;
    expect(sent!.refused).toBeUndefined();
    expect(sent!.body.response_format).toBeUndefined();
    expect(JSON.stringify(sent!.body.messages)).toContain('JSON Schema');
    expect(sent!.headers).toMatchObject({ 'x-team': 'blue' });
    expect(sent!.headers.authorization).toBeUndefined();
  });

  it('names the servers there are when one is unknown', () => {
    const compatible = createCompatibleProvider({ ollama: { baseUrl: 'http://127.0.0.1:9/v1' } });
    expect(compatible.check?.('olama/llama3')).toContain('configured are ollama');
    expect(compatible.check?.('ollama')).toContain('compatible:<server>/<model>');
    expect(compatible.check?.('toString/x')).toContain('not configured');
    expect(compatible.check?.('ollama/llama3:8b')).toBeUndefined();
  });
});
