import type { Json, NodeConfig } from '@pawl/dag-core';

type AgentNode = Extract<NodeConfig, { kind: 'agent' }>;

/** One answer of a rehearsed model: what it calls, or what it says. */
export interface RehearsedTurn {
  readonly say?: Json;
  readonly calls?: readonly { readonly name: string; readonly args?: Json; readonly id?: string }[];
}

/** The tools of the ledger, as an agent calls them: `pure`, `put`, `charge`, `fail`. */
export const ledgerTools: AgentNode['tools'] = ['pure', 'put', 'charge', 'fail'].map((name) => ({
  tool: `ledger.${name}@1`,
  name,
}));

/** An agent whose model is the simulator, and whose answers are written down. */
export const rehearsedAgent = (
  turns: readonly RehearsedTurn[],
  more: Partial<AgentNode> = {},
): AgentNode => ({
  id: 'agent',
  kind: 'agent',
  model: 'sim:writer',
  system: `Follow the rehearsal.\n\`\`\`sim\n${JSON.stringify(turns)}\n\`\`\``,
  prompt: 'Do it.',
  tools: ledgerTools,
  ...more,
});
