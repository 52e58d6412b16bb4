// Would catch: a server that is shown as connected while a worker is without it, a class to confirm that is not counted, a line that
// confirms another tool.
import type { McpOrigin, McpServerState, ToolInfo, WorkState } from '@pawl/api';
import { describe, expect, it } from 'vitest';
import { confirmation, hintsOf, mcpServers } from '../../../src/tools/mcp-servers.ts';

const origin = (more: Partial<McpOrigin> = {}): McpOrigin => ({
  server: 'orders',
  tool: 'findOrder',
  definition: 'd1',
  hints: {},
  proposed: 'pure',
  ...more,
});
const tool = (mcp?: McpOrigin): ToolInfo => ({
  name: 'x',
  version: '1',
  effect: 'pure',
  ...(mcp && { mcp }),
});
const state = (more: Partial<McpServerState> = {}): McpServerState => ({
  name: 'orders',
  transport: 'http',
  state: 'connected',
  since: '2026-01-01T00:00:00.000Z',
  tools: 1,
  ...more,
});
const worker = (...servers: McpServerState[]) =>
  ({ offers: { tools: [], providers: [], servers } }) as unknown as WorkState['workers'][number];
const away = (since: string, problem?: string) =>
  state({ state: 'away', since, ...(problem && { problem }) });

describe('MCP servers', () => {
  it('when every worker is connected the server is; when some are not it says so, with the longest and why', () => {
    expect(mcpServers([worker(state()), worker(state())], [])).toMatchObject([{ state: 'connected' }]);
    const late = away('2026-01-03T00:00:00.000Z', 'refused');
    const early = away('2026-01-02T00:00:00.000Z');
    expect(mcpServers([worker(state()), worker(late), worker(early)], [])).toMatchObject([
      { state: 'some', since: '2026-01-02T00:00:00.000Z', problem: 'refused' },
    ]);
    expect(mcpServers([worker(late)], [])).toMatchObject([{ state: 'away' }]);
  });

  it('when no worker is configured for it any more its tools still name it', () => {
    expect(mcpServers([worker(state({ name: 'b' }))], [tool(), tool(origin({ server: 'a' }))])).toMatchObject(
      [
        { name: 'a', state: 'none', tools: 1 },
        { name: 'b', state: 'connected', tools: 0 },
      ],
    );
  });

  it('M2, M3: what nobody has confirmed is counted, and of that what has lapsed', () => {
    const tools = [origin(), origin({ confirmed: 'pure' }), origin({ lapsed: 'pure' })].map((of) => tool(of));
    expect(mcpServers([worker(state())], tools)).toMatchObject([{ tools: 3, toConfirm: 2, lapsed: 1 }]);
  });

  it('a confirmation names the server, its own name of the tool, the class and the definition', () => {
    expect(JSON.parse(confirmation(origin(), 'idempotent'))).toEqual({
      orders: { effects: { findOrder: { effect: 'idempotent', definition: 'd1' } } },
    });
  });

  it('hints are told as they were given, and their absence as well', () => {
    expect(hintsOf(origin({ hints: { readOnly: true, openWorld: false } }))).toEqual([
      'readOnly.yes',
      'openWorld.no',
    ]);
    expect(hintsOf(origin())).toEqual(['none']);
  });
});
