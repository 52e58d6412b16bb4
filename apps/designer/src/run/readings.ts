import {
  type FlowGraph,
  type GraphNode,
  type GraphScope,
  parsePath,
  pathSeenFrom,
  readingsOf,
  type ScopeRoot,
} from '@pawl/dag-core';

// Rules kept here: C2 what a node run was given is what its expressions read, and the ways by which it was reached.

/** A place in the scope that a node reads: `nodes.lookup.output.items`, `input.text`, `item`. */
export interface PlaceRead {
  readonly root: Extract<ScopeRoot, 'input' | 'nodes' | 'item' | 'index'>;
  /** For root `nodes`. */
  readonly node?: GraphNode;
  /** The names behind the root, or behind the node's id. */
  readonly names: readonly string[];
}

const ROOTS: readonly string[] = ['input', 'nodes', 'item', 'index'];
const known = new WeakMap<GraphNode, readonly PlaceRead[]>();

/** What a node reads, each place once; of a map or loop also what its body reads from outside. */
export function placesRead(graph: FlowGraph, node: GraphNode): readonly PlaceRead[] {
  let places = known.get(node);
  if (!places) {
    const found = node.body && !node.calls ? ofContainer(graph, node) : ownPlaces(graph, node);
    places = [...new Map(found.map((place) => [nameOf(place), place])).values()];
    known.set(node, places);
  }
  return places;
}

/** How the place is written in an expression. */
export const nameOf = ({ root, node, names }: PlaceRead): string =>
  [root, ...(node ? [node.id] : []), ...names].join('.');

function ownPlaces(graph: FlowGraph, node: GraphNode, isCounted?: (pointer: string) => boolean): PlaceRead[] {
  const { config } = node;
  if (config.kind === 'join')
    return node.inbound.map(({ from }) => ({ root: 'nodes', node: from, names: ['output'] }));
  if (config.kind === 'code') return namedIn(config.source, node);
  return readingsOf(config).flatMap(({ root, node: id, path, pointer }): PlaceRead[] => {
    if (!ROOTS.includes(root) || isCounted?.(pointer) === false) return [];
    const read = id === undefined ? undefined : graph.nodes.get(id);
    if (root === 'nodes' && !read) return [];
    const behind = path.slice([root, ...(id === undefined ? [] : [id])].join('.').length + 1);
    const names = behind === '' ? [] : behind.split('.');
    return [{ root: root as PlaceRead['root'], names, ...(read && { node: read }) }];
  });
}

/** A container is given what leads to its items, and what its body reads around itself. */
function ofContainer(graph: FlowGraph, container: GraphNode): PlaceRead[] {
  const inside = nodesInside(container.body!);
  const isOver = (pointer: string) => pointer.startsWith('/over');
  const around = [
    ...ownPlaces(graph, container, (pointer) => !isOver(pointer)),
    ...[...inside].flatMap((node) => ownPlaces(graph, node)),
  ];
  return [
    ...ownPlaces(graph, container, isOver),
    ...around.filter(({ root, node }) => root === 'input' || (node !== undefined && !inside.has(node))),
  ];
}

const nodesInside = ({ nodes }: GraphScope): Set<GraphNode> =>
  new Set(nodes.flatMap((node) => [node, ...(node.body && !node.calls ? nodesInside(node.body) : [])]));

/** What JavaScript reads is told by the names in it: the same that the sandbox goes by. */
function namedIn(source: string, node: GraphNode): PlaceRead[] {
  const isNamed = (name: string) => new RegExp(`\\b${name}\\b`).test(source);
  const roots = (['input', 'item', 'index'] as const).filter(isNamed);
  return [
    ...roots.map((root): PlaceRead => ({ root, names: [] })),
    ...[...upstreamOf(node)]
      .filter(({ id }) => isNamed(id))
      .map((read): PlaceRead => ({ root: 'nodes', node: read, names: ['output'] })),
  ];
}

function upstreamOf(node: GraphNode, found = new Set<GraphNode>()): Set<GraphNode> {
  for (const { from } of node.inbound) {
    if (found.has(from)) continue;
    found.add(from);
    upstreamOf(from, found);
  }
  if (node.scope.container) upstreamOf(node.scope.container, found);
  return found;
}

/** Path of the node run that a reading of the node run at `path` means. */
export const pathRead = (graph: FlowGraph, path: string, read: GraphNode): string =>
  pathSeenFrom(graph, parsePath(graph, path)!.parent, read);
