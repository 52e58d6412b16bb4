import { agentParts } from './agent-graph.ts';
import { bodyOf, type FlowDocument, type InnerGraph, type NodeConfig } from './document.ts';
import type { FlowGraph, GraphNode, GraphScope } from './graph-node.ts';

// Rules kept here: G10 the compiled graph says nothing the document does not; G11 a path names one node run in one scope; G12 which
// pool a node belongs to.

export type { FlowGraph, GraphEdge, GraphNode, GraphScope } from './graph-node.ts';

/** The pool of nodes that name none (G12). */
export const DEFAULT_POOL = 'default';

interface MutableNode extends Omit<GraphNode, 'scope' | 'body' | 'calls'> {
  scope: GraphScope;
  body?: GraphScope;
  calls?: ReadonlyMap<string, GraphNode>;
}

/**
 * Compiles a valid document (see `validateFlow`) into its topology.
 *
 * @throws {TypeError} when an edge names a node that its graph does not have; a validated document never does
 */
export function compileGraph(document: FlowDocument): FlowGraph {
  const nodes = new Map<string, GraphNode>();
  return { document, root: compileScope(document, document.pool, undefined, nodes), nodes };
}

function compileScope(
  graph: InnerGraph,
  outerPool: string | undefined,
  container: GraphNode | undefined,
  all: Map<string, GraphNode>,
): GraphScope {
  const scope = { container, nodes: [] as GraphNode[], roots: [] as GraphNode[], leaves: [] as GraphNode[] };
  const own = new Map<string, GraphNode>();
  for (const config of graph.nodes) {
    const named = config.pool ?? outerPool;
    const pool = named === undefined || named === DEFAULT_POOL ? {} : { pool: named };
    const node: MutableNode = { id: config.id, config, inbound: [], outbound: [], scope, ...pool };
    const body = bodyOf(config);
    if (body) node.body = compileScope(body, named, node, all);
    if (config.kind === 'agent') Object.assign(node, agentParts(node));
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

/**
 * What a path names: a node run (`each/3/score`), one item of a map or turn of a loop (`each/3`), a turn of an agent
 * (`agent/turn-2`), its model call (`agent/turn-2/model`) or a call of a tool (`agent/turn-2/search-0`). The run itself is the
 * empty path.
 */
export interface PathTarget {
  readonly node: GraphNode;
  /** Set when the path names an item or turn of `node`, not `node` itself. */
  readonly itemIndex?: number;
  /** Set when the path names a call of the tool `node`: its place in what the model asked for in that turn. */
  readonly call?: number;
  /** The path names the undoing of a node run of `node` (S1), not `node` itself; `node` is then a stand-in without edges. */
  readonly isUndo?: true;
  /** The path names the asking about an effect of `node` that is in doubt (T20); `node` is then a stand-in without edges. */
  readonly isProbe?: true;
  /** The asking how the call of the tool's node run at `parent` stands. */
  readonly isPoll?: true;
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
    const undone = last === UNDO ? effectAbove(graph, parent) : undefined;
    if (undone) return { node: undoNode(undone), isUndo: true, parent };
    const probed = isProbePath(path) ? effectAbove(graph, parent) : undefined;
    if (probed?.config.kind === 'tool') return { node: probeNode(probed), isProbe: true, parent };
    const polled = isPollPath(path) ? effectAbove(graph, parent) : undefined;
    if (polled?.config.kind === 'tool') return { node: probeNode(polled), isPoll: true, parent };
    const part = agentPart(graph, last, parent);
    if (part) return part;
    const node = graph.nodes.get(last);
    return node ? { node, parent } : undefined;
  }
  const mapId = parent.slice(parent.lastIndexOf('/') + 1);
  const node = graph.nodes.get(mapId);
  return node?.body && !node.calls ? { node, itemIndex: Number(last), parent } : undefined;
}

/** What the path of a turn of an agent begins with. */
const TURN = 'turn-';
const CALL = /^(.+)-(\d+)$/;

/** A turn of an agent, or a part of one: the only names below a letter. */
function agentPart(graph: FlowGraph, last: string, parent: string): PathTarget | undefined {
  if (parent === '') return undefined;
  const above = parent.slice(parent.lastIndexOf('/') + 1);
  if (above.charCodeAt(0) <= 57) return undefined;
  const agent = graph.nodes.get(above);
  if (agent?.calls)
    return last.startsWith(TURN)
      ? { node: agent, itemIndex: Number(last.slice(TURN.length)), parent }
      : undefined;
  if (!above.startsWith(TURN)) return undefined;
  const around = parent.slice(0, Math.max(0, parent.lastIndexOf('/')));
  const { calls, body } = graph.nodes.get(around.slice(around.lastIndexOf('/') + 1)) ?? {};
  if (!calls || !body) return undefined;
  if (last === body.roots[0]!.id) return { node: body.roots[0]!, parent };
  const [, name = '', number] = CALL.exec(last) ?? [];
  const node = calls.get(name);
  return node && { node, call: Number(number), parent };
}

/** Path of an item of a map or a turn of a loop or agent below its container's path. */
export const itemPath = (container: GraphNode, path: string, index: number): string =>
  childPath(path, container.calls ? `${TURN}${index}` : index);

/** Id of the drawn node that a compiled one stands for: of the parts of an agent the agent's. */
export const drawnId = ({ id, scope }: GraphNode): string =>
  scope.container?.calls ? scope.container.id : id;

/** Last part of the path under which the effect of a node run is undone. */
const UNDO = 'undo';

/** Path under which the effect of the node run at `path` is undone (S1). */
export const undoPath = (path: string): string => `${path}/${UNDO}`;

/** The node of a tool or sub-flow that is undone or asked about under `parent`; what is drawn lives in none. */
function effectAbove(graph: FlowGraph, parent: string): GraphNode | undefined {
  const target = parent === '' ? undefined : parsePath(graph, parent);
  if (!target || target.itemIndex !== undefined) return undefined;
  const { kind } = target.node.config;
  return kind === 'tool' || kind === 'flow' ? target.node : undefined;
}

/** Path under which the tool of the node run at `path` is asked about the attempt that is in doubt (T20). */
export const probePath = (path: string, attempt: number): string => `${path}/probe-${attempt}`;

/** True for paths that may name the asking about a doubt; a node may be called so, too. */
export const isProbePath = (path: string): boolean => /\/probe-\d+$/.test(path);

/** Path under which the tool of the node run at `path` is asked how the call of that attempt stands (T23). */
export const pollPath = (path: string, attempt: number): string => `${path}/poll-${attempt}`;

/** True for paths that may name the asking about a call; a node may be called so, too. */
export const isPollPath = (path: string): boolean => /\/poll-\d+$/.test(path);

const undoNodes = new WeakMap<GraphNode, GraphNode>();
const probeNodes = new WeakMap<GraphNode, GraphNode>();

/** How often and how patiently a tool is asked before a person is. */
const PROBE_RETRY = { maxAttempts: 6, initialMs: 1_000, factor: 2, maxMs: 30_000, jitter: 0.2 };

/** Stands for the asking about a doubt, or about a call: nothing follows from its failures but that it is asked again. */
function probeNode(node: GraphNode): GraphNode {
  const known = probeNodes.get(node);
  if (known) return known;
  const made = standIn(node, { ...node.config, retry: PROBE_RETRY, onError: { do: 'fail' } });
  probeNodes.set(node, made);
  return made;
}

const standIn = ({ id, scope, pool }: GraphNode, config: NodeConfig): GraphNode => ({
  id,
  config,
  inbound: [],
  outbound: [],
  scope,
  pool,
});

/** Stands for the undoing of a node: tried again like the node itself, and then left to a person (S4). */
function undoNode(node: GraphNode): GraphNode {
  const known = undoNodes.get(node);
  if (known) return known;
  const made = standIn(node, { ...node.config, onError: { do: 'pause' } });
  undoNodes.set(node, made);
  return made;
}

/** Path of a node run as it is seen from a scope: of that scope, or of one around it. */
export function pathSeenFrom(graph: FlowGraph, scopePath: string, node: GraphNode): string {
  for (let scope = scopePath; scope !== ''; ) {
    const target = parsePath(graph, scope)!;
    if (target.node.body === node.scope) return childPath(scope, node.id);
    scope = parsePath(graph, target.parent)!.parent;
  }
  return node.id;
}

/** Path of a node inside a scope path. */
export const childPath = (scopePath: string, id: string | number): string =>
  scopePath === '' ? String(id) : `${scopePath}/${id}`;
