import { defineTool, HttpError, type Json, NotAppliedError, type ToolContext } from '@pawl/tool-sdk';
import { z } from 'zod';

const ticketId = z.string().regex(/^T-\d{4}$/);
const orderId = z.string().regex(/^LW-\d{4}$/);
const ticket = z.object({
  ticketId,
  from: z.string(),
  orderId,
  subject: z.string(),
  text: z.string(),
  state: z.string(),
  notes: z.array(z.string()),
  refundedCents: z.int(),
});
const refund = z.object({ refundId: z.string(), key: z.string(), orderId, cents: z.int() });

/** Asks the desk at `DESK_URL`. */
async function ask(ctx: ToolContext, path: string, init: RequestInit = {}): Promise<Json> {
  const response = await ctx.fetch(`${process.env.DESK_URL}${path}`, {
    ...init,
    ...(init.body ? { headers: { 'content-type': 'application/json' } } : {}),
  });
  if (!response.ok) throw await HttpError.from(response);
  return (await response.json()) as Json;
}

export const readTicket = defineTool({
  name: 'desk.read_ticket',
  version: '1',
  title: 'Read a ticket as it is now',
  effect: 'pure',
  input: z.strictObject({ ticketId }),
  output: ticket,
  execute: async (ctx, args) => ticket.parse(await ask(ctx, `/tickets/${args.ticketId}`)),
});

export const findOrder = defineTool({
  name: 'desk.find_order',
  version: '1',
  title: 'Find an order',
  effect: 'pure',
  input: z.strictObject({ orderId }),
  execute: (ctx, args) => ask(ctx, `/orders/${args.orderId}`),
});

export const readPromise = defineTool({
  name: 'desk.read_promise',
  version: '1',
  title: 'Read what the shop promises',
  effect: 'pure',
  input: z.strictObject({ topic: z.enum(['damage', 'delay', 'return', 'other']) }),
  execute: (ctx, { topic }) => ask(ctx, `/promises/${topic}`),
});

/** The desk takes one note for each key, so this may be sent again. */
export const updateTicket = defineTool({
  name: 'desk.update_ticket',
  version: '1',
  title: 'Update a ticket',
  effect: 'idempotent',
  input: z.strictObject({
    ticketId,
    state: z.enum(['answered', 'waiting']),
    note: z.string().min(1).max(400),
  }),
  execute: async (ctx, { ticketId: id, ...body }) => {
    const { state, notes } = ticket.parse(
      await ask(ctx, `/tickets/${id}`, { method: 'PUT', body: JSON.stringify(body) }),
    );
    return { ticketId: id, state, notes: notes.length };
  },
});

/**
 * Pays money back. The bank pays each time it is asked, so this is sent once; what became of it can be looked up under its key.
 * Whatever is refused was not paid.
 */
export const payRefund = defineTool({
  name: 'desk.refund',
  version: '1',
  title: 'Pay money back',
  effect: 'non_repeatable',
  input: z.strictObject({ orderId, cents: z.int().min(1), reason: z.string().min(1).max(200) }),
  output: refund,
  timeoutMs: 10_000,
  async execute(ctx, args) {
    const response = await ctx.fetch(`${process.env.DESK_URL}/refunds`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(args),
    });
    if (response.status === 404 || response.status === 422) {
      const { message } = (await response.json()) as { message: string };
      throw new NotAppliedError({ message, retry: 'never' });
    }
    if (!response.ok) throw await HttpError.from(response);
    return refund.parse(await response.json());
  },
  async probe(ctx, _args, key) {
    const { refund: paid } = (await ask(ctx, `/refunds?key=${encodeURIComponent(key)}`)) as { refund: Json };
    return paid === null ? { answer: 'not_applied' } : { answer: 'applied', result: refund.parse(paid) };
  },
});
