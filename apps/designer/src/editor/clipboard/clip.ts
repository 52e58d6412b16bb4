import { type EdgeConfig, FLOW_FORMAT, type FlowDocument, type NodeConfig } from '@pawl/dag-core';
import { edgesOf, everyNode, type Graph, type GraphPath, graphAt, nodesOf } from '../document/graph.ts';
import { isMembers } from '../document/json-path.ts';
import { DRAWINGS, type Drawing, drawingsOf, lookOf } from '../document/layout.ts';

const CLIP_FORMAT = 'pawl-nodes/1';

/** Nodes that were copied, as the clipboard holds them: JSON that another tab, another flow or a text file understands. */
export interface Clip {
  readonly format: typeof CLIP_FORMAT;
  readonly nodes: readonly NodeConfig[];
  readonly edges: readonly EdgeConfig[];
  /** Edges that led to them from outside. */
  readonly incoming: readonly EdgeConfig[];
  /** How they were drawn, those inside them included, and the notes and frames that go along: as the layout of a flow. */
  readonly layout: Readonly<Record<string, unknown>>;
}

/** Notes and frames that are copied, by their ids. Those inside a container go with it. */
export interface CopiedDrawings {
  readonly notes?: readonly string[];
  readonly frames?: readonly string[];
}

/** Copies nodes of one graph, in the order in which they stand there, and notes and frames of it. */
export function copyNodes(
  document: FlowDocument,
  graph: GraphPath,
  ids: readonly string[],
  { notes = [], frames = [] }: CopiedDrawings = {},
): Clip {
  const found = graphAt(document, graph) ?? { nodes: [], edges: [] };
  const inside = new Set(ids);
  const nodes = nodesOf(found).filter((node) => inside.has(node.id));
  const edges = edgesOf(found);
  return {
    format: CLIP_FORMAT,
    nodes,
    edges: edges.filter((edge) => inside.has(edge.from) && inside.has(edge.to)),
    incoming: edges.filter((edge) => !inside.has(edge.from) && inside.has(edge.to)),
    layout: layoutOfPart(document, { nodes, edges: [] }, (drawing, id, { in: container }) =>
      container === graph.at(-1) ? { note: notes, frame: frames }[drawing].includes(id) : false,
    ),
  };
}

/** How a part is drawn, with the notes and frames inside its containers and those that are chosen. */
function layoutOfPart(
  document: FlowDocument,
  part: Graph,
  isChosen: (drawing: Drawing, id: string, value: { readonly in?: string }) => boolean,
): Clip['layout'] {
  const ids = [...everyNode(part)].map(({ node }) => node.id);
  const inside = new Set(ids);
  const looks = ids.map((id) => [id, lookOf(document, id)] as const);
  const drawings = (['note', 'frame'] as const).map((drawing) => {
    const chosen = Object.entries(drawingsOf(document, drawing)).filter(
      ([id, value]) => isMembers(value) && (inside.has(`${value.in}`) || isChosen(drawing, id, value)),
    );
    return [DRAWINGS[drawing], Object.fromEntries(chosen)] as const;
  });
  return Object.fromEntries([...looks, ...drawings].filter(([, look]) => Object.keys(look).length > 0));
}

export const writeClip = (clip: Clip): string => JSON.stringify(clip, null, 2);

/** Reads what was pasted: copied nodes, or a whole flow. Undefined when it is neither. */
export function readClip(text: string): Clip | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isMembers(value) || !Array.isArray(value.nodes) || !Array.isArray(value.edges)) return undefined;
  if (value.format === FLOW_FORMAT) {
    const flow = value as unknown as FlowDocument;
    return copyNodes(
      flow,
      [],
      nodesOf(flow).map((node) => node.id),
      {
        notes: Object.keys(drawingsOf(flow, 'note')),
        frames: Object.keys(drawingsOf(flow, 'frame')),
      },
    );
  }
  if (value.format !== CLIP_FORMAT) return undefined;
  const graph = value as unknown as Graph;
  const { incoming, layout } = value;
  return {
    format: CLIP_FORMAT,
    nodes: nodesOf(graph),
    edges: edgesOf(graph),
    incoming: Array.isArray(incoming) ? edgesOf({ edges: incoming }) : [],
    layout: isMembers(layout) ? layout : {},
  };
}
