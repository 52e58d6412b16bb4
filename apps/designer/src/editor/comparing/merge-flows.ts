import { type FlowDocument, pointerTo } from '@pawl/dag-core';
import { checkConnection, checkEnds } from '../connecting/check-connection.ts';
import { changeGraph, idsOf } from '../document/graph.ts';
import { isMembers } from '../document/json-path.ts';
import { changeLayout, withoutMembers } from '../document/layout.ts';
import { shareWith } from '../document/patch.ts';
import type { Refusal } from '../operations/refusal.ts';
import { saySame } from './differences.ts';
import {
  assemble,
  type FlatFlow,
  type FlatNode,
  flatten,
  graphOf,
  type PlacedEdge,
  settingsOf,
} from './flat-flow.ts';

// Rules kept here: D14 what only one side changed is taken; what both changed is a conflict, told by node and pointer, and nothing that
// somebody still works on is taken away unasked.

export type Side = 'mine' | 'theirs';

/** Both sides changed one thing, each in another way. An absent value: that side took it out. */
export interface Conflict {
  /** Absent: a setting of the flow itself. */
  readonly node?: string;
  /** Inside the node, or the flow; empty: the node as a whole. `/graph` is the container in which a node is. */
  readonly pointer: string;
  readonly base?: unknown;
  readonly mine?: unknown;
  readonly theirs?: unknown;
  /** Which side counts unless somebody chooses: mine, but what is still there goes before what was taken out. */
  readonly suggested: Side;
}

/** An edge of one side that cannot be drawn in what both sides made. */
interface LostEdge extends PlacedEdge {
  readonly of: Side;
  readonly reason: Refusal;
}

export interface Merged {
  readonly document: FlowDocument;
  readonly conflicts: readonly Conflict[];
  readonly lostEdges: readonly LostEdge[];
}

export interface ThreeFlows {
  readonly base: FlowDocument;
  readonly mine: FlowDocument;
  readonly theirs: FlowDocument;
}

/** Joins what two sides made of one document. `choose` decides conflicts; a dialog calls again with what was chosen. */
export function mergeFlows(
  { base, mine, theirs }: ThreeFlows,
  choose: (conflict: Conflict) => Side = ({ suggested }) => suggested,
): Merged {
  if (saySame(base, theirs)) return { document: mine, conflicts: [], lostEdges: [] };
  if (saySame(base, mine)) return { document: shareWith(mine, theirs), conflicts: [], lostEdges: [] };
  const decide = new Decisions(choose);
  const sides = { base: flatten(base), mine: flatten(mine), theirs: flatten(theirs) };
  const settings = decide.value(undefined, '', settingsOf(base), settingsOf(mine), settingsOf(theirs));
  const nodes = mergeNodes(sides, decide);
  const drawn = drawEdges(assemble(settings as Readonly<Record<string, unknown>>, nodes), sides);
  const document = inOrderOf(mine, mergeLayout(drawn.document, { base, mine, theirs }));
  return { document: shareWith(mine, document), conflicts: decide.conflicts, lostEdges: drawn.lostEdges };
}

/** Members in my order, what is new behind them. */
const inOrderOf = (mine: FlowDocument, merged: FlowDocument): FlowDocument => {
  const keys = [...new Set([...Object.keys(mine), ...Object.keys(merged)])] as (keyof FlowDocument)[];
  return Object.fromEntries(
    keys.filter((key) => Object.hasOwn(merged, key)).map((key) => [key, merged[key]]),
  ) as unknown as FlowDocument;
};

/** The conflicts of one merge, in the order in which they came up. */
class Decisions {
  readonly conflicts: Conflict[] = [];
  readonly choose: (conflict: Conflict) => Side;

  constructor(choose: (conflict: Conflict) => Side) {
    this.choose = choose;
  }

  value(node: string | undefined, pointer: string, base: unknown, mine: unknown, theirs: unknown): unknown {
    if (saySame(mine, theirs) || saySame(base, theirs)) return mine;
    if (saySame(base, mine)) return theirs;
    if (isMembers(mine) && isMembers(theirs) && (isMembers(base) || base === undefined))
      return this.members(node, pointer, base ?? {}, mine, theirs);
    return this.conflict(node, pointer, base, mine, theirs);
  }

  conflict(
    node: string | undefined,
    pointer: string,
    base: unknown,
    mine: unknown,
    theirs: unknown,
  ): unknown {
    const conflict: Conflict = {
      ...(node !== undefined && { node }),
      pointer,
      ...(base !== undefined && { base }),
      ...(mine !== undefined && { mine }),
      ...(theirs !== undefined && { theirs }),
      suggested: mine === undefined ? 'theirs' : 'mine',
    };
    this.conflicts.push(conflict);
    return this.choose(conflict) === 'mine' ? mine : theirs;
  }

  private members(
    node: string | undefined,
    pointer: string,
    base: Readonly<Record<string, unknown>>,
    mine: Readonly<Record<string, unknown>>,
    theirs: Readonly<Record<string, unknown>>,
  ): object {
    const of = (members: Readonly<Record<string, unknown>>, key: string) =>
      Object.hasOwn(members, key) ? members[key] : undefined;
    const keys = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
    const merged = [...keys].map(
      (key) =>
        [
          key,
          this.value(node, pointerTo(pointer, key), of(base, key), of(mine, key), of(theirs, key)),
        ] as const,
    );
    return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
  }
}

interface Sides {
  readonly base: FlatFlow;
  readonly mine: FlatFlow;
  readonly theirs: FlatFlow;
}

/** Every node that is to be there, in my order, what is new of theirs behind it. */
function mergeNodes({ base, mine, theirs }: Sides, decide: Decisions): FlatNode[] {
  const merged = new Map<string, FlatNode>();
  for (const id of new Set([...mine.nodes.keys(), ...theirs.nodes.keys()])) {
    const node = mergeNode(id, base.nodes.get(id), mine.nodes.get(id), theirs.nodes.get(id), decide);
    if (node) merged.set(id, node);
  }
  keepContainers(merged, mine, theirs);
  if (![...merged.values()].some((node) => isInItself(node, merged))) return [...merged.values()];
  return [...merged.values()].map((node) => ({
    ...node,
    graph: mine.nodes.get(node.id)?.graph ?? node.graph,
  }));
}

/** One side put one container into the other, the other side the other into the one: then they stay where they are with me. */
function isInItself(node: FlatNode, nodes: ReadonlyMap<string, FlatNode>): boolean {
  const seen = new Set<string>();
  for (let id: string | undefined = node.id; id !== undefined; id = nodes.get(id)?.graph.at(-1)) {
    if (seen.has(id)) return true;
    seen.add(id);
  }
  return false;
}

function mergeNode(
  id: string,
  base: FlatNode | undefined,
  mine: FlatNode | undefined,
  theirs: FlatNode | undefined,
  decide: Decisions,
): FlatNode | undefined {
  if (!mine || !theirs || !base || mine.own.kind !== theirs.own.kind) {
    return wholeNode(id, base, mine, theirs, decide);
  }
  const own = decide.value(id, '', base.own, mine.own, theirs.own) as FlatNode['own'];
  const [from, here, there] = [base, mine, theirs].map(({ graph }) => graph.at(-1) ?? '');
  const container = decide.value(id, '/graph', from, here, there);
  return { id, own, graph: (container === here ? mine : theirs).graph };
}

/** A node that one side took out or put in is there as a whole or not. */
function wholeNode(
  id: string,
  base: FlatNode | undefined,
  mine: FlatNode | undefined,
  theirs: FlatNode | undefined,
  decide: Decisions,
): FlatNode | undefined {
  const [from, here, there] = [base, mine, theirs].map((node) => node?.own);
  if (saySame(here, there) || saySame(from, there)) return mine;
  if (saySame(from, here)) return theirs;
  return decide.conflict(id, '', from, here, there) === here ? mine : theirs;
}

/** What is kept brings along what holds it. */
function keepContainers(merged: Map<string, FlatNode>, mine: FlatFlow, theirs: FlatFlow): void {
  for (const { graph } of merged.values()) {
    const id = graph.at(-1) ?? '';
    const container = mine.nodes.get(id) ?? theirs.nodes.get(id);
    if (container && !merged.has(id)) merged.set(id, container);
  }
}

/** Draws what both sides agree on, then what is new of mine, then of theirs; what cannot be drawn is told. */
function drawEdges(
  nodes: FlowDocument,
  { base, mine, theirs }: Sides,
): { document: FlowDocument; lostEdges: LostEdge[] } {
  const lostEdges: LostEdge[] = [];
  let document = nodes;
  const draw = ({ graph, edge }: PlacedEdge, of: Side, check: typeof checkConnection): void => {
    const here = graphOf(document, graph.at(-1));
    const reason = check(document, here, edge);
    if (reason) lostEdges.push({ graph, edge, of, reason });
    else document = changeGraph(document, here, (old) => ({ ...old, edges: [...old.edges, edge] }));
  };
  for (const [name, edge] of mine.edges)
    if (!base.edges.has(name) || theirs.edges.has(name)) draw(edge, 'mine', checkEnds);
  for (const [name, edge] of theirs.edges)
    if (!base.edges.has(name) && !mine.edges.has(name)) draw(edge, 'theirs', checkConnection);
  return { document, lostEdges };
}

/** Where things stand is not worth a question: mine counts. */
function mergeLayout(document: FlowDocument, { base, mine, theirs }: ThreeFlows): FlowDocument {
  const silent = new Decisions(({ suggested }) => suggested);
  const [from, here, there] = [base, mine, theirs].map(({ layout }) => layout ?? {});
  const layout = silent.value(undefined, '', from, here, there);
  if (!isMembers(layout) || (Object.keys(layout).length === 0 && mine.layout === undefined)) return document;
  const ids = idsOf(document);
  const before = [base, mine, theirs].flatMap((each) => [...idsOf(each)]);
  const kept = withoutMembers(layout, new Set(before.filter((id) => !ids.has(id))));
  const lost = Object.entries(there ?? {}).filter(([id]) => ids.has(id) && !Object.hasOwn(kept, id));
  return changeLayout(document, () => ({ ...kept, ...Object.fromEntries(lost) }));
}
