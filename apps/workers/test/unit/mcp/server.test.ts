// Would catch: a server that is offered before it is there or after it is gone, a class that a server gives itself, a call whose
// lost answer looks like a failure that is known, a secret of the configuration in what comes back.
import type { ToolContext } from '@pawl/tool-sdk';
import { ToolRegistry, toFailure } from '@pawl/tool-sdk';
import { createTestContext } from '@pawl/tool-sdk/testing';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gate, type Ledger, startLedger } from '../../../../../test/support/ledger.ts';
import { type McpHttp, startMcpHttp } from '../../../../../test/support/mcp-http.ts';
import { ordersServer, PIXEL } from '../../../../../test/support/mcp-orders.ts';
import type { McpServerConfig } from '../../../src/mcp/config.ts';
import { McpServer } from '../../../src/mcp/server.ts';
import { createNetwork } from '../../../src/network/index.ts';

const TOKEN = 'mcp-t0ken-in-a-header';

let ledger: Ledger;
let http: McpHttp;
let orders: ReturnType<typeof ordersServer>[];
let tools: ToolRegistry;
let server: McpServer | undefined;
let changes: number;
let heard: (() => void)[];

beforeEach(async () => {
  ledger = await startLedger();
  orders = [];
  http = await startMcpHttp(makeOrders);
  tools = new ToolRegistry();
  changes = 0;
  heard = [];
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await http.close();
  await ledger.close();
});

function makeOrders() {
  const made = ordersServer({ ledgerUrl: ledger.url });
  orders.push(made);
  return made.server;
}

function follow(more: Partial<McpServerConfig> = {}, url = http.url): McpServer {
  server = new McpServer({
    name: 'orders',
    config: { url, headers: { Authorization: `Bearer ${TOKEN}` }, ...more } as McpServerConfig,
    network: createNetwork(),
    tools,
    logger: pino({ enabled: false }),
    version: '1',
    demandLease: async () => {},
    onChange: () => {
      changes += 1;
      for (const each of heard.splice(0)) each();
    },
  });
  server.start();
  return server;
}

/** Resolves when what is asked for is so; it is looked at whenever the server says that something changed. */
async function when(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise<void>((resolve) => heard.push(resolve));
}
const connected = () => when(() => server!.offer.state === 'connected');

async function call(name: string, args: unknown, context: Partial<ToolContext> = {}) {
  const tool = tools.require(`mcp.orders.${name}@1`);
  const { ctx, seen } = createTestContext({ idempotencyKey: 'run:node:0' });
  const own: ToolContext = Object.create(
    ctx,
    Object.fromEntries(Object.entries(context).map(([key, value]) => [key, { value }])),
  );
  try {
    const parsed = tool.parseOutput(await tool.execute(own, args));
    return { output: parsed.ok ? parsed.value : parsed.issues, seen };
  } catch (error) {
    return { failure: toFailure(error, { effect: tool.effect, signal: own.signal }), seen };
  }
}

describe('an MCP server over HTTP', () => {
  it('when it is connected, every tool it lists is offered by words of its name, with its schemas', async () => {
    follow();
    expect(server!.offer).toMatchObject({ state: 'away', tools: 0, transport: 'http' });
    await connected();
    expect(tools.list().map(({ ref }) => ref)).toEqual(
      ['find_order', 'label', 'pack', 'place_order', 'refuse', 'set_state'].map(
        (name) => `mcp.orders.${name}@1`,
      ),
    );
    expect(server!.offer).toMatchObject({ state: 'connected', tools: 6 });
    const found = tools.require('mcp.orders.find_order@1').declaration();
    expect(found).toMatchObject({
      title: 'Find an order',
      description: 'Finds an order by its number.',
      inputSchema: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      outputSchema: { required: ['id', 'state'] },
      mcp: { server: 'orders', tool: 'findOrder', hints: { readOnly: true, openWorld: false } },
    });
  });

  it('M1, M2: hints propose a class, and every tool is non-repeatable until a person confirms one', async () => {
    follow();
    await connected();
    const classes = tools.declarations().map(({ name, effect, mcp }) => {
      const { proposed, confirmed } = mcp as { proposed: string; confirmed?: string };
      return [name.replace('mcp.orders.', ''), effect, proposed, confirmed];
    });
    expect(classes).toEqual([
      ['find_order', 'non_repeatable', 'pure', undefined],
      ['label', 'non_repeatable', 'pure', undefined],
      ['pack', 'non_repeatable', 'non_repeatable', undefined],
      ['place_order', 'non_repeatable', 'non_repeatable', undefined],
      ['refuse', 'non_repeatable', 'non_repeatable', undefined],
      ['set_state', 'non_repeatable', 'idempotent', undefined],
    ]);
  });

  it('M3: a confirmation holds until the definition changes, which the server need only announce', async () => {
    follow();
    await connected();
    const { definition } = tools.require('mcp.orders.find_order@1').declaration().mcp as {
      definition: string;
    };
    await server!.close();
    follow({ effects: { findOrder: { effect: 'pure', definition } } });
    await connected();
    const mcp = () => tools.require('mcp.orders.find_order@1').declaration();
    expect(mcp()).toMatchObject({ effect: 'pure', mcp: { confirmed: 'pure', definition } });
    orders.at(-1)!.find.update({ annotations: { readOnlyHint: true, openWorldHint: true } });
    await when(() => mcp().effect !== 'pure');
    expect(mcp()).toMatchObject({ effect: 'non_repeatable', mcp: { lapsed: 'pure', proposed: 'pure' } });
    expect((mcp().mcp as { definition: string }).definition).not.toBe(definition);
  });

  it('V4: the key goes along in _meta, and what was called is answered as structured content', async () => {
    follow();
    await connected();
    expect(await call('find_order', { id: 'A-1' })).toMatchObject({ output: { id: 'A-1', state: 'paid' } });
    expect(ledger.rows.map(({ op, key }) => [op, key])).toEqual([['pure', 'run:node:0']]);
    expect(http.calls[0]?.authorization).toBe(`Bearer ${TOKEN}`);
  });

  it('when there is no structured content the parts are the output, bytes as artifacts', async () => {
    follow();
    await connected();
    const { output, seen } = await call('label', { id: 'A-1' });
    expect(output).toMatchObject({
      content: [
        { type: 'text', text: 'Label of A-1' },
        {
          type: 'image',
          artifact: { mediaType: 'image/png', bytes: Buffer.from(PIXEL, 'base64').byteLength },
        },
      ],
    });
    expect(seen.artifacts).toHaveLength(1);
  });

  it('when the server says that a call failed, that is how it ended', async () => {
    follow();
    await connected();
    expect((await call('refuse', {})).failure).toMatchObject({
      code: 'mcp_tool_failed',
      message: 'This customer may not order.',
      class: 'permanent',
    });
  });

  it('when the server tells how far it is, so does the call', async () => {
    follow();
    await connected();
    const { seen } = await call('pack', {});
    expect(seen.progress).toEqual([
      { fraction: 0.5, note: 'box 1' },
      { fraction: 1, note: 'box 2' },
    ]);
  });

  it('V5: when the connection breaks before the answer, it is open whether the call happened', async () => {
    follow();
    await connected();
    const held = gate();
    ledger.script({ op: 'charge' }, { hold: held.opened, appliesFirst: true });
    const calling = call('place_order', { item: 'tea' });
    await ledger.arrived(1, { op: 'charge' });
    http.cut();
    const { failure } = await calling;
    held.open();
    expect(failure).toMatchObject({ code: 'connection_lost', class: 'transient' });
    expect(failure).not.toHaveProperty('notApplied');
  });

  it('when a call is aborted, the server is told and the call ends as aborted', async () => {
    follow();
    await connected();
    const held = gate();
    ledger.script({ op: 'charge' }, { hold: held.opened, appliesFirst: true });
    const aborting = new AbortController();
    const calling = call('place_order', { item: 'tea' }, { signal: aborting.signal });
    const row = await ledger.arrived(1, { op: 'charge' });
    aborting.abort(new DOMException('too long', 'TimeoutError'));
    expect((await calling).failure).toMatchObject({ class: 'timed_out' });
    // The server's own request hangs up: it was told.
    await row.closed;
    held.open();
  });

  it('when the server forgot the session nothing was sent, and a new session is opened', async () => {
    follow();
    await connected();
    const before = changes;
    http.forgetSessions();
    expect((await call('place_order', { item: 'tea' })).failure).toMatchObject({
      code: 'mcp_server_away',
      notApplied: true,
      class: 'transient',
    });
    expect(ledger.rows).toEqual([]);
    await when(() => changes >= before + 2 && server!.offer.state === 'connected');
    expect(await call('find_order', { id: 'A-1' })).toHaveProperty('output');
  });

  it.each(['by a call', 'without a call'])(
    'when it goes away its tools go, which is noticed %s, and come back with it',
    async (how) => {
      follow();
      await connected();
      const { port } = http;
      await http.close();
      const tool = tools.require('mcp.orders.place_order@1');
      const { ctx } = createTestContext();
      if (how === 'by a call') await expect(tool.execute(ctx, { item: 'tea' })).rejects.toThrow();
      await when(() => server!.offer.state === 'away');
      expect(tools.list()).toEqual([]);
      expect(server!.offer.problem).toContain('ECONNREFUSED');
      http = await startMcpHttp(makeOrders, port);
      await connected();
      expect(tools.list()).toHaveLength(6);
    },
  );

  it('V13: what the server was given does not come back from it', async () => {
    follow();
    await connected();
    ledger.script({ op: 'charge' }, { status: 500, message: `cannot use ${TOKEN}` });
    const told = await call('place_order', { item: 'tea' });
    expect(told.failure?.message).toContain('cannot use [secret]');
  });

  it('a private address behind a name is refused, as for every tool', async () => {
    follow({}, 'http://169.254.169.254/mcp');
    await when(() => server!.offer.problem !== undefined);
    expect(server!.offer).toMatchObject({
      state: 'away',
      problem: expect.stringContaining('private address'),
    });
  });
});
