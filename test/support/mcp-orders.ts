import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

/** How the server of orders differs from the usual one. */
export interface OrdersOptions {
  /** Where it writes down what it does. */
  readonly ledgerUrl: string;
  /** What it says of finding an order. */
  readonly about?: string;
}

/** A picture of one pixel. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** An MCP server of orders; whatever its tools do, they tell the ledger, with the key that came in `_meta`. */
export function ordersServer({ ledgerUrl, about = 'Finds an order by its number.' }: OrdersOptions) {
  const server = new McpServer({ name: 'orders', version: '1.0.0' });
  const tell = async (
    op: string,
    what: unknown,
    { _meta, signal }: { readonly _meta?: Record<string, unknown> | undefined; readonly signal: AbortSignal },
  ): Promise<unknown> => {
    const isReading = op === 'pure';
    const response = await fetch(`${ledgerUrl}/${op}`, {
      method: isReading ? 'GET' : 'POST',
      headers: { 'idempotency-key': String(_meta?.['idempotency-key']) },
      ...(!isReading && { body: JSON.stringify({ what, pid: process.pid }) }),
      signal,
    });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
  const text = (said: unknown) => ({
    content: [{ type: 'text' as const, text: typeof said === 'string' ? said : JSON.stringify(said) }],
  });
  const id = z.string().describe('Number of the order.');
  const find = server.registerTool(
    'findOrder',
    {
      title: 'Find an order',
      description: about,
      inputSchema: { id },
      outputSchema: { id: z.string(), state: z.string() },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async ({ id }, extra) => {
      await tell('pure', id, extra);
      const found = { id, state: 'paid' };
      return { ...text(found), structuredContent: found };
    },
  );
  server.registerTool(
    'set-state',
    {
      description: 'Sets the state of an order.',
      inputSchema: { id, state: z.string() },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    },
    async (args, extra) => text(await tell('put', args, extra)),
  );
  server.registerTool(
    'placeOrder',
    { description: 'Places an order.', inputSchema: { item: z.string() } },
    async ({ item }, extra) => text(await tell('charge', item, extra)),
  );
  server.registerTool(
    'label',
    { description: 'Draws the label of an order.', inputSchema: { id }, annotations: { readOnlyHint: true } },
    ({ id }) => ({
      content: [
        { type: 'text', text: `Label of ${id}` },
        { type: 'image', data: PIXEL, mimeType: 'image/png' },
      ],
    }),
  );
  server.registerTool('refuse', { description: 'Always says no.' }, () => ({
    ...text('This customer may not order.'),
    isError: true,
  }));
  server.registerTool('pack', { description: 'Packs in two steps.' }, async ({ _meta, sendNotification }) => {
    for (const progress of [1, 2])
      await sendNotification({
        method: 'notifications/progress',
        params: { progressToken: _meta!.progressToken!, progress, total: 2, message: `box ${progress}` },
      });
    return text('packed');
  });
  return { server, find };
}
