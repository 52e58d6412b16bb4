import {
  type AgentCall,
  type AgentQuestion,
  type AgentTool,
  type FlowDocument,
  type NodeConfig,
  portsOf,
} from '@pawl/dag-core';
import { type Graph, innerGraph, nodesOf } from './graph.ts';
import { type Box, lookOf, type Point, type Size } from './layout.ts';

/** Pixels at zoom 1. The canvas draws nodes this large, so that nothing has to be measured. */
const NODE_WIDTH = 212;
const HEAD_HEIGHT = 64;
const PORT_HEIGHT = 22;
const TOOL_HEIGHT = 24;

/** Room between two nodes in a row, and between a container's edge and what it holds. */
export const GAP = 68;
export const PADDING = { left: 24, top: 56, right: 24, bottom: 24 } as const;

/** The ports of a node; undefined while it is too broken to say. */
export function knownPorts(node: NodeConfig): readonly string[] | undefined {
  try {
    return portsOf(node);
  } catch {
    return undefined;
  }
}

/** The tools and people that an agent may call, as far as a draft can be read; of every other node none. */
export function callsOf(node: NodeConfig): readonly AgentTool[] {
  if (node.kind !== 'agent' || !Array.isArray(node.tools)) return [];
  return node.tools.filter((each: Partial<AgentCall & AgentQuestion> | null) =>
    Boolean(each && (typeof each.tool === 'string' || each.ask === 'person')),
  );
}

/**
 * Whether an agent shows inside it what it may call; undefined where there is nothing of that to show, or a run shows its turn there. Unlike a
 * container it is closed until somebody opens it.
 */
export function callsShown(document: FlowDocument, node: NodeConfig): 'open' | 'closed' | undefined {
  if (innerGraph(node) || callsOf(node).length === 0) return undefined;
  return lookOf(document, node.id).collapsed === false ? 'open' : 'closed';
}

/** How large a node is drawn: as the document says, as large as what it holds, else by its kind and ports. */
export function sizeOf(document: FlowDocument, node: NodeConfig): Size {
  const { width, height, collapsed } = lookOf(document, node.id);
  const body = collapsed ? undefined : innerGraph(node);
  const own = body ? aroundGraph(document, body) : bareSize(document, node);
  return { width: width ?? own.width, height: height ?? own.height };
}

function bareSize(document: FlowDocument, node: NodeConfig): Size {
  const named = (knownPorts(node) ?? []).filter((port) => port !== '');
  const rows = callsShown(document, node) === 'open' ? callsOf(node).length : 0;
  return { width: NODE_WIDTH, height: HEAD_HEIGHT + named.length * PORT_HEIGHT + rows * TOOL_HEIGHT };
}

function aroundGraph(document: FlowDocument, body: Graph): Size {
  const bounds = boundsOf(nodesOf(body).map((node) => boxOf(document, node)));
  return {
    width: Math.max(NODE_WIDTH, bounds.x + bounds.width + PADDING.right),
    height: Math.max(HEAD_HEIGHT, bounds.y + bounds.height + PADDING.bottom),
  };
}

/** Where a node is drawn; one that was never placed is at the corner. */
export function boxOf(document: FlowDocument, node: NodeConfig): Box {
  const { x, y } = lookOf(document, node.id);
  return { x: numberOr(x), y: numberOr(y), ...sizeOf(document, node) };
}

const numberOr = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** The smallest box around others; an empty one at the corner when there are none. */
export function boundsOf(boxes: readonly Box[]): Box {
  if (boxes.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** True when two boxes share a point that is not on their rims. */
export const doOverlap = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

/** A place like the wanted one, further down where others are in the way. */
export function freePlace(wanted: Point, size: Size, others: readonly Box[]): Point {
  let y = wanted.y;
  for (;;) {
    const box = { x: wanted.x, y, ...size };
    const blocking = others.filter((other) => doOverlap(box, other));
    if (blocking.length === 0) return { x: wanted.x, y };
    y = Math.max(...blocking.map((other) => other.y + other.height)) + PADDING.bottom;
  }
}
