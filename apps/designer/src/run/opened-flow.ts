import type { FlowDocument, NodeConfig } from '@pawl/dag-core';
import {
  boundsOf,
  boxOf,
  changeGraph,
  changeLayout,
  everyNode,
  findNode,
  innerGraph,
  lookOf,
  PADDING,
} from '../editor/index.ts';
import { withAgentTurns } from './agent-turns.ts';
import type { ShownRun } from './shown-runs.ts';
import { endOfWay, joinWay } from './ways.ts';

/** The flow of a run as it is drawn: agents with the turn that is shown, and inside each open sub-flow the flow that it runs. */
export function openedFlow({ history, shown, subs }: ShownRun): FlowDocument {
  let document = withAgentTurns(history, shown);
  for (const { place, run } of subs.values())
    if (place !== undefined && run) document = putInto(document, endOfWay(place).path, openedFlow(run));
  return document;
}

/** Draws a flow inside one of the nodes of another, like the body of a container. What it holds gets ids that begin with the node's. */
function putInto(document: FlowDocument, id: string, inner: FlowDocument): FlowDocument {
  const found = findNode(document, id);
  if (!found) return document;
  const named = (own: string) => joinWay(id, own);
  const renamed = (node: NodeConfig): NodeConfig => {
    const body = innerGraph(node);
    const own = { ...node, id: named(node.id), title: node.title ?? node.id };
    return (body ? { ...own, body: renamedIn(body.nodes, body.edges) } : own) as NodeConfig;
  };
  const renamedIn = (nodes: FlowDocument['nodes'], edges: FlowDocument['edges']) => ({
    nodes: nodes.map(renamed),
    edges: edges.map((edge) => ({ ...edge, from: named(edge.from), to: named(edge.to) })),
  });
  const body = renamedIn(inner.nodes, inner.edges);
  const opened = changeGraph(document, found.graph, (graph) => ({
    ...graph,
    nodes: graph.nodes.map((node) =>
      node === found.node ? ({ ...node, body } as unknown as NodeConfig) : node,
    ),
  }));
  const { width: _, height: __, collapsed: ___, ...look } = lookOf(document, id);
  return changeLayout(opened, (layout) => ({ ...layout, [id]: look, ...looksInside(inner, named) }));
}

/** How the nodes of a flow stand inside a node: as they were drawn, but behind its head and rim. */
function looksInside(inner: FlowDocument, named: (id: string) => string) {
  const corner = boundsOf(inner.nodes.map((node) => boxOf(inner, node)));
  return Object.fromEntries(
    [...everyNode(inner)].map(({ node, graph }) => {
      const { pin: _, ...look } = lookOf(inner, node.id);
      const { x, y } = look;
      const isMoved = graph.length === 0 && x !== undefined && y !== undefined;
      const place = isMoved && { x: x - corner.x + PADDING.left, y: y - corner.y + PADDING.top };
      return [named(node.id), { ...look, ...place }];
    }),
  );
}
