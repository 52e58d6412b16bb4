import type { EdgeConfig, FlowDocument } from '@pawl/dag-core';
import { type Clip, copyNodes } from '../clipboard/clip.ts';
import { checkPort } from '../connecting/check-connection.ts';
import { changeGraph, everyNode, type Graph, graphAt, idsOf, nodesById, nodesOf } from '../document/graph.ts';
import { isMembers } from '../document/json-path.ts';
import { changeLayout, type NodeLook, type Point } from '../document/layout.ts';
import { freeId } from '../document/new-id.ts';
import { checkPart } from './check-part.ts';
import type { Duplicate, Paste } from './operation.ts';
import { type Changed, refuse } from './refusal.ts';
import { renameAllIn } from './rename-all.ts';

/** How far from the original a copy stands. */
const BESIDE = 32;

/** Adds copied nodes under ids that are free; what they say about each other follows. */
export function paste(document: FlowDocument, operation: Paste): Changed<FlowDocument> {
  const { graph, clip, incoming } = operation;
  const found = graphAt(document, graph);
  if (!found) return refuse({ code: 'graph_unknown', graph });
  if (nodesOf(clip).length === 0) return refuse({ code: 'nothing_chosen' });
  const renames = newIds(document, clip);
  const part = renameAllIn({ nodes: clip.nodes, edges: clip.edges }, renames);
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
  const all = new Set([...taken, ...own]);
  const renames = new Map<string, string>();
  for (const id of own) {
    if (!taken.has(id)) continue;
    const free = freeId(id, all);
    renames.set(id, free);
    all.add(free);
  }
  return renames;
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
  const outer = nodesById(clip);
  const by = shiftOf(clip, [...outer.keys()], at);
  const looks = [...everyNode(clip)].flatMap(({ node: { id } }) => {
    const look = Object.hasOwn(clip.layout, id) ? clip.layout[id] : undefined;
    const old: NodeLook = isMembers(look) ? look : {};
    if (!outer.has(id) && !look) return [];
    const now = outer.has(id) ? { ...old, x: (old.x ?? 0) + by.x, y: (old.y ?? 0) + by.y } : old;
    return [[renames.get(id) ?? id, now] as const];
  });
  return changeLayout(document, (layout) => ({ ...layout, ...Object.fromEntries(looks) }));
}

function shiftOf({ layout }: Clip, ids: readonly string[], at: Point | undefined): Point {
  if (!at) return { x: BESIDE, y: BESIDE };
  const corner = (axis: 'x' | 'y') => Math.min(...ids.map((id) => layout[id]?.[axis] ?? 0));
  return { x: Math.round(at.x - corner('x')), y: Math.round(at.y - corner('y')) };
}
