import type { ToolInfo } from '@pawl/api';
import type { EdgeConfig, FlowDocument, NodeConfig } from '@pawl/dag-core';
import type { Node } from '@xyflow/react';
import { type CanvasEdge, type CanvasNode, drawEdges, drawNodes } from '../canvas/draw-flow.ts';
import { everyNode, type GraphPath } from '../editor/index.ts';
import type { Look } from './status.ts';

// An event of a run changes one node of many. What looks as before stays the same object here, so only that one is drawn anew.

/** How a node looks beyond what it is. */
export interface Dress {
  /** Its name and what there is to know, for who hears it. */
  readonly label: string;
  readonly className?: string | undefined;
  readonly tool?: ToolInfo | undefined;
  /** Those that workers offer, where an agent may show what it calls. */
  readonly tools?: ReadonlyMap<string, ToolInfo> | undefined;
  readonly look?: Look | undefined;
  readonly isSkipped?: boolean | undefined;
  readonly isGiven?: boolean | undefined;
  readonly note?: string | undefined;
  /** Of a container: which of its items or turns is shown, and how many there are. */
  readonly shown?: { readonly index: number; readonly count: number } | undefined;
  /** What it runs can be opened in place, or is. */
  readonly fold?: 'open' | 'closed' | undefined;
}

export type DressOf = (node: NodeConfig, graph: GraphPath) => Dress;

/** A node that is looked at, with how it looks. */
export type DressedNode = Node<CanvasNode['data'] & { readonly dress: Dress }, 'card' | 'container'>;

/** What a dressed node was made of. */
const bare = new WeakMap<DressedNode, CanvasNode>();

/** The nodes of all graphs that are open. One that looks as before is the same object; when all do, the list is the same. */
export function dressNodes(
  document: FlowDocument,
  selected: string | undefined,
  dressOf: DressOf,
  before: readonly DressedNode[],
): readonly DressedNode[] {
  const old = new Map(before.map((node) => [node.id, node]));
  const dresses = new Map<NodeConfig, Dress>();
  for (const { node, graph } of everyNode(document)) dresses.set(node, dressOf(node, graph));
  const chosen = new Set(selected === undefined ? [] : [selected]);
  const drawn = drawNodes(
    document,
    chosen,
    (node) => dresses.get(node)!.label,
    before.map((node) => bare.get(node)!),
  );
  const dressed = drawn.map((node): DressedNode => {
    const was = old.get(node.id);
    const dress = dresses.get(node.data.node)!;
    if (was && bare.get(was) === node && isSameDress(was.data.dress, dress)) return was;
    const now: DressedNode = { ...node, data: { ...node.data, dress } };
    bare.set(now, node);
    return now;
  });
  return sameOr(before, dressed);
}

const isSameDress = (one: Dress, other: Dress): boolean =>
  one.label === other.label &&
  one.className === other.className &&
  one.tool === other.tool &&
  one.tools === other.tools &&
  one.look === other.look &&
  one.isSkipped === other.isSkipped &&
  one.isGiven === other.isGiven &&
  one.note === other.note &&
  one.fold === other.fold &&
  one.shown?.index === other.shown?.index &&
  one.shown?.count === other.shown?.count;

/** The edges of all graphs that are open, with their classes; those that look as before are the same objects. */
export function classEdges(
  document: FlowDocument,
  classOf: ((edge: EdgeConfig, graph: GraphPath) => string | undefined) | undefined,
  before: readonly CanvasEdge[],
): readonly CanvasEdge[] {
  const old = new Map(before.map((edge) => [edge.id, edge]));
  const classed = drawEdges(document, new Set(), [], { lit: '', error: '' }).map(({ type: _, ...edge }) => {
    const { edge: config, graph } = edge.data!;
    const className = classOf?.(config, graph);
    const was = old.get(edge.id);
    const isSame = was?.data?.edge === config && was.className === className;
    return isSame ? was : { ...edge, className, focusable: false };
  });
  return sameOr(before, classed);
}

const sameOr = <T>(before: readonly T[], now: readonly T[]): readonly T[] =>
  before.length === now.length && now.every((item, at) => item === before[at]) ? before : now;
