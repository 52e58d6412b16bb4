import type { McpOrigin, ToolInfo, WorkState } from '@pawl/api';
import type { EffectClass } from '@pawl/dag-core';

/** How an MCP server stands, over all workers. */
export interface McpServerView {
  readonly name: string;
  /** `none`: no worker that lives is configured for it. `some`: it is away for others. */
  readonly state: 'connected' | 'some' | 'away' | 'none';
  /** Since when it is away, ISO 8601: for the worker that has been without it longest. */
  readonly since?: string | undefined;
  /** Why it is away; absent when it was not tried yet. */
  readonly problem?: string | undefined;
  /** Tools that it offers now, to the worker that has most of them. */
  readonly offered: number;
  /** Tools of it that are in the catalogue. */
  readonly tools: number;
  /** Of them those whose class nobody has confirmed. */
  readonly toConfirm: number;
  /** Of these those whose confirmation has lapsed. */
  readonly lapsed: number;
  /** What it lists and cannot be called here. */
  readonly leftOut: readonly { readonly tool: string; readonly why: string }[];
}

/** Every MCP server that a worker is configured for, or whose tools flows may name, by name. */
export function mcpServers(workers: WorkState['workers'], tools: readonly ToolInfo[]): McpServerView[] {
  const told = workers.flatMap(({ offers }) => offers?.servers ?? []);
  const origins = tools.flatMap(({ mcp }) => mcp ?? []);
  const names = new Set([...told, ...origins].map((of) => ('server' in of ? of.server : of.name)));
  return [...names].sort().map((name) => {
    const seen = told.filter((server) => server.name === name);
    const own = origins.filter(({ server }) => server === name);
    const away = seen.filter(({ state }) => state === 'away').sort((a, b) => (a.since < b.since ? -1 : 1));
    return {
      name,
      state: stateOf(seen.length, away.length),
      since: away[0]?.since,
      problem: away.find(({ problem }) => problem !== undefined)?.problem,
      offered: Math.max(0, ...seen.map(({ tools: count }) => count)),
      tools: own.length,
      toConfirm: own.filter(({ confirmed }) => confirmed === undefined).length,
      lapsed: own.filter(({ lapsed }) => lapsed !== undefined).length,
      leftOut: seen.find(({ leftOut }) => leftOut !== undefined)?.leftOut ?? [],
    };
  });
}

function stateOf(seen: number, away: number): McpServerView['state'] {
  if (seen === 0) return 'none';
  if (away === 0) return 'connected';
  return away < seen ? 'some' : 'away';
}

/** What to write into `PAWL_MCP_SERVERS` to confirm a class: the members that count, beside whatever the server has there already. */
export function confirmation({ server, tool, definition }: McpOrigin, effect: EffectClass): string {
  const text = (value: string) => JSON.stringify(value);
  const said = `{ "effect": ${text(effect)}, "definition": ${text(definition)} }`;
  return `{ ${text(server)}: { "effects": {\n  ${text(tool)}: ${said}\n} } }`;
}

/** What a server says of a tool, hint by hint; `none` when it says nothing. */
export function hintsOf({
  hints,
}: McpOrigin): readonly (`${keyof McpOrigin['hints']}.${'yes' | 'no'}` | 'none')[] {
  const said = (['readOnly', 'destructive', 'idempotent', 'openWorld'] as const).flatMap((hint) => {
    const value = hints[hint];
    return value === undefined ? [] : [`${hint}.${value ? 'yes' : 'no'}` as const];
  });
  return said.length > 0 ? said : ['none'];
}
