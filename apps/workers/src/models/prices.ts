import { createRequire } from 'node:module';
import type { ModelPrice, ModelRates } from '@pawl/tool-sdk';
import type { calcPrice, ModelPrice as PackagePrice, TieredPrices } from '@pydantic/genai-prices';

/** Names the table in recorded answers; a test holds it to the version in package.json. */
export const PRICES_VERSION = 'genai-prices-0.1.8';

interface PriceTable {
  readonly calcPrice: typeof calcPrice;
}
let table: PriceTable | undefined;

/** The packaged table, read when a price is first asked for: most processes never need it. No network. */
function priceTable(): PriceTable {
  table ??= createRequire(import.meta.url)('@pydantic/genai-prices') as PriceTable;
  return table;
}

/**
 * Price per token of a model of a known provider, from the packaged table.
 *
 * @param provider  as the table names it: `openai`, `anthropic`, `google`, …
 * @param at        prices that changed are taken as of then; default now
 * @returns nano-USD per token, or undefined when the table does not know the model (`unpriced`)
 */
export function priceOf(provider: string, model: string, at = new Date()): ModelPrice | undefined {
  // A usage is needed to ask; the rates do not depend on it.
  const found = priceTable().calcPrice({ input_tokens: 1 }, model, { providerId: provider, timestamp: at });
  if (found === null) return undefined;
  const base = ratesFrom(found.model_price, (price) => (typeof price === 'number' ? price : price.base));
  if (base === undefined) return undefined;
  const above = tierStarts(found.model_price).flatMap((start) => {
    const rates = ratesFrom(found.model_price, (price) => rateAbove(price, start));
    return rates === undefined ? [] : [{ ...rates, inputTokens: start }];
  });
  return { ...base, ...(above.length === 0 ? {} : { above }), version: PRICES_VERSION };
}

type Rate = number | TieredPrices;

function ratesFrom(price: PackagePrice, read: (rate: Rate) => number): ModelRates | undefined {
  // USD per million tokens times 1,000 is nano-USD per token.
  const rate = (key: string) => {
    const value = price[key];
    return value === undefined ? undefined : Number((read(value) * 1_000).toFixed(6));
  };
  const input = rate('input_mtok');
  const output = rate('output_mtok');
  if (input === undefined || output === undefined) return undefined;
  const cacheRead = rate('cache_read_mtok');
  const cacheWrite = rate('cache_write_mtok');
  return {
    inputNanoUsd: input,
    outputNanoUsd: output,
    ...(cacheRead === undefined ? {} : { cacheReadNanoUsd: cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWriteNanoUsd: cacheWrite }),
  };
}

const TOKEN_KEYS = ['input_mtok', 'output_mtok', 'cache_read_mtok', 'cache_write_mtok'];

function tierStarts(price: PackagePrice): number[] {
  const starts = TOKEN_KEYS.flatMap((key) => {
    const rate = price[key];
    return typeof rate === 'object' ? rate.tiers.map((tier) => tier.start) : [];
  });
  return [...new Set(starts)].sort((a, b) => a - b);
}

function rateAbove(rate: Rate, start: number): number {
  if (typeof rate === 'number') return rate;
  return rate.tiers.findLast((tier) => tier.start <= start)?.price ?? rate.base;
}
