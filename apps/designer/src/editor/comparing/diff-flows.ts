import { canonicalJson, type FlowDocument, type Json, type NodeConfig } from '@pawl/dag-core';
import type { GraphPath } from '../document/graph.ts';
import { DRAWINGS, type Drawing, drawingsOf, lookOf } from '../document/layout.ts';
import { renameInGraph } from '../operations/follow-references.ts';
import { renameAll } from '../operations/rename-all.ts';
import { differences, saySame } from './differences.ts';
import { type FlatFlow, flatten, type PlacedEdge, settingsOf } from './flat-flow.ts';

// Rules kept here: D13 what differs between two documents, told by node, edge and pointer.

/** What became of a node. `graph` is where it is, or was. */
type NodeChange =
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

/** `before` with the ids of `after`, where a node has only got another one. */
function followRenames(
  before: FlowDocument,
  after: FlowDocument,
  renames: Map<string, string>,
): FlowDocument {
  const found = findRenames(flatten(before), flatten(after));
  for (const [id, to] of found) renames.set(to, id);
  return found.size === 0 ? before : renameAll(before, found);
}

/** Nodes that are gone, and those that came and are like them: what they say and where they are, then also their edges. */
function findRenames(was: FlatFlow, is: FlatFlow): Map<string, string> {
  const gone = strangersIn(was, is);
  const come = strangersIn(is, was);
  const renames = new Map<string, string>();
  for (const [likeness, ids] of gone.byLikeness) {
    const others = come.byLikeness.get(likeness) ?? [];
    if (ids.length === 1 && others.length === 1) renames.set(ids[0]!, others[0]!);
    else
      for (const id of ids) {
        const to = others.find((each) => come.edges.get(each) === gone.edges.get(id));
        if (to === undefined) continue;
        renames.set(id, to);
        others.splice(others.indexOf(to), 1);
      }
  }
  return renames;
}

/** The nodes that only one of two flows has, by what they are like; ids that may have changed count for nothing in it. */
function strangersIn(flow: FlatFlow, other: FlatFlow) {
  const ids = [...flow.nodes.keys()].filter((id) => !other.nodes.has(id));
  const anonymous = new Map(ids.map((id) => [id, 'any']));
  const nodes = ids.map((id) => flow.nodes.get(id)!.own as unknown as NodeConfig);
  const byLikeness = new Map<string, string[]>();
  renameInGraph({ nodes, edges: [] }, anonymous).nodes.forEach((node, at) => {
    const id = ids[at]!;
    const container = flow.nodes.get(id)!.graph.at(-1) ?? '';
    const likeness = canonicalJson([
      anonymous.get(container) ?? container,
      { ...node, id: '' },
    ] as unknown as Json);
    byLikeness.set(likeness, [...(byLikeness.get(likeness) ?? []), id]);
  });
  return { byLikeness, edges: edgesAround(flow, anonymous) };
}

function edgesAround({ edges }: FlatFlow, anonymous: ReadonlyMap<string, string>): Map<string, string> {
  const around = new Map<string, string[]>();
  const add = (id: string, line: readonly unknown[]) =>
    around.set(id, [...(around.get(id) ?? []), JSON.stringify(line)]);
  for (const { edge } of edges.values()) {
    add(edge.from, ['to', edge.port ?? '', anonymous.get(edge.to) ?? edge.to]);
    add(edge.to, ['from', edge.port ?? '', anonymous.get(edge.from) ?? edge.from]);
  }
  return new Map([...around].map(([id, lines]) => [id, lines.sort().join()]));
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
