import type { FlowDocument } from '@pawl/dag-core';
import type { GraphPath } from '../document/graph.ts';
import { DRAWINGS, type Drawing, drawingsOf, lookOf } from '../document/layout.ts';
import { apply } from '../operations/apply.ts';
import { isRefused } from '../operations/refusal.ts';
import { differences, saySame } from './differences.ts';
import { type FlatFlow, type FlatNode, flatten, type PlacedEdge, settingsOf } from './flat-flow.ts';

// Rules kept here: D13 what differs between two documents, told by node, edge and pointer.

/** What became of a node. `graph` is where it is, or was. */
export type NodeChange =
  | { readonly change: 'added' | 'removed'; readonly id: string; readonly graph: GraphPath }
  | {
      readonly change: 'changed';
      readonly id: string;
      readonly graph: GraphPath;
      /** What differs inside the node. */
      readonly pointers: readonly string[];
      /** Its id before. */
      readonly was?: string;
      /** The graph in which it was before. */
      readonly from?: GraphPath;
    };

export interface FlowDiff {
  readonly nodes: readonly NodeChange[];
  readonly edges: { readonly added: readonly PlacedEdge[]; readonly removed: readonly PlacedEdge[] };
  /** Pointers of the flow's own settings that differ. */
  readonly settings: readonly string[];
  /** Nodes that only look otherwise: another place, size or colour. */
  readonly moved: readonly string[];
  /** Notes and frames that differ. */
  readonly drawings: readonly { readonly drawing: Drawing; readonly id: string }[];
}

/** True when a run would not notice the difference. */
export const isLookOnly = ({ nodes, edges, settings }: FlowDiff): boolean =>
  nodes.length + edges.added.length + edges.removed.length + settings.length === 0;

/** What leads from one document to the other. A node that only has another id was renamed, and what names it has not changed. */
export function diffFlows(before: FlowDocument, after: FlowDocument): FlowDiff {
  const renames = new Map<string, string>();
  const old = followRenames(before, after, renames);
  const [was, is] = [flatten(old), flatten(after)];
  return {
    nodes: [...changesOfNodes(was, is, renames)],
    edges: { added: missingIn(was, is), removed: missingIn(is, was) },
    settings: differences(settingsOf(old), settingsOf(after)),
    moved: [...is.nodes.values()]
      .filter(({ id, own }) => saySame(was.nodes.get(id)?.own, own))
      .map(({ id }) => id)
      .filter((id) => !saySame(lookOf(old, id), lookOf(after, id))),
    drawings: changedDrawings(old, after),
  };
}

/** `before` with the ids of `after`, where a node has only got another one. One at a time: a node may read another that was renamed too. */
function followRenames(
  before: FlowDocument,
  after: FlowDocument,
  renames: Map<string, string>,
): FlowDocument {
  const [was, is] = [flatten(before), flatten(after)];
  const gone = [...was.nodes.values()].filter(({ id }) => !is.nodes.has(id));
  const come = [...is.nodes.values()].filter(({ id }) => !was.nodes.has(id));
  for (const node of gone) {
    const alike = come.filter((each) => isAlike(node, each));
    const to = alike.length === 1 ? alike[0] : alike.find((each) => haveSameEdges(was, node, is, each));
    if (!to) continue;
    const renamed = apply(before, { do: 'renameNode', graph: node.graph, id: node.id, to: to.id });
    if (isRefused(renamed)) continue;
    renames.set(to.id, node.id);
    return followRenames(renamed.document, after, renames);
  }
  return before;
}

const isAlike = (one: FlatNode, other: FlatNode): boolean =>
  one.graph.at(-1) === other.graph.at(-1) && saySame({ ...one.own, id: '' }, { ...other.own, id: '' });

function haveSameEdges(was: FlatFlow, one: FlatNode, is: FlatFlow, other: FlatNode): boolean {
  const around = ({ edges }: FlatFlow, { id }: FlatNode) =>
    [...edges.values()]
      .filter(({ edge }) => edge.from === id || edge.to === id)
      .map(({ edge }) =>
        JSON.stringify([edge.from === id || edge.from, edge.port ?? '', edge.to === id || edge.to]),
      )
      .sort();
  return saySame(around(was, one), around(is, other));
}

function* changesOfNodes(
  was: FlatFlow,
  is: FlatFlow,
  renames: ReadonlyMap<string, string>,
): Generator<NodeChange> {
  for (const { id, graph } of was.nodes.values())
    if (!is.nodes.has(id)) yield { change: 'removed', id, graph };
  for (const { id, graph, own } of is.nodes.values()) {
    const old = was.nodes.get(id);
    if (!old) {
      yield { change: 'added', id, graph };
      continue;
    }
    const pointers = differences(old.own, own);
    const name = renames.get(id);
    const hasMoved = old.graph.at(-1) !== graph.at(-1);
    if (pointers.length > 0 || name !== undefined || hasMoved)
      yield {
        change: 'changed',
        id,
        graph,
        pointers,
        ...(name !== undefined && { was: name }),
        ...(hasMoved && { from: old.graph }),
      };
  }
}

const missingIn = (flow: FlatFlow, other: FlatFlow): PlacedEdge[] =>
  [...other.edges].filter(([name]) => !flow.edges.has(name)).map(([, edge]) => edge);

function changedDrawings(before: FlowDocument, after: FlowDocument): FlowDiff['drawings'] {
  return (Object.keys(DRAWINGS) as Drawing[]).flatMap((drawing) => {
    const [old, now]: Readonly<Record<string, unknown>>[] = [
      drawingsOf(before, drawing),
      drawingsOf(after, drawing),
    ];
    const ids = new Set([...Object.keys(old!), ...Object.keys(now!)]);
    return [...ids].filter((id) => !saySame(old![id], now![id])).map((id) => ({ drawing, id }));
  });
}
