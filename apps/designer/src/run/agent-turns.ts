import { childPath, type FlowDocument, itemPath, type NodeConfig, parsePath } from '@pawl/dag-core';
import { type GraphPath, innerGraph } from '../editor/index.ts';
import type { RunHistory } from './history.ts';
import type { ShownPaths } from './shown-paths.ts';

/**
 * The flow of a run with its agents opened: what nobody drew of an agent, the model call of the turn that is shown and the calls that
 * the model asked for, stands inside it like the body of a container. Agents that have not begun stay as they are drawn.
 */
export function withAgentTurns(history: RunHistory, shown: ShownPaths): FlowDocument {
  const open = (nodes: readonly NodeConfig[], graph: GraphPath): readonly NodeConfig[] => {
    let isOther = false;
    const opened = nodes.map((node) => {
      const inner = node.kind === 'agent' ? turnOf(history, shown, node.id, graph) : bodyOf(node, graph);
      if (inner) isOther = true;
      return inner ? ({ ...node, body: inner } as unknown as NodeConfig) : node;
    });
    return isOther ? opened : nodes;
  };
  const bodyOf = (node: NodeConfig, graph: GraphPath) => {
    const body = innerGraph(node);
    const nodes = body && open(body.nodes, [...graph, node.id]);
    return body && nodes !== body.nodes ? { ...body, nodes } : undefined;
  };
  const { document } = history.graph;
  const nodes = open(document.nodes, []);
  return nodes === document.nodes ? document : { ...document, nodes };
}

/** Parts of an agent have ids of their own in a picture, which end as their paths do. */
const idOf = (agent: string, part: string): string => `${agent}/${part}`;

function turnOf(history: RunHistory, shown: ShownPaths, agent: string, graph: GraphPath) {
  const path = shown.pathOf(agent, graph);
  const index = shown.shownIn(path)?.index;
  const node = history.graph.nodes.get(agent);
  if (index === undefined || !node) return undefined;
  const turn = itemPath(node, path, index);
  const parts = (history.below.get(turn) ?? []).map((nodeRun) => nodeRun.path.slice(turn.length + 1));
  const nodes = parts.map((part) => {
    const config = parsePath(history.graph, childPath(turn, part))?.node.config;
    return { ...config, id: idOf(agent, part), title: part } as NodeConfig;
  });
  const [model, ...calls] = nodes;
  return { nodes, edges: calls.map(({ id }) => ({ from: model!.id, to: id })) };
}
