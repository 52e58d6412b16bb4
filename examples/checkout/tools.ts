import { defineTool, HttpError, type Json, type ToolContext } from '@pawl/tool-sdk';
import { z } from 'zod';
import {
  buy,
  keepWhatIsWanted,
  type Line,
  lock,
  lockCart,
  once,
  refused,
  release,
  reserve,
  takeBack,
} from './shop-tables.ts';

const cart = z.string().regex(/^c-\d{4}$/);
const line = z.object({ sku: z.string(), name: z.string(), quantity: z.int(), cents: z.int() });
const totalOf = (lines: readonly Line[]) =>
  lines.reduce((sum, { quantity, cents }) => sum + quantity * cents, 0);

/** Takes what is in the cart off the shelves; undone, it is put back. */
export const reserveStock = defineTool({
  name: 'shop.reserve',
  version: '1',
  title: 'Reserve what is in the cart',
  effect: 'idempotent',
  input: z.strictObject({ cart }),
  output: z.object({
    reservation: z.string(),
    mail: z.string(),
    card: z.string(),
    lines: z.array(line),
    totalCents: z.int(),
  }),
  execute: (ctx, { cart: id }) =>
    once(ctx.idempotencyKey, async (client) => {
      const { mail, card } = await lockCart(client, id);
      const lines = await reserve(client, id, ctx.idempotencyKey);
      return {
        reservation: ctx.idempotencyKey,
        mail,
        card,
        lines: lines as unknown as Json,
        totalCents: totalOf(lines),
      };
    }) as never,
  compensate: async (ctx, { result }) => {
    await once(ctx.idempotencyKey, async (client) => {
      await release(client, result.reservation);
      return null;
    });
  },
});

/**
 * Locks the cart right before it is paid and reads it once more: what its owner took out of it meanwhile is put back on the
 * shelves and not bought. Undone, the cart is open again.
 */
export const lockForPayment = defineTool({
  name: 'shop.lock_cart',
  version: '1',
  title: 'Lock the cart, and buy what is still in it',
  effect: 'idempotent',
  input: z.strictObject({ cart, reservation: z.string() }),
  output: z.object({ lines: z.array(line), totalCents: z.int() }),
  execute: (ctx, { cart: id, reservation }) =>
    once(ctx.idempotencyKey, async (client) => {
      await lockCart(client, id);
      const lines = await keepWhatIsWanted(client, id, reservation);
      await lock(client, id, true);
      return { lines: lines as unknown as Json, totalCents: totalOf(lines) };
    }) as never,
  compensate: async (ctx, { args }) => {
    await once(ctx.idempotencyKey, async (client) => {
      await lock(client, args.cart, false);
      return null;
    });
  },
});

const charge = z.object({ chargeId: z.string(), key: z.string(), card: z.string(), cents: z.int() });

async function askCards(ctx: ToolContext, path: string, init: RequestInit = {}): Promise<Json> {
  const response = await ctx.fetch(`${process.env.CARDS_URL}${path}`, {
    ...init,
    ...(init.body ? { headers: { 'content-type': 'application/json' } } : {}),
  });
  if (response.status === 402)
    throw refused('card_declined', ((await response.json()) as { message: string }).message);
  if (!response.ok) throw await HttpError.from(response);
  return (await response.json()) as Json;
}

/**
 * Takes money from a card. The company charges each time it is asked, so this is sent once; what became of it can be looked up
 * under its key. Undone, the money is paid back.
 */
export const chargeCard = defineTool({
  name: 'card.charge',
  version: '1',
  title: 'Charge a card',
  effect: 'non_repeatable',
  input: z.strictObject({ card: z.string(), cents: z.int().min(1) }),
  output: charge,
  timeoutMs: 10_000,
  execute: async (ctx, args) =>
    charge.parse(await askCards(ctx, '/charges', { method: 'POST', body: JSON.stringify(args) })),
  async probe(ctx, _args, key) {
    const { charge: made } = (await askCards(ctx, `/charges?key=${encodeURIComponent(key)}`)) as {
      charge: Json;
    };
    return made === null ? { answer: 'not_applied' } : { answer: 'applied', result: charge.parse(made) };
  },
  compensate: async (ctx, { result }) => {
    await askCards(ctx, `/refunds/${result.chargeId}`, { method: 'PUT' });
  },
});

/**
 * Writes down what was bought and empties the cart of it. The shop may have blocked the customer meanwhile. Undone, it is reserved
 * and in the cart again.
 */
export const placeOrder = defineTool({
  name: 'shop.place_order',
  version: '1',
  title: 'Place the order',
  effect: 'idempotent',
  input: z.strictObject({
    cart,
    reservation: z.string(),
    chargeId: z.string(),
    lines: z.array(line),
    totalCents: z.int(),
  }),
  output: z.object({ order: z.string() }),
  execute: (ctx, { cart: cartId, ...purchase }) =>
    once(ctx.idempotencyKey, async (client) => {
      const { is_blocked: isBlocked } = await lockCart(client, cartId);
      if (isBlocked) throw refused('customer_blocked', `The customer of cart ${cartId} was blocked.`);
      await buy(client, { ...purchase, id: ctx.idempotencyKey, cartId });
      await lock(client, cartId, false);
      return { order: ctx.idempotencyKey };
    }),
  compensate: async (ctx, { args, result }) => {
    await once(ctx.idempotencyKey, async (client) => {
      await takeBack(client, result.order, args.reservation);
      return null;
    });
  },
});
