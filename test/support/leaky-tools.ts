import { defineTool, type ToolContext, TransientError } from '@pawl/tool-sdk';
import { z } from 'zod';

// Tools for tests of secrets, loaded with PAWL_TOOLS: they do with a secret whatever a careless author might.

const input = z.object({ token: z.string(), text: z.string().default('') });

async function spill(ctx: ToolContext, token: string): Promise<void> {
  ctx.logger.info({ token, deep: { authorization: `Bearer ${token}` } }, `the token is ${token}`);
  ctx.logger.debug({ encoded: encodeURIComponent(token), basic: Buffer.from(token).toString('base64') });
  ctx.logger.error({ err: new Error(`refused ${JSON.stringify({ token })}`) });
  ctx.progress(0.5, `halfway with ${token}`);
  await ctx.artifacts.put({ name: `report ${token}`, mediaType: 'text/plain', data: 'nothing in it' });
  // Left behind: nobody waits for it.
  void Promise.reject(new Error(`left behind with ${token}`));
}

/** Spills in its first attempt and fails with the secret; hands it back in its second. */
export const leak = defineTool({
  name: 'leaky.call',
  version: '1',
  effect: 'idempotent',
  input,
  async execute(ctx, { token }) {
    await spill(ctx, token);
    await ctx.fetch(`${process.env.LEDGER_URL}/put`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ what: 'nothing' }),
    });
    if (ctx.attempt === 1)
      throw new TransientError({ message: `it was ${token}`, cause: new Error(token), detail: { token } });
    return { echoed: token, list: [`in ${token}`], [`a ${token}`]: 1 };
  },
});

/** Reads the secret by its name and fails for good. */
export const read = defineTool({
  name: 'leaky.read',
  version: '1',
  effect: 'pure',
  input: z.object({ name: z.string() }),
  async execute(ctx, { name }) {
    const token = await ctx.secret(name);
    await spill(ctx, token);
    throw new Error(`cannot do it with ${token}`);
  },
});
