import type { EdgeConfig, FlowDocument, NodeConfig } from '@pawl/dag-core';
import { type Clip, copyNodes } from '../clipboard/clip.ts';
import { checkPort } from '../connecting/check-connection.ts';
import {
  changeGraph,
  edgesOf,
  everyNode,
  type Graph,
  graphAt,
  idsOf,
  innerGraph,
  nodesById,
  nodesOf,
} from '../document/graph.ts';
import { isMembers } from '../document/json-path.ts';
import { changeLayout, type NodeLook, type Point, setMember } from '../document/layout.ts';
import { freeId } from '../document/new-id.ts';
import { checkPart } from './check-part.ts';
import { renameInGraph } from './follow-references.ts';
import type { Duplicate, Paste } from './operation.ts';
import { type Changed, refuse } from './refusal.ts';

/** How far from the original a copy stands. */
const BESIDE = 32;

/** Adds copied nodes under ids that are free; what they say about each other follows. */
export function paste(document: FlowDocument, operation: Paste): Changed<FlowDocument> {
  const { graph, clip, incoming } = operation;
  const found = graphAt(document, graph);
  if (!found) return refuse({ code: 'graph_unknown', graph });
  if (nodesOf(clip).length === 0) return refuse({ code: 'nothing_chosen' });
  const renames = newIds(document, clip);
  const part = renamedPart({ nodes: clip.nodes, edges: clip.edges }, renames);
  const refused = checkPart(document, part);
  if (refused) return refuse(refused);
  const kept = incoming === 'keep' ? incomingEdges(found, clip, renames) : [];
  const pasted = changeGraph(document, graph, (old) => ({
    ...old,
    nodes: [...old.nodes, ...part.nodes],
    edges: [...old.edges, ...part.edges, ...kept],
  }));
  return placePasted(pasted, operation, renames);
}

/** Copies nodes and pastes them at once. */
export const duplicate = (
  document: FlowDocument,
  { graph, ids, incoming }: Duplicate,
): Changed<FlowDocument> =>
  paste(document, {
    do: 'paste',
    graph,
    clip: copyNodes(document, graph, ids),
    ...(incoming && { incoming }),
  });

/** Every id of the clip that is taken, and what stands for it. */
function newIds(document: FlowDocument, clip: Graph): Map<string, string> {
  const own = idsOf(clip);
  const taken = idsOf(document);
  const renames = new Map<string, string>();
  for (const id of own) {
    if (!taken.has(id)) continue;
    const free = freeId(id, new Set([...taken, ...own]));
    renames.set(id, free);
    taken.add(free);
  }
  return renames;
}

const renamedPart = (part: Graph, renames: ReadonlyMap<string, string>): Graph =>
  renames.size === 0 ? part : withIds(renameInGraph(part, renames), renames);

function withIds(graph: Graph, renames: ReadonlyMap<string, string>): Graph {
  const now = (id: string) => renames.get(id) ?? id;
  return {
    ...graph,
    nodes: nodesOf(graph).map((node) => {
      const body = innerGraph(node);
      return { ...node, id: now(node.id), ...(body && { body: withIds(body, renames) }) } as NodeConfig;
    }),
    edges: edgesOf(graph).map((edge) => ({ ...edge, from: now(edge.from), to: now(edge.to) })),
  };
}

/** Edges from outside whose beginning is here too. They end at new nodes, so none of them closes a circle. */
function incomingEdges(graph: Graph, clip: Clip, renames: ReadonlyMap<string, string>): EdgeConfig[] {
  const copied = nodesById(clip);
  return clip.incoming.flatMap((edge) => {
    const from = nodesById(graph).get(edge.from);
    const isHere = from && copied.has(edge.to) && !copied.has(edge.from) && !checkPort(from, edge.port ?? '');
    return isHere ? [{ ...edge, to: renames.get(edge.to) ?? edge.to }] : [];
  });
}

function placePasted(
  document: FlowDocument,
  { clip, at }: Paste,
  renames: ReadonlyMap<string, string>,
): FlowDocument {
  const outer = nodesOf(clip).map((node) => node.id);
  const by = shiftOf(clip, outer, at);
  return changeLayout(document, (layout) => {
    let changed = layout;
    for (const { node } of everyNode(clip)) {
      const look = Object.hasOwn(clip.layout, node.id) ? clip.layout[node.id] : undefined;
      const old: NodeLook = isMembers(look) ? look : {};
      const isOuter = outer.includes(node.id);
      const now = isOuter ? { ...old, x: (old.x ?? 0) + by.x, y: (old.y ?? 0) + by.y } : old;
      if (isOuter || look) changed = setMember(changed, renames.get(node.id) ?? node.id, now);
    }
    return changed;
  });
}

function shiftOf({ layout }: Clip, ids: readonly string[], at: Point | undefined): Point {
  if (!at) return { x: BESIDE, y: BESIDE };
  const corner = (axis: 'x' | 'y') => Math.min(...ids.map((id) => layout[id]?.[axis] ?? 0));
  return { x: Math.round(at.x - corner('x')), y: Math.round(at.y - corner('y')) };
}
