import {
  defineTool,
  HttpError,
  type Json,
  NotAppliedError,
  PermanentError,
  type ToolContext,
  TransientError,
} from '@pawl/tool-sdk';
import { z } from 'zod';

// Tools for tests of faults, loaded with PAWL_TOOLS. All but the last few tell the ledger at LEDGER_URL what they do.

const input = z.object({ what: z.unknown().optional() });

/** One request to the ledger; `fetcher` decides whether key and abort go along. */
async function tell(
  op: string,
  ctx: ToolContext,
  what: unknown,
  fetcher: (url: string, init?: RequestInit) => Promise<Response> = ctx.fetch,
): Promise<Json> {
  const response = await fetcher(`${process.env.LEDGER_URL}/${op}`, {
    method: op === 'pure' ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      'x-attempt': String(ctx.attempt),
      'idempotency-key': ctx.idempotencyKey,
    },
    ...(op === 'pure' ? {} : { body: JSON.stringify({ what: what ?? null }) }),
  });
  // This service says 402 when it did nothing.
  if (response.status === 402) throw new NotAppliedError({ message: await response.text() });
  if (!response.ok) throw await HttpError.from(response);
  return (await response.json()) as Json;
}

/** Reads; may be asked any number of times. */
export const pure = defineTool({
  name: 'ledger.pure',
  version: '1',
  effect: 'pure',
  input,
  execute: (ctx, { what }) => tell('pure', ctx, what),
});

/** Reads what hardly changes. */
export const kept = defineTool({
  name: 'ledger.kept',
  version: '1',
  effect: 'pure',
  cacheTtlMs: 60_000,
  input,
  execute: (ctx, { what }) => tell('pure', ctx, what),
});

/** Reads what changes all the time, and may be a little old. */
export const fleeting = defineTool({
  name: 'ledger.fleeting',
  version: '1',
  effect: 'pure',
  cacheTtlMs: 1,
  retry: { maxAttempts: 1 },
  input,
  execute: (ctx, { what }) => tell('pure', ctx, what),
});

/** Writes; the ledger honours the key. */
export const put = defineTool({
  name: 'ledger.put',
  version: '1',
  effect: 'idempotent',
  input,
  execute: (ctx, { what }) => tell('put', ctx, what),
});

/** Costs money each time it is sent. */
export const charge = defineTool({
  name: 'ledger.charge',
  version: '1',
  effect: 'non_repeatable',
  input,
  execute: (ctx, { what }) => tell('charge', ctx, what),
});

/** Puts, and can take it back. */
export const reserve = defineTool({
  name: 'ledger.reserve',
  version: '1',
  effect: 'idempotent',
  input,
  execute: (ctx, { what }) => tell('put', ctx, what),
  compensate: async (ctx, { args, result }) => void (await tell('unput', ctx, { args, result })),
});

/** Charges, and can pay back; each costs. */
export const pay = defineTool({
  name: 'ledger.pay',
  version: '1',
  effect: 'non_repeatable',
  input,
  execute: (ctx, { what }) => tell('charge', ctx, what),
  compensate: async (ctx, { args, result }) => void (await tell('refund', ctx, { args, result })),
});

/** Like a charge whose service takes its time and calls back. */
export const orderLater = defineTool({
  name: 'ledger.order_later',
  version: '1',
  effect: 'non_repeatable',
  input: z.object({ what: z.unknown().optional(), deadlineMs: z.number() }),
  output: z.object({ id: z.string() }),
  async execute(ctx, { what, deadlineMs }) {
    const callback = await ctx.callbackUrl();
    await tell('order', ctx, { what, callback });
    // As services do that repeat what they were asked for.
    return ctx.accepted({ deadlineMs, data: { ordered: true, callback } });
  },
});

/** Like a charge, and can be asked whether it happened. */
export const probed = defineTool({
  name: 'ledger.probed',
  version: '1',
  effect: 'non_repeatable',
  settlesWithinMs: 500,
  input,
  execute: (ctx, { what }) => tell('probed', ctx, what),
  async probe(_ctx, _args, key) {
    const found = await lookUp(key);
    return found === null ? { answer: 'not_applied' } : { answer: 'applied', result: found };
  },
});

/** What the ledger did for a key; null: nothing. */
async function lookUp(key: string): Promise<Json> {
  const response = await fetch(`${process.env.LEDGER_URL}/lookup`, {
    method: 'POST',
    body: JSON.stringify({ key }),
  });
  const { found, isDown } = (await response.json()) as { found: Json; isDown?: true };
  if (isDown) throw new PermanentError({ message: 'the ledger does not say' });
  return found;
}

/** Charges, and can pay back and be asked whether it did. */
export const returned = defineTool({
  name: 'ledger.returned',
  version: '1',
  effect: 'non_repeatable',
  settlesWithinMs: 500,
  input,
  execute: (ctx, { what }) => tell('charge', ctx, what),
  compensate: {
    run: async (ctx, { args, result }) => void (await tell('payback', ctx, { args, result })),
    async probe(_ctx, _done, key) {
      return { answer: (await lookUp(key)) === null ? 'not_applied' : 'applied' };
    },
  },
});

/** Writes and does not listen to its signal. */
export const stubbornPut = defineTool({
  name: 'ledger.stubborn_put',
  version: '1',
  effect: 'idempotent',
  input,
  execute: (ctx, { what }) => tell('put', ctx, what, (url, init) => fetch(url, init)),
});

/** Charges and does not listen to its signal. */
export const stubbornCharge = defineTool({
  name: 'ledger.stubborn_charge',
  version: '1',
  effect: 'non_repeatable',
  input,
  execute: (ctx, { what }) => tell('charge', ctx, what, (url, init) => fetch(url, init)),
});

/** Blocks the process before its charge, the way a long computation does. */
export const spinCharge = defineTool({
  name: 'ledger.spin_charge',
  version: '1',
  effect: 'non_repeatable',
  input: z.object({ ms: z.number() }),
  async execute(ctx, { ms }) {
    await tell('spinning', ctx, ms);
    spin(ms);
    return tell('charge', ctx, ms);
  },
});

/** Blocks the process in its first attempt, then answers. */
export const spinOnce = defineTool({
  name: 'ledger.spin_once',
  version: '1',
  effect: 'pure',
  input: z.object({ ms: z.number() }),
  async execute(ctx, { ms }) {
    await tell('spinning', ctx, ms);
    if (ctx.attempt === 1) spin(ms);
    return { attempt: ctx.attempt };
  },
});

/** Tells which process ran it. */
export const who = defineTool({
  name: 'ledger.who',
  version: '1',
  effect: 'pure',
  input,
  execute: () => process.pid,
});

/** Throws what it is told to; the message is `text` followed by `times` letters and `tail`. */
export const fail = defineTool({
  name: 'ledger.fail',
  version: '1',
  effect: 'pure',
  input: z.object({
    error: z.enum(['transient', 'permanent', 'not_applied', 'type', 'plain']),
    text: z.string().default('told to fail'),
    times: z.number().default(0),
    tail: z.string().default(''),
  }),
  execute(_ctx, { error, text, times, tail }) {
    const message = `${text}${'x'.repeat(times)}${tail}`;
    if (error === 'transient') throw new TransientError({ message });
    if (error === 'permanent') throw new PermanentError({ message });
    if (error === 'not_applied') throw new NotAppliedError({ message });
    if (error === 'type') throw new TypeError(message);
    throw new Error(message);
  },
});

const oddities: Record<string, () => unknown> = {
  nul: () => ({ 'key\u0000with': 'value\u0000with' }),
  surrogate: () => ({ lone: 'a\ud83d', '\udc00': 'key' }),
  emoji: () => ({ whole: '\u{1f981}', pattern: '[^\\ud800-\\udfff]' }),
  long: () => 'ä'.repeat(30_000_000),
  too_long: () => 'ä'.repeat(36_000_000),
  date: () => ({ d: new Date(0) }),
  map: () => ({ m: new Map([[1, 2]]) }),
  nan: () => ({ n: Number.NaN }),
  bigint: () => ({ b: 1n }),
  undefined: () => ({ kept: 1, gone: undefined }),
  proto: () => JSON.parse('{"__proto__": {"polluted": true}}'),
  unsafe: () => ({ n: 2 ** 53 + 2 }),
  none: () => undefined,
};

/** Returns a value that few expect. */
export const odd = defineTool({
  name: 'ledger.odd',
  version: '1',
  effect: 'pure',
  input: z.object({ value: z.string() }),
  execute: (_ctx, { value }) => oddities[value]!() as never,
});

function spin(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}
