// Would catch: a simulator whose answers depend on the key, the clock or the process; one that breaks the schema it was
// given, ignores an abort, or passes for a real model.
import type { ModelRequest } from '@pawl/tool-sdk';
import { compileSchema, costOfUsage, type JsonSchema, wellFormed } from '@pawl/tool-sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSimProvider } from '../../../src/models/sim.ts';
import { countTokens } from '../../../src/models/tokens.ts';
import { aContext, aRequest, failureOf } from './call.ts';

const ARTICLE = `# The harbour bridge

The harbour bridge was opened in 1932 after eight years of work. More than 1,400 people built the bridge, and sixteen of
them died. The steel arch of the bridge is 503 metres long and carries eight lanes of road, two railway tracks and a
footpath. Ferries had carried forty million passengers a year across the harbour before. Today the bridge carries about
160,000 vehicles a day. Painters need ten years to go once over the steel of the arch, and then begin again.`;
const CHINESE =
  '人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。人人有权享有生命、自由和人身安全。任何人不得使为奴隶或奴役。';

const sim = createSimProvider();
const ask = async (content: string, more: Partial<ModelRequest> = {}) =>
  sim.call(aRequest(content, more), aContext());
const askJson = async (content: string, schema: JsonSchema, more: Partial<ModelRequest> = {}) =>
  JSON.parse((await ask(content, { ...more, schema })).text);

describe('what an answer depends on', () => {
  it('same request and seed: same answer for any key, instance and latency', async () => {
    const request = aRequest(`Summarise this in two sentences:\n\n${ARTICLE}`);
    const first = await sim.call(request, aContext({ idempotencyKey: 'a' }));
    const again = await createSimProvider().call(request, aContext({ idempotencyKey: 'b' }));
    const slow = await sim.call({ ...request, model: 'writer?latencyMs=5' }, aContext());
    expect(again.text).toBe(first.text);
    expect(again.responseId).toBe(first.responseId);
    expect(slow.text).toBe(first.text);
  });

  it('other seeds and other names may choose otherwise', async () => {
    const texts = new Set<string>();
    for (let seed = 0; seed < 20; seed += 1) {
      const request = aRequest(`Summarise this in one sentence:\n\n${ARTICLE}`, {
        model: `writer?seed=${seed}`,
        parameters: { temperature: 2 },
      });
      texts.add((await sim.call(request, aContext())).text);
    }
    expect(texts.size).toBeGreaterThan(1);
  });

  it('nonce=1 makes each answer unique, inside the schema too', async () => {
    const schema = {
      type: 'object',
      required: ['a'],
      properties: { k: { enum: ['x'] }, a: { type: 'string' } },
    };
    const model = 'writer?nonce=1';
    const texts = [
      await ask(ARTICLE, { model }),
      await ask(ARTICLE, { model }),
      await ask(ARTICLE, { model, schema }),
      await ask(ARTICLE, { model, schema }),
    ];
    expect(new Set(texts.map(({ text }) => text)).size).toBe(4);
    expect(compileSchema(schema, 'output').parse(JSON.parse(texts[3]!.text)).ok).toBe(true);
  });

  it('says that it is a simulation, and nothing else claims to be the model', async () => {
    const response = await ask(ARTICLE);
    expect(response).toMatchObject({ simulated: true, model: 'sim-writer', finishReason: 'stop' });
    expect(JSON.parse(JSON.stringify(response))).toEqual(response);
  });
});

describe('extractive answers', () => {
  it('a summary has as many sentences as were asked for, each from the text, none from the task', async () => {
    const { text } = await ask(`Summarise the following document in two sentences.\n\n${ARTICLE}`);
    const sentences = text.split(/(?<=\.)\s+/);
    expect(sentences).toHaveLength(2);
    for (const sentence of sentences) expect(ARTICLE.replace(/\s+/g, ' ')).toContain(sentence);
  });

  it('keeps to a number of words', async () => {
    const { text } = await ask(`Summarise in at most 12 words:\n\n${ARTICLE}`);
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(12);
    expect(text.length).toBeGreaterThan(10);
  });

  it('titles, keywords, summaries and points come from the text by the names of the fields', async () => {
    const value = await askJson(`Summarise this document:\n\n${ARTICLE}`, {
      type: 'object',
      properties: {
        title: { type: 'string' },
        summary: { type: 'string', description: 'One sentence.' },
        keywords: { type: 'array', items: { type: 'string' }, maxItems: 4 },
        points: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 3 },
        language: { type: 'string' },
        year: { type: 'integer' },
      },
    });
    expect(value.title).toBe('The harbour bridge');
    expect(ARTICLE.replace(/\s+/g, ' ')).toContain(value.summary);
    expect(value.keywords).toContain('bridge');
    expect(value.points.length).toBeGreaterThanOrEqual(2);
    expect(value).toMatchObject({ language: 'en', year: 1932 });
  });

  it('works on text without spaces', async () => {
    const value = await askJson(`<document>\n${CHINESE}\n</document>`, {
      type: 'object',
      properties: {
        summary: { type: 'string', description: 'One sentence.' },
        keywords: { type: 'array', items: { type: 'string' } },
        language: { enum: ['en', 'fr', 'zh'] },
      },
    });
    expect(CHINESE).toContain(value.summary.replace(/。$/, ''));
    expect(value.keywords).toContain('自由');
    expect(value.language).toBe('zh');
  });

  it.each([
    ['fix: handle null in the parser', 'fix'],
    ['feat(api)!: add pagination', 'feat'],
    ['Add support for dark mode', 'feat'],
    ['Bump lodash from 4.17.20 to 4.17.21', 'chore'],
    ['docs: correct the installation guide', 'docs'],
    ['Speed up the cache by reading ahead', 'perf'],
    ['Bananas are yellow', 'other'],
  ])('classifies "%s" as %s', async (commit, expected) => {
    const schema = {
      type: 'object',
      required: ['type'],
      properties: { type: { enum: ['feat', 'fix', 'docs', 'perf', 'chore', 'other'] } },
    };
    const system = {
      role: 'system' as const,
      content: 'Classify commits as feat, fix, docs, perf, chore or other.',
    };
    const user = { role: 'user' as const, content: `Classify this commit message:\n${commit}` };
    const { text } = await sim.call(
      { model: 'writer', messages: [system, user], parameters: {}, schema },
      aContext(),
    );
    expect(JSON.parse(text).type).toBe(expected);
  });

  it('uses what the prompt says about a label', async () => {
    const schema = { enum: ['alpha', 'beta'] };
    const system = {
      role: 'system' as const,
      content: 'alpha: about gardening and flowers. beta: about bridges and steel.',
    };
    const { text } = await sim.call(
      { model: 'writer', messages: [system, { role: 'user', content: ARTICLE }], parameters: {}, schema },
      aContext(),
    );
    expect(JSON.parse(text)).toBe('beta');
  });

  it('better material gets a better score, always inside the bounds', async () => {
    const schema = {
      type: 'object',
      properties: {
        quality: { type: 'number', minimum: 0.2, maximum: 0.8 },
        score: { type: 'integer', minimum: 1, maximum: 5 },
      },
    };
    const good = await askJson(ARTICLE, schema);
    const bad = await askJson('x\n\ny\n\nz', schema);
    expect(good.quality).toBeGreaterThan(bad.quality);
    expect(good.score).toBeGreaterThan(bad.score);
    expect([good.quality, bad.quality].every((value) => value >= 0.2 && value <= 0.8)).toBe(true);
  });

  it('goes through a list of things one by one and copies what they hold', async () => {
    const commits = [
      { id: 7, subject: 'fix: a' },
      { id: 8, subject: 'docs: b' },
    ];
    const schema = {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: {
            type: 'object',
            required: ['id', 'type'],
            properties: { id: { type: 'integer' }, type: { enum: ['fix', 'docs'] } },
          },
        },
      },
    };
    expect(await askJson(`Classify these commits:\n${JSON.stringify(commits)}`, schema)).toEqual({
      items: [
        { id: 7, type: 'fix' },
        { id: 8, type: 'docs' },
      ],
    });
  });

  it('writes groups as headed lists', async () => {
    const groups = { feat: [{ subject: 'add x' }], fix: [{ subject: 'repair y' }, { subject: 'repair z' }] };
    const { text } = await ask(`Write release notes from these groups:\n\n${JSON.stringify(groups)}`);
    expect(text).toBe('## feat\n\n- add x\n\n## fix\n\n- repair y\n- repair z');
  });

  it('answers an empty text without breaking', async () => {
    expect((await ask('')).text.length).toBeGreaterThan(0);
    expect(
      await askJson('<passage>\n\n</passage>', {
        type: 'object',
        properties: {
          summary: { type: 'string', minLength: 1 },
          keywords: { type: 'array', minItems: 1, items: { type: 'string' } },
        },
      }),
    ).toMatchObject({
      summary: expect.stringMatching(/./),
      keywords: [expect.any(String)],
    });
  });

  it('a date that is not in the text is null where null is allowed', async () => {
    const schema = { type: 'object', properties: { date: { type: ['string', 'null'], format: 'date' } } };
    expect(await askJson('Nothing about time.', schema)).toEqual({ date: null });
    expect(await askJson('Adopted on December 10, 1948 in Paris.', schema)).toEqual({ date: '1948-12-10' });
  });
});

describe('schemas', () => {
  const leaf = fc.oneof(
    fc.record({
      type: fc.constant('string'),
      minLength: fc.nat(40),
      maxLength: fc.integer({ min: 40, max: 90 }),
    }),
    fc.constantFrom<JsonSchema>(
      { type: 'string' },
      { type: 'string', pattern: '^[A-Z]{2,4}-\\d{3}$' },
      { type: 'string', format: 'uuid' },
      { type: 'boolean' },
      { type: 'null' },
      { const: { a: [1] } },
      { enum: ['x', 2, null] },
      { type: ['null', 'integer'], exclusiveMinimum: 3, maximum: 5 },
      { type: 'number', multipleOf: 0.5, minimum: 1.2, maximum: 9 },
      { $ref: '#/$defs/named' },
      { anyOf: [{ type: 'null' }, { $ref: '#/$defs/named' }] },
    ),
    fc
      .tuple(fc.integer({ min: -50, max: 50 }), fc.nat(60))
      .map(([minimum, span]) => ({ type: 'integer', minimum, maximum: minimum + span })),
  );
  const { node } = fc.letrec<{ node: JsonSchema }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf as fc.Arbitrary<JsonSchema>,
      fc
        .tuple(tie('node'), fc.nat(3), fc.nat(3))
        .map(
          ([items, minItems, more]) =>
            ({ type: 'array', items, minItems, maxItems: minItems + more }) as JsonSchema,
        ),
      fc
        .dictionary(
          fc.constantFrom('title', 'summary', 'score', 'items', 'is_long', 'x', 'constructor'),
          tie('node'),
          { maxKeys: 4 },
        )
        .map(
          (properties) =>
            ({
              type: 'object',
              properties,
              required: Object.keys(properties),
              additionalProperties: false,
            }) as JsonSchema,
        ),
      fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf }) as JsonSchema),
    ),
  }));
  const $defs = {
    named: {
      type: 'object',
      required: ['name'],
      additionalProperties: false,
      properties: { name: { type: 'string' }, inner: { $ref: '#/$defs/named' } },
    },
  };

  it('any schema of the covered kind is obeyed', async () => {
    await fc.assert(
      fc.asyncProperty(
        node,
        fc.constantFrom(ARTICLE, CHINESE, 'x', '[{"title":"a"},{"title":"b"}]'),
        async (schema, content) => {
          const root = { ...(schema as object), $defs } as JsonSchema;
          const { text, finishReason } = await ask(content, {
            schema: root,
            parameters: { maxOutputTokens: 100_000 },
          });
          expect(finishReason).toBe('stop');
          const checked = compileSchema(root, 'output').parse(JSON.parse(text));
          expect(checked.ok ? [] : checked.issues).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('a recursive schema comes to an end', async () => {
    const schema = {
      $ref: '#/$defs/tree',
      $defs: {
        tree: {
          type: 'object',
          required: ['name', 'children'],
          properties: {
            name: { type: 'string' },
            children: { type: 'array', items: { $ref: '#/$defs/tree' } },
          },
        },
      },
    };
    const value = await askJson(ARTICLE, schema, { parameters: { maxOutputTokens: 100_000 } });
    expect(compileSchema(schema, 'output').parse(value).ok).toBe(true);
  });

  it('chooses the alternative whose mark the text speaks of', async () => {
    const schema = {
      oneOf: ['fix', 'feature'].map((kind) => ({
        type: 'object',
        required: ['kind'],
        properties: { kind: { const: kind } },
      })),
    };
    expect(await askJson('Add a new button', schema)).toEqual({ kind: 'feature' });
  });
});

describe('streams, time and failures', () => {
  it('deltas join to the text and never cut a code point', async () => {
    const seen: string[] = [];
    const content = `Summarise in five sentences:\n\n${Array.from({ length: 40 }, (_, i) => `🌍🌏🌎 The world turns 北京 ${i} more times for town ${'x'.repeat(i + 3)}.`).join(' ')}`;
    const response = await sim.call(aRequest(content), aContext({ onDelta: (text) => seen.push(text) }));
    expect(seen.join('')).toBe(response.text);
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.every((piece) => wellFormed(piece) === piece)).toBe(true);
    expect(response.firstTokenMs).toBeTypeOf('number');
  });

  it('an abort during a long latency is obeyed at once', async () => {
    const abort = new AbortController();
    const failure = failureOf(
      sim,
      aRequest('Hi.', { model: 'writer?latencyMs=600000' }),
      aContext({ signal: abort.signal }),
    );
    abort.abort();
    expect(await failure).toMatchObject({ class: 'cancelled', sent: true });
    const stopped = new AbortController();
    const streamed = failureOf(
      sim,
      aRequest(ARTICLE, { model: 'writer?latencyMs=100' }),
      aContext({
        signal: stopped.signal,
        onDelta: () => stopped.abort(new DOMException('late', 'TimeoutError')),
      }),
    );
    expect(await streamed).toMatchObject({ class: 'timed_out' });
    expect(await failureOf(sim, aRequest('Hi.'), aContext({ signal: AbortSignal.abort() }))).toMatchObject({
      sent: false,
    });
  });

  it('fail=429:2 fails the first two calls of each key', async () => {
    const own = createSimProvider();
    const request = aRequest('Hi.', { model: 'writer?fail=429:2&retryAfterMs=1500' });
    for (const idempotencyKey of ['a', 'b']) {
      for (let i = 0; i < 2; i += 1) {
        expect(await failureOf(own, request, aContext({ idempotencyKey }))).toMatchObject({
          class: 'transient',
          status: 429,
          retryAfterMs: 1_500,
          sent: true,
        });
      }
      expect((await own.call(request, aContext({ idempotencyKey }))).finishReason).toBe('stop');
    }
  });

  it.each([
    ['fail=400', 'permanent', true],
    ['fail=529', 'transient', true],
    ['fail=network', 'transient', false],
    ['fail=cut', 'transient', true],
  ])('%s is %s, sent: %s', async (option, kind, sent) => {
    expect(
      await failureOf(createSimProvider(), aRequest('Hi.', { model: `writer?${option}` })),
    ).toMatchObject({ class: kind, sent });
  });

  it('failRate fails about that share, differently per key, equally in every process', async () => {
    const outcomes = async () => {
      const own = createSimProvider();
      const failed: number[] = [];
      for (let key = 0; key < 400; key += 1) {
        const call = own.call(
          aRequest('Hi.', { model: 'writer?failRate=0.25' }),
          aContext({ idempotencyKey: `k${key}` }),
        );
        await call.catch(() => failed.push(key));
      }
      return failed;
    };
    const first = await outcomes();
    expect(first.length).toBeGreaterThan(60);
    expect(first.length).toBeLessThan(140);
    expect(await outcomes()).toEqual(first);
  });

  it('refuses and truncates when told to; a small bound truncates by itself', async () => {
    expect(await ask(ARTICLE, { model: 'writer?refuseRate=1' })).toMatchObject({ finishReason: 'refusal' });
    const schema = { type: 'object', required: ['summary'], properties: { summary: { type: 'string' } } };
    const cut = await ask(ARTICLE, { model: 'writer?truncate=1', schema });
    expect(cut.finishReason).toBe('length');
    expect(() => JSON.parse(cut.text)).toThrow();
    const bounded = await ask(ARTICLE, { parameters: { maxOutputTokens: 5 } });
    expect(bounded.finishReason).toBe('length');
    expect(bounded.usage.output).toBeLessThanOrEqual(5);
    expect((await ask(ARTICLE, { parameters: { stop: ['bridge'] } })).text).not.toContain('bridge');
  });

  it.each([
    'writer?latency=5',
    'writer?failRate=2',
    'writer?latencyMs=abc',
    'writer?fail=99:1',
    '',
    '../x',
    'writer?failWith=ok',
  ])('the name "%s" is refused with a sentence before anything is sent', async (model) => {
    expect(sim.check?.(model)).toMatch(/^Simulated model /);
    expect(await failureOf(sim, aRequest('Hi.', { model }))).toMatchObject({
      class: 'permanent',
      code: 'model_invalid',
      sent: false,
    });
  });
});

describe('tokens and prices', () => {
  it('counts by the stated rule', () => {
    expect(countTokens('')).toBe(0);
    expect(countTokens('abcd')).toBe(1);
    expect(countTokens('abcde')).toBe(2);
    expect(countTokens('北京')).toBe(2);
    expect(countTokens('мост')).toBe(2);
    expect(countTokens('🌍')).toBe(1);
  });

  it('an answer never costs more than was estimated', async () => {
    const request = aRequest(`Summarise:\n\n${ARTICLE}`, { parameters: { maxOutputTokens: 50 } });
    const { usage } = await sim.call(request, aContext());
    const estimate = sim.estimate(request);
    expect(usage.input).toBe(estimate.inputTokens);
    expect(usage.output).toBeLessThanOrEqual(estimate.maxOutputTokens);
    const price = sim.price('writer')!;
    expect(price).toEqual({ inputNanoUsd: 100, outputNanoUsd: 400, version: 'sim-1' });
    expect(costOfUsage(price, usage)).toBe(usage.input * 100 + usage.output * 400);
  });
});
