import type { InnerGraph } from '../graph/document.ts';
import type { TestPart } from './test-setup.ts';

// Rules kept here: Y2 which nodes of a graph a test run takes.

/**
 * The nodes of one graph that take part.
 *
 * @param anchor the node of this graph that is, or holds, the chosen one; undefined: all take part
 */
export function chosenNodes(
  { nodes, edges }: InnerGraph,
  does: TestPart['do'],
  anchor: string | undefined,
  {
    reads,
    isGiven,
  }: {
    readonly reads: ReadonlyMap<string, ReadonlySet<string>>;
    readonly isGiven: (id: string) => boolean;
  },
): ReadonlySet<string> {
  if (does === 'all' || anchor === undefined) return new Set(nodes.map(({ id }) => id));
  if (does === 'only') return new Set([anchor]);
  const next = neighbours(edges.map(({ from, to }) => (does === 'from' ? [from, to] : [to, from])));
  // On the way back, nothing behind an output that is given is needed for it.
  const follow = (id: string): Iterable<string> => {
    if (does === 'from') return next.get(id) ?? [];
    return isGiven(id) ? [] : [...(next.get(id) ?? []), ...(reads.get(id) ?? [])];
  };
  const found = new Set([anchor]);
  for (const id of found) for (const other of follow(id)) if (reads.has(other)) found.add(other);
  return found;
}

function neighbours(pairs: readonly (readonly string[])[]): Map<string, string[]> {
  const next = new Map<string, string[]>();
  for (const [from, to] of pairs) {
    const known = next.get(from!);
    if (known) known.push(to!);
    else next.set(from!, [to!]);
  }
  return next;
}
