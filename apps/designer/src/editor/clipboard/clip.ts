import { type EdgeConfig, FLOW_FORMAT, type FlowDocument, type NodeConfig } from '@pawl/dag-core';
import { edgesOf, everyNode, type Graph, type GraphPath, graphAt, nodesOf } from '../document/graph.ts';
import { isMembers } from '../document/json-path.ts';
import { lookOf, type NodeLook } from '../document/layout.ts';

const CLIP_FORMAT = 'pawl-nodes/1';

/** Nodes that were copied, as the clipboard holds them: JSON that another tab, another flow or a text file understands. */
export interface Clip {
  readonly format: typeof CLIP_FORMAT;
  readonly nodes: readonly NodeConfig[];
  readonly edges: readonly EdgeConfig[];
  /** Edges that led to them from outside. */
  readonly incoming: readonly EdgeConfig[];
  /** How they were drawn, those inside them included. */
  readonly layout: Readonly<Record<string, NodeLook>>;
}

/** Copies nodes of one graph, in the order in which they stand there. */
export function copyNodes(document: FlowDocument, graph: GraphPath, ids: readonly string[]): Clip {
  const found = graphAt(document, graph) ?? { nodes: [], edges: [] };
  const inside = new Set(ids);
  const nodes = nodesOf(found).filter((node) => inside.has(node.id));
  const edges = edgesOf(found);
  return {
    format: CLIP_FORMAT,
    nodes,
    edges: edges.filter((edge) => inside.has(edge.from) && inside.has(edge.to)),
    incoming: edges.filter((edge) => !inside.has(edge.from) && inside.has(edge.to)),
    layout: looksOf(document, { nodes, edges: [] }),
  };
}

function looksOf(document: FlowDocument, part: Graph): Record<string, NodeLook> {
  const looks = [...everyNode(part)].map(({ node }) => [node.id, lookOf(document, node.id)] as const);
  return Object.fromEntries(looks.filter(([, look]) => Object.keys(look).length > 0));
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
    layout: isMembers(layout) ? (layout as Clip['layout']) : {},
  };
}
