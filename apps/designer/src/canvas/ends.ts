import type { FlowDocument, NodeConfig } from '@pawl/dag-core';
import {
  checkConnection,
  edgesOf,
  everyNode,
  flowOrder,
  type GraphPath,
  graphAt,
  illegalTargets,
  knownPorts,
  nodesById,
  type Refusal,
} from '../editor/index.ts';

/** Where an edge could end, or why it cannot. */
export interface End {
  readonly node: NodeConfig;
  readonly refused?: Refusal;
}

/** What begins an edge: a port of a node in a graph. */
export interface Beginning {
  readonly graph: GraphPath;
  readonly from: string;
  readonly port: string;
}

/**
 * The nodes at which an edge could end, those where it can first, then those where it cannot, each with the reason.
 *
 * @param wanted part of a title or an id
 * @param most   how many are given; `more` is how many there are beyond
 */
export function endsOf(
  document: FlowDocument,
  { graph, from, port }: Beginning,
  wanted: string,
  most: number,
): { readonly ends: readonly End[]; readonly more: number } {
  const found = graphAt(document, graph);
  if (!found) return { ends: [], more: 0 };
  const illegal = illegalTargets(document, graph, from, port);
  const here = flowOrder(found);
  const isHere = nodesById(found);
  const elsewhere = [...everyNode(document)].map(({ node }) => node).filter(({ id }) => !isHere.has(id));
  const all = [...here, ...elsewhere].filter((node) => node.id !== from && isCalled(node, wanted));
  const sorted = [...all.filter(({ id }) => !illegal.has(id)), ...all.filter(({ id }) => illegal.has(id))];
  const ends = sorted.slice(0, most).map((node): End => {
    const refused = checkConnection(document, graph, { from, to: node.id, ...(port && { port }) });
    return refused ? { node, refused } : { node };
  });
  return { ends, more: sorted.length - ends.length };
}

/** Whether a node's title or id has a text in it, however it is written. */
function isCalled({ id, title }: NodeConfig, wanted: string): boolean {
  const text = wanted.trim().toLowerCase();
  return (
    id.toLowerCase().includes(text) ||
    String(title ?? '')
      .toLowerCase()
      .includes(text)
  );
}

/** The port by which a node would go on: the first that leads nowhere yet, else its first. */
export function onwardPort(document: FlowDocument, graph: GraphPath, node: NodeConfig): string {
  const ports = knownPorts(node) ?? [''];
  const edges = edgesOf(graphAt(document, graph) ?? { edges: [] });
  const isFree = (port: string) => !edges.some((edge) => edge.from === node.id && (edge.port ?? '') === port);
  return ports.find(isFree) ?? ports[0] ?? '';
}
