import { type FlowNode, type NodeConfig, parseFlowRef } from '@pawl/dag-core';

/** Whether a node names a flow, which can be looked into. */
export const isRunsFlow = (node: NodeConfig): node is FlowNode =>
  node.kind === 'flow' && typeof node.flow === 'string' && parseFlowRef(node.flow) !== undefined;
