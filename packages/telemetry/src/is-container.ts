import { type FlowGraph, kindOf, parsePath } from '@pawl/dag-core';

/** True for the path of a node run with others inside; not for one of its items or turns. */
export function isContainer(graph: FlowGraph, path: string): boolean {
  const target = parsePath(graph, path);
  if (!target || target.itemIndex !== undefined || target.isUndo || target.isProbe || target.isPoll)
    return false;
  const { config } = target.node;
  return kindOf(config).effect(config) === 'container';
}
