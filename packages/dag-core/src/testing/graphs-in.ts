import { bodyOf, type InnerGraph, type NodeConfig } from '../graph/document.ts';
import { readingsOf } from '../graph/readings.ts';

// Drafts are looked at here, finished or not: what is missing counts as nothing.

/** The nodes and edges of a graph as far as they can be told. */
export function graphOf({ nodes, edges }: Partial<InnerGraph>): InnerGraph {
  const isNode = (node: unknown): boolean => typeof (node as NodeConfig | null)?.id === 'string';
  return { nodes: (nodes ?? []).filter(isNode), edges: edges ?? [] };
}

/** The graph that a node holds. */
export function innerGraphOf(node: NodeConfig): InnerGraph | undefined {
  const body = bodyOf(node);
  return body && graphOf(body);
}

/** A graph and every graph in it. */
export function* bodiesIn(graph: InnerGraph): Generator<InnerGraph> {
  const here = graphOf(graph);
  yield here;
  for (const node of here.nodes) {
    const inner = innerGraphOf(node);
    if (inner) yield* bodiesIn(inner);
  }
}

/** The ids from the outermost graph down to a node, its own included; undefined: there is no such node. */
export function wayTo(graph: InnerGraph, id: string): readonly string[] | undefined {
  for (const node of graph.nodes) {
    if (node.id === id) return [id];
    const inner = innerGraphOf(node);
    const rest = inner && wayTo(inner, id);
    if (rest) return [node.id, ...rest];
  }
  return undefined;
}

/** Of the nodes `known`, those that a node reads, or that something inside it reads. */
export function readBy(node: NodeConfig, known: ReadonlySet<string>): Set<string> {
  const found = new Set([...namesIn(node)].filter((id) => known.has(id)));
  for (const inner of innerGraphOf(node)?.nodes ?? []) for (const id of readBy(inner, known)) found.add(id);
  found.delete(node.id);
  return found;
}

const names = new WeakMap<NodeConfig, ReadonlySet<string>>();

/** What a node's own expressions name, and what the source of a code node may: kept, because a draft is planned again and again. */
function namesIn(node: NodeConfig): ReadonlySet<string> {
  const known = names.get(node);
  if (known) return known;
  const source = node.kind === 'code' ? String(node.source ?? '') : '';
  const found = new Set([
    ...readingsOf(node).flatMap(({ node: id }) => id ?? []),
    ...(source.match(/[A-Za-z][A-Za-z0-9_-]*/g) ?? []),
  ]);
  names.set(node, found);
  return found;
}
