import type { FlowDocument } from '@pawl/dag-core';
import { edgeId } from '../../canvas/draw-flow.ts';
import { readDrawnId } from '../../canvas/drawn.ts';
import type { Editing } from '../../canvas/editing.ts';
import {
  type Draw,
  edgesOf,
  everyNode,
  findNode,
  type GraphPath,
  graphAt,
  innerGraph,
  nodesOf,
} from '../../editor/index.ts';
import { focusDrawing, rowAfter } from './showing.ts';

/** Those of the ids that are in this graph. */
export const within = (document: FlowDocument, graph: GraphPath, ids: readonly string[]): string[] =>
  ids.filter((id) => findNode(document, id)?.graph.join('/') === graph.join('/'));

/** Every node of the graph in which something is selected, else of the flow. */
export function selectAll({ history, selected, select }: Editing): void {
  const path = selected[0] === undefined ? [] : (findNode(history.document, selected[0])?.graph ?? []);
  const graph = graphAt(history.document, path);
  if (graph) select(nodesOf(graph).map(({ id }) => id));
}

/** Takes away what is selected: nodes with their edges, notes and frames, else edges. Nodes of other graphs than the first one's stay. */
export function removeSelected({
  history,
  selected,
  selectedEdges,
  selectedDrawings,
  perform,
  together,
}: Editing): void {
  const { document: flow } = history;
  const graph = selected[0] === undefined ? undefined : findNode(flow, selected[0])?.graph;
  if (graph) {
    const next = rowAfter(selected);
    const nodes = { do: 'removeNodes', graph, ids: within(flow, graph, selected) } as const;
    together([nodes, ...selectedDrawings.map(removal)]);
    if (next) next.focus();
    else focusDrawing();
    return;
  }
  if (selectedDrawings.length > 0) {
    together(selectedDrawings.map(removal));
    focusDrawing();
    return;
  }
  for (const path of pathsOf(flow)) {
    const edges = edgesOf(graphAt(flow, path)!).filter((edge) => selectedEdges.includes(edgeId(edge)));
    if (edges.length > 0) return void perform({ do: 'disconnect', graph: path, edges });
  }
}

const removal = (drawn: string): Draw => ({ do: 'draw', ...readDrawnId(drawn)! });

/** Every graph of a flow. */
const pathsOf = (flow: FlowDocument): GraphPath[] => [
  [],
  ...[...everyNode(flow)]
    .filter(({ node }) => innerGraph(node))
    .map(({ graph, node }) => [...graph, node.id]),
];
