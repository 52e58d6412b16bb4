import type { SoundEdge } from './check-edges.ts';
import type { FoundNode } from './read-scopes.ts';

/** What is known about the order of two nodes of one graph. */
export interface Order {
  /** A path of edges leads from one to the other. */
  isUpstream(earlier: FoundNode, later: FoundNode): boolean;
  /** It has settled whenever the other starts; a join `first` upstream may start before it. */
  isSettled(earlier: FoundNode, later: FoundNode): boolean;
}

/**
 * Which nodes come before which, for a graph without cycles: two bits per pair, filled in topological order.
 * 5,000 nodes take 6 MB.
 */
export function findOrder(nodes: readonly FoundNode[], edges: readonly SoundEdge[]): Order {
  const index = new Map(nodes.map((node, at) => [node, at]));
  const sources: number[][] = nodes.map(() => []);
  const targets: number[][] = nodes.map(() => []);
  for (const { from, to } of edges) {
    const [source, target] = [index.get(from) as number, index.get(to) as number];
    sources[target]?.push(source);
    targets[source]?.push(target);
  }
  const upstream = new BitTable(nodes.length);
  const settled = new BitTable(nodes.length);
  for (const at of topological(sources, targets)) {
    const from = sources[at] as number[];
    upstream.unite(at, from);
    if (nodes[at]?.config.join === 'first' && from.length > 1) settled.intersect(at, from);
    else settled.unite(at, from);
  }
  const ask =
    (table: BitTable) =>
    (earlier: FoundNode, later: FoundNode): boolean => {
      const [from, to] = [index.get(earlier), index.get(later)];
      return from !== undefined && to !== undefined && table.has(to, from);
    };
  return { isUpstream: ask(upstream), isSettled: ask(settled) };
}

function topological(sources: readonly number[][], targets: readonly number[][]): number[] {
  const waitsFor = sources.map((each) => each.length);
  const order = waitsFor.flatMap((count, at) => (count === 0 ? [at] : []));
  for (let at = 0; at < order.length; at++) {
    for (const target of targets[order[at] as number] as number[]) {
      waitsFor[target] = (waitsFor[target] as number) - 1;
      if (waitsFor[target] === 0) order.push(target);
    }
  }
  return order;
}

/** A set of node numbers per node. */
class BitTable {
  readonly words: number;
  readonly bits: Uint32Array;

  constructor(size: number) {
    this.words = Math.ceil(size / 32);
    this.bits = new Uint32Array(this.words * size);
  }

  has(row: number, member: number): boolean {
    return (((this.bits[row * this.words + (member >>> 5)] as number) >>> (member & 31)) & 1) === 1;
  }

  /** Row = everything that any of the sources has, and the sources. */
  unite(row: number, sources: readonly number[]): void {
    for (const source of sources) {
      for (let word = 0; word < this.words; word++)
        this.or(row, word, this.bits[source * this.words + word] as number);
      this.or(row, source >>> 5, 1 << (source & 31));
    }
  }

  /** Row = what all of the sources have or are. */
  intersect(row: number, sources: readonly number[]): void {
    for (let word = 0; word < this.words; word++) {
      let common = 0xffffffff;
      for (const source of sources) {
        const self = source >>> 5 === word ? 1 << (source & 31) : 0;
        common &= (this.bits[source * this.words + word] as number) | self;
      }
      this.or(row, word, common);
    }
  }

  private or(row: number, word: number, bits: number): void {
    const at = row * this.words + word;
    this.bits[at] = (this.bits[at] as number) | bits;
  }
}
