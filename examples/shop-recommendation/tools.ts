import { defineTool, HttpError } from '@pawl/tool-sdk';
import { z } from 'zod';

const coupon = z.object({
  percentOff: z.int().min(1).max(100),
  minSpend: z.int().min(0).describe('In yuan.'),
  title: z.object({ en: z.string(), zh: z.string() }),
});

/** Asks the coupon service at `COUPONS_URL` for one shop. What it said is good for ten minutes. */
export const findCoupons = defineTool({
  name: 'coupons.find',
  version: '1',
  title: 'Find the coupons of a shop',
  effect: 'pure',
  input: z.strictObject({ shop: z.string().regex(/^[\w-]+$/) }),
  output: z.strictObject({ isKnown: z.literal(true), coupons: z.array(coupon) }),
  cacheTtlMs: 600_000,
  timeoutMs: 2_000,
  retry: { maxAttempts: 2, initialMs: 200 },
  async execute(ctx, { shop }) {
    const response = await ctx.fetch(`${process.env.COUPONS_URL}/shops/${shop}/coupons`);
    if (!response.ok) throw await HttpError.from(response);
    const { coupons } = z.object({ coupons: z.array(coupon) }).parse(await response.json());
    return { isKnown: true as const, coupons };
  },
});
