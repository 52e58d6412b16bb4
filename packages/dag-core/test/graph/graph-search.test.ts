// Catches: a reference allowed although its node may come later, a cycle missed or invented on a large graph.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SoundEdge } from '../../src/graph/check-edges.ts';
import { findCycles } from '../../src/graph/find-cycles.ts';
import type { FoundNode } from '../../src/graph/read-scopes.ts';
import { findOrder } from '../../src/graph/upstream.ts';

const nodes = (count: number, join?: string): FoundNode[] =>
  Array.from({ length: count }, (_, at) => ({ id: `n${at}`, config: { join } }) as unknown as FoundNode);
const pairs = (count: number) =>
  fc.array(
    fc.tuple(fc.nat(count - 1), fc.nat(count - 1)).filter(([a, b]) => a !== b),
    { maxLength: 3 * count },
  );
const draw = (list: FoundNode[], drawn: [number, number][]): SoundEdge[] =>
  drawn.map(([from, to]) => ({ from: list[from] as FoundNode, to: list[to] as FoundNode }));

/** Who is reached from a node, by walking. */
function reachedFrom(start: FoundNode, edges: SoundEdge[]): Set<FoundNode> {
  const reached = new Set<FoundNode>();
  const open = [start];
  for (let node = open.pop(); node; node = open.pop()) {
    for (const { from, to } of edges) if (from === node && !reached.has(to)) open.push(reached.add(to) && to);
  }
  return reached;
}

describe('order', () => {
  it('X3: agrees with walking the edges, across word borders', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 70 }).chain((count) => fc.tuple(fc.constant(count), pairs(count))),
        ([count, drawn]) => {
          const list = nodes(count);
          const edges = draw(
            list,
            drawn.map(([a, b]) => [Math.min(a, b), Math.max(a, b)]),
          );
          const order = findOrder(list, edges);
          for (const earlier of list) {
            const reached = reachedFrom(earlier, edges);
            for (const later of list) {
              expect(order.isUpstream(earlier, later)).toBe(reached.has(later));
              expect(order.isSettled(earlier, later)).toBe(reached.has(later));
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('X3: behind a join "first" only what all its edges share has settled', () => {
    const [start, slow, fast, end, after] = nodes(5) as [
      FoundNode,
      FoundNode,
      FoundNode,
      FoundNode,
      FoundNode,
    ];
    (end.config as { join?: string }).join = 'first';
    const list = [after, end, fast, slow, start];
    const pairsOf: [FoundNode, FoundNode][] = [
      [start, slow],
      [start, fast],
      [slow, end],
      [fast, end],
      [end, after],
    ];
    const { isSettled, isUpstream } = findOrder(
      list,
      pairsOf.map(([from, to]) => ({ from, to })),
    );
    expect([start, slow, fast, end].map((node) => isSettled(node, after))).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect([start, slow, fast, end].every((node) => isUpstream(node, after))).toBe(true);
  });
});

describe('cycles', () => {
  it('G4: finds a cycle exactly where a node reaches itself, and what it finds is one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 14 }).chain((count) => fc.tuple(fc.constant(count), pairs(count))),
        ([count, drawn]) => {
          const list = nodes(count);
          const edges = draw(list, drawn);
          const cycles = findCycles(list, edges);
          const onCycle = list.filter((node) => reachedFrom(node, edges).has(node));
          expect(cycles.length > 0).toBe(onCycle.length > 0);
          for (const cycle of cycles) {
            expect(new Set(cycle).size).toBe(cycle.length);
            cycle.forEach((from, at) => {
              const to = cycle[(at + 1) % cycle.length];
              expect(edges.some((edge) => edge.from === from && edge.to === to)).toBe(true);
            });
          }
          // One cycle for every knot: nodes that reach each other are one knot.
          const knots = new Set(
            onCycle.map((node) =>
              [...reachedFrom(node, edges)]
                .filter((other) => reachedFrom(other, edges).has(node))
                .map((each) => each.id)
                .sort()
                .join(),
            ),
          );
          expect(cycles.length).toBe(knots.size);
        },
      ),
      { numRuns: 200 },
    );
  });
});
