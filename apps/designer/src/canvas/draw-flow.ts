import type { EdgeConfig, FlowDocument, NodeConfig } from '@pawl/dag-core';
import { type Edge, MarkerType, type Node, type NodeProps, Position } from '@xyflow/react';
import {
  boxOf,
  callsShown,
  edgesOf,
  type GraphPath,
  innerGraph,
  knownPorts,
  lookOf,
  type NodeLook,
  nodesOf,
  PADDING,
  type Size,
} from '../editor/index.ts';

/** What the canvas draws of a node. */
export type CanvasNode = Node<
  {
    readonly node: NodeConfig;
    readonly graph: GraphPath;
    readonly ports: readonly string[];
    /** Ports that edges leave by and that the node does not have; they are among `ports`. */
    readonly strayPorts?: readonly string[];
    /** A container: opened in place, or closed. */
    readonly body?: 'open' | 'closed';
    /** Of an agent with something to call: whether that is shown inside it. */
    readonly calls?: 'open' | 'closed';
    /** A container that is open and holds nothing. */
    readonly isEmpty?: boolean;
    /** An output is kept with it, for tests. */
    readonly isPinned?: boolean;
  },
  'card' | 'container'
>;

export type CanvasEdge = Edge<{ readonly edge: EdgeConfig; readonly graph: GraphPath }, 'wire'>;

/** Handles are named by their port; the prefix tells the normal port, whose name is empty, from none. */
export const handleOf = (port: string): string => `port ${port}`;
export const portOf = (handle: string | null | undefined): string => handle?.slice('port '.length) ?? '';

const HANDLE = 12;

/** How far down a node's edge a port sits. */
export function portY(ports: readonly string[], port: string): number {
  if (port === '') return 32;
  return 64 + ports.filter((each) => each !== '').indexOf(port) * 22 + 11;
}

/** What a drawing was made of besides what can be read from it. `ports`: the named ones that edges leave by. */
const madeOf = new WeakMap<CanvasNode, { readonly look: NodeLook; readonly ports: string }>();

/**
 * The nodes of all graphs that are open, outer ones first. What is drawn as before is the same object, and without a change all of them
 * are the same list. A node that is as it was is not drawn again to find that out: most edits are about one of a thousand.
 */
export function drawNodes(
  document: FlowDocument,
  selected: ReadonlySet<string>,
  nameOf: (node: NodeConfig, graph: GraphPath) => string,
  before: readonly CanvasNode[],
): readonly CanvasNode[] {
  const old = new Map(before.map((node) => [node.id, node]));
  const drawn: CanvasNode[] = [];
  const draw = (node: NodeConfig, graph: GraphPath, used: ReadonlySet<string> | undefined): CanvasNode => {
    const was = old.get(node.id);
    const look = lookOf(document, node.id);
    const ports = [...(used ?? [])].join('/');
    const name = nameOf(node, graph);
    const isSelected = selected.has(node.id);
    const made = was && madeOf.get(was);
    const isSame =
      was?.data.node === node &&
      made?.look === look &&
      made.ports === ports &&
      was.selected === isSelected &&
      was.ariaLabel === name &&
      isSameGraph(was.data.graph, graph);
    // A container is as large as what it holds, wherever that stands.
    if (isSame && innerGraph(node) === undefined) return was;
    const drawn = drawNode(document, node, graph, used, isSelected, name);
    // What it shows stays the same object where only its place is another: then it is moved, and not drawn anew.
    const now = was && isSameData(was.data, drawn.data) ? { ...drawn, data: was.data } : drawn;
    const kept = was && isSameDrawing(was, now) ? was : now;
    madeOf.set(kept, { look, ports });
    return kept;
  };
  const drawGraph = (nodes: readonly NodeConfig[], edges: readonly EdgeConfig[], graph: GraphPath): void => {
    const used = portsUsed(edges);
    for (const node of nodes) drawn.push(draw(node, graph, used.get(node.id)));
    for (const node of nodes) {
      const body = innerGraph(node);
      if (body && !lookOf(document, node.id).collapsed)
        drawGraph(nodesOf(body), edgesOf(body), [...graph, node.id]);
    }
  };
  drawGraph(nodesOf(document), edgesOf(document), []);
  return sameList(before, drawn);
}

const sameList = <T>(before: readonly T[], now: readonly T[]): readonly T[] =>
  before.length === now.length && now.every((item, at) => item === before[at]) ? before : now;

const isSameGraph = (one: GraphPath, other: GraphPath): boolean => one.join('/') === other.join('/');

/** The named ports that edges leave each node by. */
function portsUsed(edges: readonly EdgeConfig[]): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>();
  for (const { from, port } of edges) {
    if (!port) continue;
    const ports = used.get(from);
    if (ports) ports.add(port);
    else used.set(from, new Set([port]));
  }
  return used;
}

/** An edge whose port the node does not have, or has no more, is drawn and flagged: what is not seen cannot be mended. */
function drawNode(
  document: FlowDocument,
  node: NodeConfig,
  graph: GraphPath,
  used: ReadonlySet<string> | undefined,
  selected: boolean,
  ariaLabel: string,
): CanvasNode {
  const known = knownPorts(node) ?? [''];
  const strayPorts = used ? [...used].filter((port) => !known.includes(port)) : [];
  const ports = strayPorts.length > 0 ? [...known, ...strayPorts] : known;
  const box = boxOf(document, node);
  const { x, y, width } = box;
  const height = Math.max(box.height, strayPorts.length > 0 ? portY(ports, strayPorts.at(-1)!) + 11 : 0);
  const inner = innerGraph(node);
  const calls = callsShown(document, node);
  const isOpen = inner !== undefined && !lookOf(document, node.id).collapsed;
  return {
    id: node.id,
    type: isOpen ? 'container' : 'card',
    position: { x, y },
    width,
    height,
    measured: { width, height },
    handles: handlesOf(ports, { width, height }),
    selected,
    ariaLabel,
    ...(graph.length > 0 && {
      parentId: graph.at(-1)!,
      extent: [
        [PADDING.left, PADDING.top],
        [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
      ] as [[number, number], [number, number]],
    }),
    data: {
      node,
      graph,
      ports,
      ...(strayPorts.length > 0 && { strayPorts }),
      ...(inner && { body: isOpen ? 'open' : 'closed' }),
      ...(calls && { calls }),
      ...(isOpen && nodesOf(inner).length === 0 && { isEmpty: true }),
      ...(lookOf(document, node.id).pin && { isPinned: true }),
    },
  };
}

/** Whether a node would be drawn as before: React Flow also says where it is, which its frame sees to. */
export const isDrawnAlike = (
  one: Pick<NodeProps<Node>, 'id' | 'data' | 'selected'>,
  other: Pick<NodeProps<Node>, 'id' | 'data' | 'selected'>,
): boolean => one.id === other.id && one.data === other.data && one.selected === other.selected;

/** Told beforehand, so that nothing has to be measured before edges are drawn. */
function handlesOf(ports: readonly string[], { width }: Size) {
  const at = (x: number, y: number) => ({
    x: x - HANDLE / 2,
    y: y - HANDLE / 2,
    width: HANDLE,
    height: HANDLE,
  });
  return [
    { id: 'in', type: 'target' as const, position: Position.Left, ...at(0, 32) },
    ...ports.map((port) => ({
      id: handleOf(port),
      type: 'source' as const,
      position: Position.Right,
      ...at(width, portY(ports, port)),
    })),
  ];
}

/** The ports that a node has follow from itself. */
const isSameData = (one: CanvasNode['data'], other: CanvasNode['data']): boolean =>
  one.node === other.node &&
  one.body === other.body &&
  one.calls === other.calls &&
  one.isPinned === other.isPinned &&
  one.strayPorts?.join('/') === other.strayPorts?.join('/') &&
  isSameGraph(one.graph, other.graph);

const isSameDrawing = (one: CanvasNode, other: CanvasNode): boolean =>
  one.data === other.data &&
  one.selected === other.selected &&
  one.position.x === other.position.x &&
  one.position.y === other.position.y &&
  one.width === other.width &&
  one.height === other.height &&
  one.ariaLabel === other.ariaLabel;

/** How an edge is named on the canvas and among what is selected. */
export const edgeId = ({ from, port = '', to }: EdgeConfig): string => `${from}:${port}->${to}`;

/** The edges of all graphs that are open; those of `loop`, nodes in a circle, are lit. What is drawn as before is the same object. */
export function drawEdges(
  document: FlowDocument,
  selected: ReadonlySet<string>,
  loop: readonly string[],
  classes: { readonly lit: string; readonly error: string },
  before: readonly CanvasEdge[] = [],
): readonly CanvasEdge[] {
  const old = new Map(before.map((edge) => [edge.id, edge]));
  const drawn: CanvasEdge[] = [];
  const isLit = ({ from, to }: EdgeConfig) => loop.some((id, at) => id === from && loop[at + 1] === to);
  const drawGraph = (edges: readonly EdgeConfig[], nodes: readonly NodeConfig[], graph: GraphPath): void => {
    for (const edge of edges) {
      const tone = isLit(edge) ? classes.lit : edge.port === 'error' ? classes.error : undefined;
      const id = edgeId(edge);
      const was = old.get(id);
      const isSame =
        was?.data?.edge === edge &&
        was.selected === selected.has(id) &&
        was.className === tone &&
        isSameGraph(was.data.graph, graph);
      if (isSame) {
        drawn.push(was);
        continue;
      }
      drawn.push({
        id,
        type: 'wire',
        source: edge.from,
        sourceHandle: handleOf(edge.port ?? ''),
        target: edge.to,
        targetHandle: 'in',
        selected: selected.has(id),
        ...(tone && { className: tone }),
        markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14 },
        data: { edge, graph },
      });
    }
    for (const node of nodes) {
      const body = innerGraph(node);
      if (body && !lookOf(document, node.id).collapsed)
        drawGraph(edgesOf(body), nodesOf(body), [...graph, node.id]);
    }
  };
  drawGraph(edgesOf(document), nodesOf(document), []);
  return sameList(before, drawn);
}
