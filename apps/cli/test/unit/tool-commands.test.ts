// Would catch: a class that is listed as if a person had confirmed it.
import { afterEach, expect, test } from 'vitest';
import { type FakeEngine, startFakeEngine } from '../support/fake-engine.ts';
import { runPawl } from '../support/run-pawl.ts';

let engine: FakeEngine | undefined;
afterEach(() => engine?.close());

const tool = (name: string, effect: string, mcp?: object) => ({
  name,
  version: '1',
  effect,
  description: `Does ${name}.`,
  ...(mcp && {
    mcp: { server: 'orders', tool: name, definition: 'd', hints: {}, proposed: 'pure', ...mcp },
  }),
});

test('when tools are listed, those of MCP servers say what is proposed, and what has lapsed', async () => {
  const items = [
    tool('mcp.orders.find', 'non_repeatable', {}),
    tool('mcp.orders.read', 'pure', { confirmed: 'pure' }),
    tool('mcp.orders.set', 'non_repeatable', { lapsed: 'idempotent' }),
    tool('files.read', 'pure'),
  ];
  engine = await startFakeEngine({ listTools: () => ({ body: { items } }) });
  const { out } = await runPawl(['tool', 'list', '--url', engine.url]);
  const lines = out
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(/ {2,}/).map((cell) => cell.trim()));
  expect(lines).toEqual([
    ['mcp.orders.find@1', 'non_repeatable', 'pure proposed', 'Does mcp.orders.find.'],
    ['mcp.orders.read@1', 'pure', 'Does mcp.orders.read.'],
    ['mcp.orders.set@1', 'non_repeatable', 'idempotent has lapsed', 'Does mcp.orders.set.'],
    ['files.read@1', 'pure', 'Does files.read.'],
  ]);
});
