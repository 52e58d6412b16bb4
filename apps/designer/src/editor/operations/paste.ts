import type { EdgeConfig, FlowDocument } from '@pawl/dag-core';
import { type Clip, copyNodes } from '../clipboard/clip.ts';
import { checkPort } from '../connecting/check-connection.ts';
import { changeGraph, everyNode, type Graph, graphAt, idsOf, nodesById, nodesOf } from '../document/graph.ts';
import { changeLayout, lookOf, type NodeLook, type Point } from '../document/layout.ts';
import { freeId } from '../document/new-id.ts';
import { checkPart } from './check-part.ts';
import type { Duplicate, Paste } from './operation.ts';
import { drawingsIn, outerDrawings, pasteDrawings } from './paste-drawings.ts';
import { type Changed, refuse } from './refusal.ts';
import { renameAllIn } from './rename-all.ts';

/** How far from the original a copy stands. */
const BESIDE = 32;

/** Adds copied nodes, notes and frames under ids that are free; what they say about each other follows. */
export function paste(document: FlowDocument, operation: Paste): Changed<FlowDocument> {
  const { graph, clip, incoming } = operation;
  const found = graphAt(document, graph);
  if (!found) return refuse({ code: 'graph_unknown', graph });
  if (nodesOf(clip).length === 0 && drawingsIn(clip).length === 0) return refuse({ code: 'nothing_chosen' });
  const renames = newIds(document, clip);
  const part = renameAllIn({ nodes: clip.nodes, edges: clip.edges }, renames);
  const refused = checkPart(document, part);
  if (refused) return refuse(refused);
  const kept = incoming === 'keep' ? incomingEdges(found, clip, renames) : [];
  const add = (old: Graph): Graph => ({
    ...old,
    nodes: [...old.nodes, ...part.nodes],
    edges: [...old.edges, ...part.edges, ...kept],
  });
  // Notes alone change no graph.
  const pasted = part.nodes.length === 0 ? document : changeGraph(document, graph, add);
  return placePasted(pasted, operation, renames);
}

/** Copies nodes and pastes them at once. */
export const duplicate = (
  document: FlowDocument,
  { graph, ids, notes = [], frames = [], incoming }: Duplicate,
): Changed<FlowDocument> =>
  paste(document, {
    do: 'paste',
    graph,
    clip: copyNodes(document, graph, ids, { notes, frames }),
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
  { graph, clip, at }: Paste,
  renames: ReadonlyMap<string, string>,
): FlowDocument {
  const outer = nodesById(clip);
  const by = shiftOf(clip, [...outer.keys()], at);
  const looks = [...everyNode(clip)].flatMap(({ node: { id } }) => {
    const old: NodeLook = lookOf(clip, id);
    if (!outer.has(id) && !Object.hasOwn(clip.layout, id)) return [];
    const now = outer.has(id) ? { ...old, x: (old.x ?? 0) + by.x, y: (old.y ?? 0) + by.y } : old;
    return [[renames.get(id) ?? id, now] as const];
  });
  const placed = changeLayout(document, (layout) => ({ ...layout, ...Object.fromEntries(looks) }));
  return pasteDrawings(placed, clip, { container: graph.at(-1), by, renames });
}

function shiftOf(clip: Clip, ids: readonly string[], at: Point | undefined): Point {
  if (!at) return { x: BESIDE, y: BESIDE };
  const outer: Partial<Point>[] = [...ids.map((id) => lookOf(clip, id)), ...outerDrawings(clip)];
  const corner = (axis: 'x' | 'y') => Math.min(...outer.map((each) => each[axis] ?? 0));
  return { x: Math.round(at.x - corner('x')), y: Math.round(at.y - corner('y')) };
}
