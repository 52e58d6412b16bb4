import { bodyOf, type FlowDocument, type InnerGraph, type NodeConfig } from './document.ts';

// Rules kept here: G10 the compiled graph says nothing the document does not; G11 a path names one node run in one scope.

/** A drawn edge between compiled nodes. `port` is '' for the normal port. */
export interface GraphEdge {
  readonly from: GraphNode;
  readonly port: string;
  readonly to: GraphNode;
  /** `from->to` or `from:port->to`: how a skip names what killed it (E5). */
  readonly name: string;
}

/** A node with its edges resolved. */
export interface GraphNode {
  readonly id: string;
  readonly config: NodeConfig;
  readonly inbound: GraphEdge[];
  readonly outbound: GraphEdge[];
  readonly scope: GraphScope;
  /** The inner graph of a container. */
  readonly body?: GraphScope;
}

/** One graph of nodes that start and end together: the run, one item of a map, or one turn of a loop. */
export interface GraphScope {
  /** The container node; absent for the run itself. */
  readonly container?: GraphNode;
  readonly nodes: readonly GraphNode[];
  /** Nodes without inbound edges. */
  readonly roots: readonly GraphNode[];
  /** Nodes without outbound edges. */
  readonly leaves: readonly GraphNode[];
}

/** A flow document compiled for running: immutable, shared by every run of the version. */
export interface FlowGraph {
  readonly document: FlowDocument;
  readonly root: GraphScope;
  readonly nodes: ReadonlyMap<string, GraphNode>;
}

interface MutableNode extends Omit<GraphNode, 'scope' | 'body'> {
  scope: GraphScope;
  body?: GraphScope;
}

/**
 * Compiles a valid document (see `validateFlow`) into its topology.
 *
 * @throws {TypeError} when an edge names a node that its graph does not have; a validated document never does
 */
export function compileGraph(document: FlowDocument): FlowGraph {
  const nodes = new Map<string, GraphNode>();
  return { document, root: compileScope(document, undefined, nodes), nodes };
}

function compileScope(
  graph: InnerGraph,
  container: GraphNode | undefined,
  all: Map<string, GraphNode>,
): GraphScope {
  const scope = { container, nodes: [] as GraphNode[], roots: [] as GraphNode[], leaves: [] as GraphNode[] };
  const own = new Map<string, GraphNode>();
  for (const config of graph.nodes) {
    const node: MutableNode = { id: config.id, config, inbound: [], outbound: [], scope };
    const body = bodyOf(config);
    if (body) node.body = compileScope(body, node, all);
    own.set(config.id, node);
    all.set(config.id, node);
    scope.nodes.push(node);
  }
  for (const edge of graph.edges) {
    const from = own.get(edge.from);
    const to = own.get(edge.to);
    if (!from || !to)
      throw new TypeError(`Edge ${edge.from} -> ${edge.to} names a node its graph does not have`);
    const port = edge.port ?? '';
    const compiled = { from, port, to, name: `${edge.from}${port ? `:${port}` : ''}->${edge.to}` };
    from.outbound.push(compiled);
    to.inbound.push(compiled);
  }
  scope.roots = scope.nodes.filter((node) => node.inbound.length === 0);
  scope.leaves = scope.nodes.filter((node) => node.outbound.length === 0);
  return scope;
}

/** What a path names: a node run (`each/3/score`), one item of a map or one turn of a loop (`each/3`). The run itself is the empty path. */
export interface PathTarget {
  readonly node: GraphNode;
  /** Set when the path names an item of `node`, not `node` itself. */
  readonly itemIndex?: number;
  /** The path names the undoing of a node run of `node` (S1), not `node` itself; `node` is then a stand-in without edges. */
  readonly isUndo?: true;
  /** Path of the scope the target lives in: '' for the run, `each/3` inside an item; of an item: its container's path. */
  readonly parent: string;
}

/**
 * Reads a path against a graph (G11).
 *
 * @returns undefined when the path does not fit the graph
 */
export function parsePath(graph: FlowGraph, path: string): PathTarget | undefined {
  const cut = path.lastIndexOf('/');
  const last = cut < 0 ? path : path.slice(cut + 1);
  const parent = cut < 0 ? '' : path.slice(0, cut);
  const isItem = last.charCodeAt(0) <= 57; // ids start with a letter, item indexes with a digit
  if (!isItem) {
    const undone = last === UNDO ? undoneBy(graph, parent) : undefined;
    if (undone) return { node: undoNode(undone), isUndo: true, parent };
    const node = graph.nodes.get(last);
    return node ? { node, parent } : undefined;
  }
  const mapId = parent.slice(parent.lastIndexOf('/') + 1);
  const node = graph.nodes.get(mapId);
  return node?.body ? { node, itemIndex: Number(last), parent } : undefined;
}

/** Last part of the path under which the effect of a node run is undone. */
const UNDO = 'undo';

/** Path under which the effect of the node run at `path` is undone (S1). */
export const undoPath = (path: string): string => `${path}/${UNDO}`;

/** The tool node whose effect is undone under `parent`; a node that happens to be called `undo` lives in no tool node. */
function undoneBy(graph: FlowGraph, parent: string): GraphNode | undefined {
  const target = parent === '' ? undefined : parsePath(graph, parent);
  return target && target.itemIndex === undefined && target.node.config.kind === 'tool'
    ? target.node
    : undefined;
}

const undoNodes = new WeakMap<GraphNode, GraphNode>();

/** Stands for the undoing of a tool node: tried again like the node itself, and then left to a person (S4). */
function undoNode(node: GraphNode): GraphNode {
  const known = undoNodes.get(node);
  if (known) return known;
  const config: NodeConfig = { ...node.config, onError: { do: 'pause' } };
  const made: GraphNode = { id: node.id, config, inbound: [], outbound: [], scope: node.scope };
  undoNodes.set(node, made);
  return made;
}

/** Path of a node inside a scope path. */
export const childPath = (scopePath: string, id: string | number): string =>
  scopePath === '' ? String(id) : `${scopePath}/${id}`;
