import type { SoundEdge } from './check-edges.ts';
import type { FoundNode } from './read-scopes.ts';

/**
 * The cycles of a graph: for every knot of nodes that reach each other one shortest cycle, in the order of its edges.
 * Neither recursion nor the number of nodes limits it.
 */
export function findCycles(nodes: readonly FoundNode[], edges: readonly SoundEdge[]): FoundNode[][] {
  const next = new Map<FoundNode, FoundNode[]>(nodes.map((node) => [node, []]));
  for (const { from, to } of edges) next.get(from)?.push(to);
  return findKnots(nodes, next).map((knot) => shortestCycle(knot, next));
}

interface Visit {
  readonly node: FoundNode;
  edge: number;
}

/** Strongly connected parts of more than one node (Tarjan, with a stack of its own). */
function findKnots(nodes: readonly FoundNode[], next: ReadonlyMap<FoundNode, FoundNode[]>): FoundNode[][] {
  const order = new Map<FoundNode, number>();
  const lowest = new Map<FoundNode, number>();
  const open: FoundNode[] = [];
  const isOpen = new Set<FoundNode>();
  const knots: FoundNode[][] = [];

  const enter = (node: FoundNode, visits: Visit[]): void => {
    order.set(node, order.size);
    lowest.set(node, order.size - 1);
    open.push(node);
    isOpen.add(node);
    visits.push({ node, edge: 0 });
  };
  const lower = (node: FoundNode, to: number): void => {
    lowest.set(node, Math.min(lowest.get(node) as number, to));
  };
  const leave = (node: FoundNode): void => {
    if (lowest.get(node) !== order.get(node)) return;
    const knot = open.splice(open.lastIndexOf(node));
    for (const member of knot) isOpen.delete(member);
    if (knot.length > 1) knots.push(knot);
  };

  for (const start of nodes) {
    if (order.has(start)) continue;
    const visits: Visit[] = [];
    enter(start, visits);
    while (visits.length > 0) {
      const visit = visits[visits.length - 1] as Visit;
      const target = next.get(visit.node)?.[visit.edge++];
      if (target === undefined) {
        visits.pop();
        leave(visit.node);
        const parent = visits[visits.length - 1];
        if (parent) lower(parent.node, lowest.get(visit.node) as number);
      } else if (!order.has(target)) enter(target, visits);
      else if (isOpen.has(target)) lower(visit.node, order.get(target) as number);
    }
  }
  return knots;
}

/** A shortest way from the first node of a knot back to it. */
function shortestCycle(knot: readonly FoundNode[], next: ReadonlyMap<FoundNode, FoundNode[]>): FoundNode[] {
  const inside = new Set(knot);
  const start = knot[0] as FoundNode;
  const cameFrom = new Map<FoundNode, FoundNode>();
  const queue = [start];
  for (let at = 0; at < queue.length; at++) {
    const node = queue[at] as FoundNode;
    for (const target of next.get(node) ?? []) {
      if (target === start) return wayTo(node, start, cameFrom);
      if (!inside.has(target) || cameFrom.has(target)) continue;
      cameFrom.set(target, node);
      queue.push(target);
    }
  }
  return [...knot];
}

function wayTo(end: FoundNode, start: FoundNode, cameFrom: ReadonlyMap<FoundNode, FoundNode>): FoundNode[] {
  const way = [end];
  for (let node = end; node !== start; ) {
    node = cameFrom.get(node) as FoundNode;
    way.unshift(node);
  }
  return way;
}
