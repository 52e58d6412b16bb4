// Would catch: a call of an MCP tool that is made twice because a process died, a class that is looser after a crash than when the
// call was made, a worker that a server which is away keeps from working.
import { join } from 'node:path';
import type { McpOrigin, ToolInfo } from '@pawl/api';
import { afterEach, describe, expect, it } from 'vitest';
import { bundleOf } from '../../scripts/bundle.js';
import { gate } from '../support/ledger.ts';
import { type McpHttp, startMcpHttp } from '../support/mcp-http.ts';
import { ordersServer } from '../support/mcp-orders.ts';
import { type RehearsedTurn, rehearsedAgent } from '../support/rehearsal.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { eventOf, journalOf, nodeRunsOf, startFlow } from '../support/watch-run.ts';

const PROCESS = join(import.meta.dirname, '../support/mcp-stdio-tools.ts');
const TOKEN = 'mcp-t0ken-in-a-header';
const NOBODY = { PAWL_POOLS: 'nobody' };

type Effects = Record<string, { readonly effect: string; readonly definition: string }>;

let pawl: PawlWithLedger | undefined;
let http: McpHttp | undefined;
afterEach(async () => {
  await pawl?.stop();
  await http?.close();
  http = undefined;
});

/** The server of orders as a process of the worker's. */
async function overStdio({ effects = {}, about }: { effects?: Effects; about?: string } = {}) {
  const orders = {
    command: process.execPath,
    args: [await bundleOf(PROCESS)],
    env: { LEDGER_URL: pawl!.ledger.url, ...(about !== undefined && { ABOUT: about }) },
    effects,
  };
  return { PAWL_MCP_SERVERS: JSON.stringify({ orders }) };
}

const toolOf = async (name: string): Promise<ToolInfo | undefined> =>
  (await pawl!.client.listTools()).items.find((tool) => tool.name === `mcp.orders.${name}`);

/** Waits until a worker has told of a tool whose origin is as wanted. */
async function announced(
  name: string,
  wanted: Partial<McpOrigin> & { effect?: string } = {},
): Promise<McpOrigin> {
  const { effect, ...mcp } = wanted;
  await expect.poll(() => toolOf(name)).toMatchObject({ mcp, ...(effect && { effect }) });
  return (await toolOf(name))!.mcp!;
}

const node = (id: string, tool: string, args: Record<string, string>) =>
  ({
    id,
    kind: 'tool',
    tool: `mcp.orders.${tool}@1`,
    args,
    retry: { maxAttempts: 5, initialMs: 10, jitter: 0 },
  }) as never;
const place = node('place', 'place_order', { item: 'tea' });
const set = node('set', 'set_state', { id: 'A-1', state: 'paid' });
const find = node('find', 'find_order', { id: 'A-1' });

const uncertain = (runId: string) =>
  eventOf(pawl!, runId, 'nodeRun.waiting', ({ data }) => data.status === 'uncertain');
const intentsOf = async (runId: string) =>
  (await journalOf(pawl!, runId)).filter(({ type }) => type === 'intent.recorded');

/** The process of the server that told the ledger of something. */
const pidIn = ({ body }: { readonly body: object }): number => (body as { pid: number }).pid;

describe('tools of MCP servers', () => {
  it('M2, V5: an unconfirmed tool whose server is killed amid a call is in doubt, and sent again only when a person says so', async () => {
    pawl = await startWithLedger({ workers: 0 });
    await pawl.startWorker(await overStdio());
    await announced('place_order', { proposed: 'non_repeatable' });
    const held = gate();
    pawl.ledger.script({ op: 'charge' }, { hold: held.opened, appliesFirst: true });
    const runId = await startFlow(pawl, [place]);
    const row = await pawl.ledger.arrived(1, { op: 'charge' });
    process.kill(pidIn(row), 'SIGKILL');
    await uncertain(runId);
    held.open();
    expect(await intentsOf(runId)).toMatchObject([
      { data: { effect: 'non_repeatable', target: 'mcp.orders.place_order@1', key: `${runId}:place:0` } },
    ]);
    await pawl.client.settleNodeRun({
      params: { runId },
      query: { path: 'place' },
      body: { verdict: 'did_not_happen' },
    });
    // The server is started again by then, or the node run waits for it.
    const { run } = await endOf(pawl, runId);
    expect(run.status).toBe('succeeded');
    expect(pawl.ledger.of({ op: 'charge' })).toHaveLength(2);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('V4: a tool that was confirmed as idempotent is sent again with the same key when its server is killed', async () => {
    pawl = await startWithLedger({ workers: 0 });
    const first = await pawl.startWorker({ ...(await overStdio()), ...NOBODY });
    const { definition, proposed } = await announced('set_state', { effect: 'non_repeatable' });
    expect(proposed).toBe('idempotent');
    first.kill('SIGKILL');
    await pawl.startWorker(await overStdio({ effects: { 'set-state': { effect: proposed, definition } } }));
    await announced('set_state', { effect: 'idempotent', confirmed: 'idempotent' });
    const held = gate();
    pawl.ledger.script({ op: 'put' }, { hold: held.opened, appliesFirst: true });
    const runId = await startFlow(pawl, [set]);
    process.kill(pidIn(await pawl.ledger.arrived(1, { op: 'put' })), 'SIGKILL');
    const { run } = await endOf(pawl, runId);
    held.open();
    expect(run.status).toBe('succeeded');
    expect(pawl.ledger.of({ op: 'put' }).map(({ key }) => key)).toEqual(Array(2).fill(`${runId}:set:0`));
    expect([...pawl.ledger.effects().values()]).toEqual([1]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('V5: a call that was made unconfirmed stays in doubt though the class was confirmed before it is taken over', async () => {
    pawl = await startWithLedger({ workers: 0 });
    const first = await pawl.startWorker(await overStdio());
    const { definition } = await announced('set_state');
    const held = gate();
    pawl.ledger.script({ op: 'put' }, { hold: held.opened, appliesFirst: true });
    const runId = await startFlow(pawl, [set]);
    await pawl.ledger.arrived(1, { op: 'put' });
    first.kill('SIGKILL');
    await first.ended;
    await pawl.startWorker(await overStdio({ effects: { 'set-state': { effect: 'pure', definition } } }));
    await eventOf(pawl, runId, 'attempt.lost', ({ data }) => data.next === 'uncertain');
    held.open();
    await announced('set_state', { effect: 'pure' });
    expect(pawl.ledger.of({ op: 'put' })).toHaveLength(1);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('a tool that was confirmed as pure runs without an intent, and again when its worker is killed', async () => {
    pawl = await startWithLedger({ workers: 0 });
    const first = await pawl.startWorker({ ...(await overStdio()), ...NOBODY });
    const { definition } = await announced('find_order', { proposed: 'pure' });
    first.kill('SIGKILL');
    const env = await overStdio({ effects: { findOrder: { effect: 'pure', definition } } });
    const second = await pawl.startWorker(env);
    await announced('find_order', { effect: 'pure' });
    const held = gate();
    pawl.ledger.script({ op: 'pure' }, { hold: held.opened });
    const runId = await startFlow(pawl, [find]);
    await pawl.ledger.arrived(1, { op: 'pure' });
    second.kill('SIGKILL');
    await pawl.startWorker(env);
    const { run } = await endOf(pawl, runId);
    held.open();
    expect(run).toMatchObject({ status: 'succeeded', output: { find: { id: 'A-1', state: 'paid' } } });
    expect(await intentsOf(runId)).toEqual([]);
    expect(await pawl.rowsEqualFold()).toEqual([]);
  });

  it('M3: a server that says something else of its tool has it called as non-repeatable again', async () => {
    pawl = await startWithLedger({ workers: 0 });
    const first = await pawl.startWorker(await overStdio());
    const { definition } = await announced('find_order');
    first.kill('SIGKILL');
    const effects = { findOrder: { effect: 'pure', definition } };
    await pawl.startWorker(await overStdio({ effects, about: 'Finds an order and marks it as seen.' }));
    const now = await announced('find_order', { effect: 'non_repeatable', lapsed: 'pure' });
    expect(now.definition).not.toBe(definition);
    const runId = await startFlow(pawl, [find]);
    await endOf(pawl, runId);
    expect(await intentsOf(runId)).toMatchObject([{ data: { effect: 'non_repeatable' } }]);
  });

  it('K18: an agent calls them by words, goes on when the server says no, and a worker that is asked to end takes its server along', async () => {
    pawl = await startWithLedger({ workers: 0 });
    const worker = await pawl.startWorker(await overStdio());
    await announced('refuse');
    const turns: RehearsedTurn[] = [
      {
        calls: [
          { name: 'mcp_orders_place_order', args: { item: 'tea' } },
          { name: 'mcp_orders_refuse', args: {} },
        ],
      },
      { say: 'Placed.' },
    ];
    const tools = ['place_order', 'refuse'].map((name) => ({ tool: `mcp.orders.${name}@1` }));
    const runId = await startFlow(pawl, [rehearsedAgent(turns, { tools })]);
    const { run, events } = await endOf(pawl, runId);
    expect(run.output).toMatchObject({ agent: 'Placed.' });
    const [placed] = pawl.ledger.of({ op: 'charge' });
    expect(placed!.key).toBe(`${runId}:agent/turn-0/mcp_orders_place_order-0:0`);
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'outcome.failed',
        path: 'agent/turn-0/mcp_orders_refuse-1',
        data: expect.objectContaining({
          failure: expect.objectContaining({
            code: 'mcp_tool_failed',
            message: 'This customer may not order.',
          }),
        }),
      }),
    );
    worker.kill('SIGTERM');
    await worker.ended;
    const isThere = () => {
      try {
        return process.kill(pidIn(placed!), 0);
      } catch {
        return false;
      }
    };
    await expect.poll(isThere).toBe(false);
  });

  it('V13, V15: a server that is away keeps no worker from working; what needs it waits, says so, and goes on when it comes', async () => {
    pawl = await startWithLedger({ workers: 0 });
    const make = () => ordersServer({ ledgerUrl: pawl!.ledger.url }).server;
    http = await startMcpHttp(make);
    const { port, url } = http;
    const env = {
      PAWL_MCP_SERVERS: JSON.stringify({ orders: { url, headers: { Authorization: `Bearer ${TOKEN}` } } }),
    };
    const first = await pawl.startWorker(env);
    await announced('place_order');
    first.kill('SIGKILL');
    await first.ended;
    await http.close();
    const second = await pawl.startWorker(env);
    const servers = async () =>
      (await pawl!.client.getWorkState()).workers.flatMap(({ offers }) => offers?.servers ?? []);
    await expect
      .poll(servers)
      .toMatchObject([{ name: 'orders', state: 'away', problem: expect.stringContaining('ECONNREFUSED') }]);
    const runId = await startFlow(pawl, [place]);
    const reason = { reason: 'no_worker_has_tool', tool: 'mcp.orders.place_order@1' };
    await expect
      .poll(async () => (await nodeRunsOf(pawl!, runId)).place?.waitingFor)
      .toMatchObject({ kind: 'worker', detail: reason });
    http = await startMcpHttp(make, port);
    const { run } = await endOf(pawl, runId);
    expect(run.status).toBe('succeeded');
    await expect.poll(servers).toMatchObject([{ state: 'connected', tools: 6 }]);
    expect(pawl.ledger.of({ op: 'charge' })).toHaveLength(1);
    expect(http.calls).toMatchObject([{ authorization: `Bearer ${TOKEN}` }]);
    for (const { log } of [first, second]) expect(log()).not.toContain(TOKEN);
    expect(second.log()).toContain('an MCP server is away');
  });
});
