import { edgesOf, type Graph, nodesOf } from '../document/graph.ts';

type Neighbours = ReadonlyMap<string, readonly string[]>;

const cache = new WeakMap<object, { readonly next: Neighbours; readonly previous: Neighbours }>();

/** Who follows whom in a graph, read once per list of edges. */
export function neighboursOf(graph: Graph): { readonly next: Neighbours; readonly previous: Neighbours } {
  const edges = edgesOf(graph);
  let found = cache.get(edges);
  if (!found) {
    const next = new Map<string, string[]>();
    const previous = new Map<string, string[]>();
    for (const { from, to } of edges) {
      add(next, from, to);
      add(previous, to, from);
    }
    found = { next, previous };
    cache.set(edges, found);
  }
  return found;
}

function add(neighbours: Map<string, string[]>, of: string, id: string): void {
  const list = neighbours.get(of);
  if (!list) neighbours.set(of, [id]);
  else if (!list.includes(id)) list.push(id);
}

/** All that is reached from some nodes, they themselves only where a way leads back to them. */
function reachedFrom(ids: Iterable<string>, neighbours: Neighbours): Set<string> {
  const open = [...ids];
  const reached = new Set<string>();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const other of neighbours.get(id) ?? []) {
      if (reached.has(other)) continue;
      reached.add(other);
      open.push(other);
    }
  }
  return reached;
}

/** Everything after these nodes. */
export const downstreamOf = (graph: Graph, ...ids: readonly string[]): Set<string> =>
  reachedFrom(ids, neighboursOf(graph).next);

/** Everything before these nodes. */
export const upstreamOf = (graph: Graph, ...ids: readonly string[]): Set<string> =>
  reachedFrom(ids, neighboursOf(graph).previous);

/** A shortest way along the edges, both ends included; undefined when there is none. */
export function shortestWay(graph: Graph, from: string, to: string): string[] | undefined {
  const { next } = neighboursOf(graph);
  const cameFrom = new Map<string, string | undefined>([[from, undefined]]);
  for (const id of cameFrom.keys()) {
    if (id === to) return trace(cameFrom, to);
    for (const other of next.get(id) ?? []) if (!cameFrom.has(other)) cameFrom.set(other, id);
  }
  return undefined;
}

function trace(cameFrom: ReadonlyMap<string, string | undefined>, end: string): string[] {
  const way: string[] = [];
  for (let id: string | undefined = end; id !== undefined; id = cameFrom.get(id)) way.unshift(id);
  return way;
}

/** Every node on some way from one to the other, both included, in the order of the graph. */
export function nodesBetween(graph: Graph, from: string, to: string): string[] {
  const after = downstreamOf(graph, from).add(from);
  const before = upstreamOf(graph, to).add(to);
  return nodesOf(graph)
    .map(({ id }) => id)
    .filter((id) => after.has(id) && before.has(id));
}
