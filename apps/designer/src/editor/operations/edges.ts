import type { EdgeConfig, FlowDocument } from '@pawl/dag-core';
import { checkConnection } from '../connecting/check-connection.ts';
import { changeGraph, edgesOf, type GraphPath, graphAt, isSameEdge } from '../document/graph.ts';
import { without } from '../document/json-path.ts';
import type { Connect, Disconnect, Reconnect } from './operation.ts';
import { type Changed, refuse } from './refusal.ts';

/** Draws an edge. */
export function connect(document: FlowDocument, { graph, edge }: Connect): Changed<FlowDocument> {
  const refused = checkConnection(document, graph, edge);
  if (refused) return refuse(refused);
  return changeGraph(document, graph, (old) => ({ ...old, edges: [...old.edges, edge] }));
}

/** Takes edges away. */
export function disconnect(document: FlowDocument, { graph, edges }: Disconnect): Changed<FlowDocument> {
  const missing = edges.find((edge) => !isDrawn(document, graph, edge));
  if (missing) return refuse({ code: 'edge_unknown', edge: missing });
  return withoutEdges(document, graph, (edge) => edges.some((each) => isSameEdge(each, edge)));
}

/** Gives an edge other ends. What it was is not in the way of what it becomes. */
export function reconnect(document: FlowDocument, { graph, edge, to }: Reconnect): Changed<FlowDocument> {
  if (!isDrawn(document, graph, edge)) return refuse({ code: 'edge_unknown', edge });
  if (isSameEdge(edge, to)) return document;
  const without = withoutEdges(document, graph, (each) => isSameEdge(each, edge));
  const refused = checkConnection(without, graph, to);
  if (refused) return refuse(refused);
  return changeGraph(document, graph, (old) => ({
    ...old,
    edges: old.edges.map((each) => (isSameEdge(each, edge) ? moved(each, to) : each)),
  }));
}

/** The edge between other ends; what else is written on it stays. */
function moved({ from: _from, port: _port, to: _to, ...rest }: EdgeConfig, ends: EdgeConfig): EdgeConfig {
  return { ...ends, ...rest };
}

function isDrawn(document: FlowDocument, graph: GraphPath, edge: EdgeConfig): boolean {
  const found = graphAt(document, graph);
  return found !== undefined && edgesOf(found).some((each) => isSameEdge(each, edge));
}

const withoutEdges = (
  document: FlowDocument,
  graph: GraphPath,
  isGone: (edge: EdgeConfig) => boolean,
): FlowDocument => changeGraph(document, graph, (old) => ({ ...old, edges: without(old.edges, isGone) }));
