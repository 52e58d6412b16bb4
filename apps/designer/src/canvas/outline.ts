import type { FlowDocument, NodeConfig } from '@pawl/dag-core';
import {
  edgesOf,
  everyNode,
  flowOrder,
  type Graph,
  type GraphPath,
  innerGraph,
  lookOf,
} from '../editor/index.ts';
import type { Reads } from './load-reads.ts';

// Rules kept here (SPEC.md): D17 the list says what the canvas says, in the order in which nodes follow each other.

/** A node in the list of a flow. */
export interface OutlineItem {
  readonly node: NodeConfig;
  readonly graph: GraphPath;
  /** Names of the nodes that lead here, each once. */
  readonly after: readonly string[];
  /** Names of the nodes that follow, and by which port. */
  readonly leads: readonly { readonly port: string; readonly to: string }[];
  /** What its expressions read: names of nodes, `input` and the like; absent: not known yet. */
  readonly reads?: readonly string[];
  /** An output is kept with it, for tests. */
  readonly isPinned: boolean;
  /** What a container holds; absent: it is none, or it is folded. */
  readonly inside?: readonly OutlineItem[];
}

/**
 * The nodes of a flow as a list, each after those that lead to it, what a container holds inside it. What says the same as before is the
 * same object.
 */
export function outlineOf(
  document: FlowDocument,
  reads?: Reads,
  before: readonly OutlineItem[] = [],
): readonly OutlineItem[] {
  const names = new Map([...everyNode(document)].map(({ node }) => [node.id, node.title ?? node.id]));
  const nameOf = (id: string) => names.get(id) ?? id;
  return listGraph({ document, reads, nameOf }, document, [], before);
}

interface Listing {
  readonly document: FlowDocument;
  readonly reads: Reads | undefined;
  readonly nameOf: (id: string) => string;
}

function listGraph(
  listing: Listing,
  graph: Graph,
  path: GraphPath,
  before: readonly OutlineItem[],
): readonly OutlineItem[] {
  const { document, reads, nameOf } = listing;
  const old = new Map(before.map((item) => [item.node.id, item]));
  const { after, leads } = waysIn(graph, nameOf);
  const items = flowOrder(graph).map((node): OutlineItem => {
    const { collapsed, pin } = lookOf(document, node.id);
    const body = collapsed ? undefined : innerGraph(node);
    const was = old.get(node.id);
    const item: OutlineItem = {
      node,
      graph: path,
      after: after.get(node.id) ?? [],
      leads: leads.get(node.id) ?? [],
      isPinned: pin !== undefined,
      ...(reads && { reads: reads(node).map(nameOf) }),
      ...(body && { inside: listGraph(listing, body, [...path, node.id], was?.inside ?? []) }),
    };
    return was && isSameItem(was, item) ? was : item;
  });
  return items.length === before.length && items.every((item, at) => item === before[at]) ? before : items;
}

/** Who leads to whom in a graph, by names. */
function waysIn(graph: Graph, nameOf: Listing['nameOf']) {
  const after = new Map<string, string[]>();
  const leads = new Map<string, OutlineItem['leads'][number][]>();
  for (const { from, port = '', to } of edgesOf(graph)) {
    const names = listAt(after, to);
    if (!names.includes(nameOf(from))) names.push(nameOf(from));
    listAt(leads, from).push({ port, to: nameOf(to) });
  }
  return { after, leads };
}

function listAt<T>(lists: Map<string, T[]>, id: string): T[] {
  const list = lists.get(id) ?? [];
  lists.set(id, list);
  return list;
}

const isSameItem = (one: OutlineItem, other: OutlineItem): boolean =>
  one.node === other.node &&
  one.inside === other.inside &&
  one.isPinned === other.isPinned &&
  one.graph.join('/') === other.graph.join('/') &&
  JSON.stringify([one.after, one.leads, one.reads]) ===
    JSON.stringify([other.after, other.leads, other.reads]);
