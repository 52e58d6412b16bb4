// Would catch: a model id that resolves to the wrong provider, a price that is off by a power of ten, a key that shows.
import { readFileSync } from 'node:fs';
import { costOfUsage, defineModelProvider } from '@pawl/tool-sdk';
import { describe, expect, it } from 'vitest';
import { readModelsConfig } from '../../../src/models/config.ts';
import { parseStructured } from '../../../src/models/parse-structured.ts';
import { PRICES_VERSION, priceOf } from '../../../src/models/prices.ts';
import { createModels } from '../../../src/models/registry.ts';
import { repairRequest } from '../../../src/models/repair-prompt.ts';
import { createSimProvider } from '../../../src/models/sim.ts';
import { aContext, aRequest } from './call.ts';

const models = createModels({
  openai: { apiKey: 'k' },
  compatible: {
    ollama: {
      baseUrl: 'http://127.0.0.1:9/v1',
      models: ['llama3:8b'],
      prices: { 'llama3:8b': { inputUsdPerMillion: 0.05, outputUsdPerMillion: 0.1 } },
    },
  },
});

describe('registry', () => {
  it.each([
    ['sim:writer?latencyMs=5', 'sim', 'writer?latencyMs=5'],
    ['openai:gpt-5-mini', 'openai', 'gpt-5-mini'],
    ['openai:ft:gpt-4o:org::id', 'openai', 'ft:gpt-4o:org::id'],
    ['compatible:ollama/llama3:8b', 'compatible', 'ollama/llama3:8b'],
    ['compatible:ollama/org/model', 'compatible', 'ollama/org/model'],
  ])('%s resolves, and provider and model give the id again', (id, name, model) => {
    const found = models.resolve(id);
    expect([found.provider.name, found.model]).toEqual([name, model]);
    expect(`${found.provider.name}:${found.model}`).toBe(id);
    expect(models.has(id)).toBe(true);
    expect(models.problem(id)).toBeUndefined();
  });

  it.each([
    ['opnai:gpt-5', 'configured are sim, openai, compatible'],
    ['gpt-5', '<provider>:<model>'],
    ['openai:', '<provider>:<model>'],
    [':x', '<provider>:<model>'],
    ['sim:writer?speed=9', 'has no option "speed"'],
    ['compatible:vllm/x', 'configured are ollama'],
  ])('%s does not, and the sentence says why', (id, part) => {
    expect(models.has(id)).toBe(false);
    expect(models.problem(id)).toContain(part);
    expect(() => models.resolve(id)).toThrow(part);
  });

  it('lists models with their prices', () => {
    const listed = models.list();
    expect(listed.find(({ id }) => id === 'sim:writer')?.price?.version).toBe('sim-1');
    expect(listed.find(({ id }) => id === 'openai:gpt-5-mini')?.price).toMatchObject({
      inputNanoUsd: 250,
      outputNanoUsd: 2_000,
    });
    expect(listed.find(({ id }) => id === 'compatible:ollama/llama3:8b')?.price).toMatchObject({
      inputNanoUsd: 50,
      version: 'configured',
    });
  });

  it('takes providers of one’s own, and never two of one name', () => {
    const echo = defineModelProvider({ ...createSimProvider(), name: 'echo' });
    expect(createModels({ providers: [echo] }).resolve('echo:writer').provider).toBe(echo);
    expect(() => createModels({ providers: [createSimProvider()] })).toThrow(
      'two model providers named "sim"',
    );
    expect(createModels({ sim: false }).has('sim:writer')).toBe(false);
  });
});

describe('prices', () => {
  it('are nano-USD per token, exactly', () => {
    expect(priceOf('openai', 'gpt-4o')).toEqual({
      inputNanoUsd: 2_500,
      outputNanoUsd: 10_000,
      cacheReadNanoUsd: 1_250,
      version: PRICES_VERSION,
    });
    expect(costOfUsage(priceOf('openai', 'gpt-4o')!, { input: 1_000_000, output: 0 })).toBe(2_500_000_000);
  });

  it('an unknown model has none', () => {
    expect(priceOf('openai', 'no-such-model-9')).toBeUndefined();
    expect(priceOf('no-such-provider', 'gpt-4o')).toBeUndefined();
  });

  it('long inputs pay the higher rates where there are tiers', () => {
    const price = priceOf('google', 'gemini-2.5-pro')!;
    expect(price.above).toEqual([
      expect.objectContaining({ inputTokens: 200_000, inputNanoUsd: 2_500, outputNanoUsd: 15_000 }),
    ]);
    expect(costOfUsage(price, { input: 200_000, output: 1 })).toBe(200_000 * 1_250 + 10_000);
    expect(costOfUsage(price, { input: 200_001, output: 1 })).toBe(200_001 * 2_500 + 15_000);
  });

  it('the version that is recorded is the one that is installed', () => {
    const file = new URL('../../../package.json', import.meta.url);
    const { dependencies } = JSON.parse(readFileSync(file, 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(PRICES_VERSION).toBe(`genai-prices-${dependencies['@pydantic/genai-prices']}`);
  });
});

describe('configuration', () => {
  it('reads what is set, and nothing when nothing is', () => {
    expect(readModelsConfig({})).toEqual({});
    expect(readModelsConfig({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://x/v1' })).toEqual({
      openai: { apiKey: 'k', baseUrl: 'http://x/v1' },
    });
    expect(readModelsConfig({ PAWL_COMPATIBLE: '{"a":{"baseUrl":"http://127.0.0.1:1/v1"}}' })).toEqual({
      compatible: { a: { baseUrl: 'http://127.0.0.1:1/v1' } },
    });
  });

  it.each([
    '{',
    '[]',
    '{"a":{"baseUrl":"file:///x","apiKey":"sk-secret"}}',
    '{"a":{"apiKey":"sk-secret"}}',
    '{"a":{"baseUrl":"http://x","key":"sk-secret"}}',
  ])('refuses %s by name, without its values', (text) => {
    expect(() => readModelsConfig({ PAWL_COMPATIBLE: text })).toThrow(/^PAWL_COMPATIBLE /);
    expect(() => readModelsConfig({ PAWL_COMPATIBLE: text })).not.toThrow(/sk-secret/);
  });
});

describe('repair', () => {
  const schema = { type: 'object', required: ['title'], properties: { title: { type: 'string' } } };

  it('names the problems, keeps the conversation, and is a request like any other', async () => {
    const request = aRequest('Bridges carry roads.', { schema });
    const text = '{"title":7}';
    const parsed = parseStructured({ text, finishReason: 'stop', schema });
    if (parsed.ok) throw new Error('The answer must not fit.');
    const repair = repairRequest(request, text, parsed.problem);
    expect(repair).toMatchObject({ model: request.model, parameters: {}, schema });
    expect(repair.messages.slice(0, 1)).toEqual(request.messages);
    expect(repair.messages[1]).toEqual({ role: 'assistant', content: text });
    expect(repair.messages[2]!.content).toContain('/title');
    expect(repairRequest(request, text, parsed.problem)).toEqual(repair);
    const again = await createSimProvider().call(repair, aContext());
    expect(parseStructured({ text: again.text, finishReason: again.finishReason, schema })).toEqual({
      ok: true,
      value: { title: 'Bridges carry roads' },
    });
  });

  it('an empty answer is not sent as an empty message, a runaway one not as a whole', () => {
    const problem = { code: 'output_invalid_json', message: 'It is empty.', class: 'permanent' } as const;
    expect(repairRequest(aRequest('x'), ' ', problem).messages[1]!.content).toBe('(empty answer)');
    expect(
      repairRequest(aRequest('x'), 'y'.repeat(100_000), problem).messages[1]!.content.length,
    ).toBeLessThan(21_000);
  });
});
