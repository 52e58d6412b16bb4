import { type FlowGraph, parsePath } from '../graph/topology.ts';
import type { NodeRunState } from '../state/run-state.ts';

// Rules kept here: T19: whose arguments a person may write before it is tried again.

/** Why a person cannot write the arguments of a node run: it has none to write, or its effect may have happened with the old ones. */
export type NotEditable = 'no_arguments' | 'may_have_happened';

/** Undefined when they can. An agent's own model calls follow from its conversation, an undoing from what it undoes. */
export function whyNotEditable(
  graph: FlowGraph,
  { path, kind, more }: Pick<NodeRunState, 'path' | 'kind' | 'more'>,
): NotEditable | undefined {
  const isAgentModel = parsePath(graph, path)?.node.scope.container?.config.kind === 'agent';
  if (kind !== 'tool' && (kind !== 'llm' || isAgentModel)) return 'no_arguments';
  return more?.unproven ? 'may_have_happened' : undefined;
}
