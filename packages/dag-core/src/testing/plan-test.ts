import type { FlowDocument, InnerGraph, NodeConfig } from '../graph/document.ts';
import type { Registered } from '../graph/tool-declaration.ts';
import { chosenNodes } from './chosen-nodes.ts';
import { graphOf, innerGraphOf, readBy, wayTo } from './graphs-in.ts';
import { leaveOutWhatNeeds } from './leave-out.ts';
import { nodeEffect } from './node-effect.ts';
import type { PlannedNode, TestPlan } from './planned-node.ts';
import type { OutputOrigin, TestPart } from './test-setup.ts';

// Rules kept here: Y2–Y5 what a test run would do, node by node, before it does it.

/** What a person wants to try, and what is not to be called. */
export interface TestWish {
  readonly part: TestPart;
  /** Outputs that stand for those of nodes, by node or by path (Y3). */
  readonly outputs: Readonly<Record<string, Pick<OutputOrigin, 'origin'>>>;
  /** Nodes that may call what must not be repeated. */
  readonly allow: readonly string[];
  /** Nodes that are not to run. */
  readonly off: readonly string[];
}

/** What a test run of a document would do, finished or not (Y2–Y5). */
export function planTest(document: FlowDocument, wish: TestWish, registered: Registered = {}): TestPlan {
  const { part } = wish;
  const root = graphOf(document);
  const way = part.do === 'all' ? [] : wayTo(root, part.node);
  if (!way) return { part, nodes: [], undecided: [], refusal: { code: 'node_unknown' } };
  const nodes = planGraph(root, way, { document, wish, registered });
  const undecided = nodes
    .filter(
      ({ does, effect, node }) =>
        does === 'calls' && effect === 'non_repeatable' && !wish.allow.includes(node),
    )
    .map(({ node }) => node);
  const refusal = refusalOf(part, nodes);
  return { part, nodes, undecided, ...(refusal && { refusal }) };
}

function refusalOf(part: TestPart, nodes: readonly PlannedNode[]): TestPlan['refusal'] {
  const target = part.do === 'all' ? undefined : nodes.find(({ node }) => node === part.node);
  if (target?.does === 'nothing')
    return { code: 'node_left_out', ...(target.because !== undefined && { because: target.because }) };
  return nodes.every(({ does, isBefore }) => does === 'nothing' || isBefore)
    ? { code: 'nothing_runs' }
    : undefined;
}

interface World {
  readonly document: FlowDocument;
  readonly wish: TestWish;
  readonly registered: Registered;
}

/** @param way the ids from this graph down to the chosen node; empty: all of the graph takes part */
function planGraph(graph: InnerGraph, way: readonly string[], world: World): PlannedNode[] {
  const { wish } = world;
  const isGiven = (id: string) => Object.hasOwn(wish.outputs, id) && !(id === way[0] && way.length > 1);
  const ids = new Set(graph.nodes.map(({ id }) => id));
  const reads = new Map(graph.nodes.map((node) => [node.id, readBy(node, ids)]));
  const chosen = chosenNodes(graph, wish.part.do, way[0], { reads, isGiven });
  const inner = new Map<string, PlannedNode[]>();
  const planned = new Map<string, PlannedNode>();
  for (const node of graph.nodes) {
    const body = innerGraphOf(node);
    if (body) inner.set(node.id, planGraph(body, node.id === way[0] ? way.slice(1) : [], world));
    planned.set(node.id, planNode(node, chosen.has(node.id), isGiven(node.id), inner.get(node.id), world));
  }
  leaveOutWhatNeeds(graph, planned, reads, (id) => Object.hasOwn(wish.outputs, id));
  giveWhatIsBefore(graph, planned, reads, wish);
  return graph.nodes.flatMap(({ id }) => {
    const own = planned.get(id)!;
    const isOpen = own.does === 'computes';
    const held = (inner.get(id) ?? []).map((each) => (isOpen ? each : underClosed(each, own)));
    return [own, ...held];
  });
}

function planNode(
  node: NodeConfig,
  isChosen: boolean,
  isGiven: boolean,
  inner: readonly PlannedNode[] | undefined,
  { document, wish, registered }: World,
): PlannedNode {
  const about = { node: node.id, ...nodeEffect(node, document, registered) };
  if (!isChosen) return { ...about, does: 'nothing', why: 'outside' };
  if (isGiven) return { ...about, does: 'given', origin: wish.outputs[node.id]!.origin };
  if (wish.off.includes(node.id)) return { ...about, does: 'nothing', why: 'off' };
  const off = inner?.find(({ why }) => why === 'off');
  if (off) return { ...about, does: 'nothing', why: 'holds', because: off.node };
  return { ...about, does: about.effect === 'pure' ? 'computes' : 'calls' };
}

/** What stands before the part and is read by it, or leads into it, is given where there is an output for it. */
function giveWhatIsBefore(
  { nodes, edges }: InnerGraph,
  planned: Map<string, PlannedNode>,
  reads: ReadonlyMap<string, ReadonlySet<string>>,
  { outputs }: TestWish,
): void {
  const isActive = (id: string) => ['computes', 'calls'].includes(planned.get(id)!.does);
  const isOutside = (id: string) => planned.get(id)?.why === 'outside';
  const into = new Map<string, string[]>();
  for (const { from, to } of edges) into.set(to, [...(into.get(to) ?? []), from]);
  for (const { id } of nodes.filter((node) => isActive(node.id))) {
    const read = [...reads.get(id)!];
    for (const source of [...read, ...(into.get(id) ?? [])])
      if (isOutside(source) && Object.hasOwn(outputs, source)) {
        const { why: _, ...about } = planned.get(source)!;
        planned.set(source, { ...about, does: 'given', origin: outputs[source]!.origin, isBefore: true });
      }
    const lacks = read.filter(isOutside);
    if (lacks.length > 0) planned.set(id, { ...planned.get(id)!, lacks });
  }
}

/** What a container holds that does not open takes no part; what is off stays named as such. */
const underClosed = (
  { does: _, why, origin, isBefore, because, lacks, ...about }: PlannedNode,
  container: PlannedNode,
): PlannedNode => ({
  ...about,
  does: 'nothing',
  ...(container.why === 'holds' && why === 'off' ? { why } : { why: 'needs', because: container.node }),
});
