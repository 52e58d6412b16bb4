import { type FlowGraph, type GraphNode, type PathTarget, parsePath } from '@pawl/dag-core';

/** Where a part of an agent (its model call in a turn, a call of a tool) stands. */
export interface AgentPlace {
  readonly node: GraphNode;
  readonly path: string;
  /** Counted from 0. */
  readonly turn: number;
  readonly turnPath: string;
  /** Of a call: its place in what the model asked for in that turn. */
  readonly call?: number;
}

/** The place of a node run that is part of an agent; undefined for every other. */
export function agentPlaceOf(
  graph: FlowGraph,
  { node, parent, call, isUndo, isProbe, isPoll }: PathTarget,
): AgentPlace | undefined {
  const agent = node.scope.container;
  if (!agent?.calls || isUndo || isProbe || isPoll) return undefined;
  const { itemIndex, parent: path } = parsePath(graph, parent)!;
  return { node: agent, path, turn: itemIndex!, turnPath: parent, ...(call !== undefined && { call }) };
}
