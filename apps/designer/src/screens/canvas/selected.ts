import type { FlowDocument } from '@pawl/dag-core';
import { edgeId } from '../../canvas/draw-flow.ts';
import { drawnValue, readDrawnId } from '../../canvas/drawn.ts';
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
const within = (document: FlowDocument, graph: GraphPath, ids: readonly string[]): string[] =>
  ids.filter((id) => findNode(document, id)?.graph.join('/') === graph.join('/'));

/** Every node of the graph in which something is selected, else of the flow. */
export function selectAll({ history, selected, select }: Editing): void {
  const path = selected[0] === undefined ? [] : (findNode(history.document, selected[0])?.graph ?? []);
  const graph = graphAt(history.document, path);
  if (graph) select(nodesOf(graph).map(({ id }) => id));
}

/** Things of one graph: nodes by their ids, notes and frames by those of the canvas. */
interface Chosen {
  readonly graph: GraphPath;
  readonly nodes: readonly string[];
  readonly drawings: readonly string[];
}

/** What is selected in one graph: in that of the first node, else of the first note or frame. Undefined when nothing is. */
export function chosenTogether({ history, selected, selectedDrawings }: Editing): Chosen | undefined {
  const { document: flow } = history;
  const graph =
    selected[0] === undefined
      ? graphOfDrawing(flow, selectedDrawings[0])
      : (findNode(flow, selected[0])?.graph ?? []);
  if (!graph) return undefined;
  const drawings = selectedDrawings.filter((id) => drawnValue(flow, id)?.in === graph.at(-1));
  return { graph, nodes: within(flow, graph, selected), drawings };
}

/** The graph in which a note or frame is drawn; undefined: there is none. */
function graphOfDrawing(flow: FlowDocument, drawn: string | undefined): GraphPath | undefined {
  const value = drawn === undefined ? undefined : drawnValue(flow, drawn);
  if (value?.in === undefined) return value && [];
  return [...(findNode(flow, value.in)?.graph ?? []), value.in];
}

/** Takes away nodes with their edges, notes and frames, in one step. */
export function removeChosen({ together }: Editing, { graph, nodes, drawings }: Chosen): void {
  const next = nodes.length > 0 ? rowAfter(nodes) : undefined;
  const ofNodes = nodes.length > 0 ? [{ do: 'removeNodes', graph, ids: nodes } as const] : [];
  together([...ofNodes, ...drawings.map(removal)]);
  if (next) next.focus();
  else focusDrawing();
}

/** Takes away what is selected: nodes with their edges, notes and frames, else edges. Nodes of other graphs than the first one's stay. */
export function removeSelected(editing: Editing): void {
  const { history, selectedEdges, selectedDrawings, perform } = editing;
  const { document: flow } = history;
  const chosen = chosenTogether(editing);
  if (chosen) {
    removeChosen(editing, { ...chosen, drawings: selectedDrawings });
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
