// Would catch: money counted twice for cached tokens, a reservation below the cost, a provider that fails only when called.
import { describe, expect, it } from 'vitest';
import {
  costOfEstimate,
  costOfUsage,
  defineModelProvider,
  ModelCallError,
  type ModelProvider,
} from '../src/index.ts';

const provider: ModelProvider = {
  specification: 1,
  name: 'echo',
  call: async ({ model }) => ({
    text: model,
    finishReason: 'stop',
    usage: { input: 1, output: 1 },
    model,
    totalMs: 0,
  }),
  estimate: () => ({ inputTokens: 1, maxOutputTokens: 1 }),
  price: () => undefined,
};

describe('defineModelProvider', () => {
  it('gives a good provider back as it is', () => {
    expect(defineModelProvider(provider)).toBe(provider);
  });

  it.each([
    [{ name: 'Open AI' }, 'cannot be used'],
    [{ name: 'a:b' }, 'cannot be used'],
    [{ specification: 2 }, 'has specification 2'],
    [{ estimate: undefined }, 'has no function "estimate"'],
  ])('refuses %j with a sentence', (change, part) => {
    expect(() => defineModelProvider({ ...provider, ...change } as ModelProvider)).toThrow(part);
  });
});

describe('cost', () => {
  const price = {
    inputNanoUsd: 100,
    outputNanoUsd: 400,
    cacheReadNanoUsd: 10,
    cacheWriteNanoUsd: 125,
    version: 't',
  };

  it('prices each token once, at its own rate', () => {
    expect(costOfUsage(price, { input: 100, output: 10, cacheRead: 60, cacheWrite: 30, reasoning: 4 })).toBe(
      10 * 100 + 60 * 10 + 30 * 125 + 10 * 400,
    );
  });

  it('without own rates cached tokens cost what others cost', () => {
    expect(
      costOfUsage(
        { inputNanoUsd: 100, outputNanoUsd: 400, version: 't' },
        { input: 100, output: 0, cacheRead: 60 },
      ),
    ).toBe(10_000);
  });

  it('rounds up to whole nano-USD, and not because of binary fractions', () => {
    expect(costOfUsage({ inputNanoUsd: 37.5, outputNanoUsd: 0, version: 't' }, { input: 1, output: 0 })).toBe(
      38,
    );
    expect(costOfUsage({ inputNanoUsd: 0.1, outputNanoUsd: 0, version: 't' }, { input: 30, output: 0 })).toBe(
      3,
    );
  });

  it('an estimate is never below the usage it stands for', () => {
    const cost = costOfUsage(price, { input: 100, output: 10, cacheWrite: 100 });
    expect(costOfEstimate(price, { inputTokens: 100, maxOutputTokens: 10 })).toBeGreaterThanOrEqual(cost);
  });
});

describe('ModelCallError', () => {
  it('carries the problem as data and leaves out what is not known', () => {
    const error = new ModelCallError({
      code: 'c',
      message: 'm',
      class: 'transient',
      sent: true,
      retryAfterMs: 5,
    });
    expect({ ...error }).toEqual({
      name: 'ModelCallError',
      code: 'c',
      class: 'transient',
      sent: true,
      retryAfterMs: 5,
    });
    expect(error.message).toBe('m');
    expect(error).toBeInstanceOf(Error);
  });
});
