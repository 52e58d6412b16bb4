import {
  type FlowDocument,
  type PlannedNode,
  planTest,
  type Registered,
  type TestPart,
  type TestPlan,
} from '@pawl/dag-core';

// Rules kept here (SPEC.md): Y1, Y2 what of each node a test runs, and what it is given instead.

/** What a test does with a node: runs it, leaves it out, or gives it an output. */
export type How = 'run' | 'off' | 'pinned' | 'recorded' | 'mocked';

/** Outputs that are at hand, by node: pinned ones, and the node runs of an earlier run. */
export interface AtHand {
  readonly pinned: ReadonlySet<string>;
  readonly recorded: ReadonlyMap<string, string>;
}

/** A node that a person can decide about. */
export interface Choosable {
  readonly plan: PlannedNode;
  readonly how: How;
  readonly options: readonly How[];
}

/** What a test would do, and what can be chosen about it. */
export interface ChosenTest {
  readonly plan: TestPlan;
  readonly rows: readonly Choosable[];
  /** Nodes that may call what must not be repeated: that they run was chosen. */
  readonly allow: readonly string[];
  readonly off: readonly string[];
}

/** What follows from what was chosen, and from what is usual where nothing was (Y2). */
export function chooseTest(
  document: FlowDocument,
  part: TestPart,
  chosen: Readonly<Record<string, How>>,
  atHand: AtHand,
  registered: Registered,
): ChosenTest {
  const bare = planTest(document, { part, outputs: {}, allow: [], off: [] }, registered);
  const tried = part.do === 'all' ? undefined : part.node;
  const howOf = new Map(
    bare.nodes.map((node) => {
      const usual = usualFor(node, node.node === tried ? NOTHING : atHand);
      const wanted = chosen[node.node];
      const isOffered = wanted && optionsOf(node, node.why === 'outside', atHand).includes(wanted);
      return [node.node, isOffered ? wanted : usual];
    }),
  );
  const those = (wanted: (how: How, node: PlannedNode) => boolean) =>
    bare.nodes.filter((node) => wanted(howOf.get(node.node)!, node)).map(({ node }) => node);
  const allow = those(
    (how, { effect, why }) => how === 'run' && effect === 'non_repeatable' && why !== 'outside',
  );
  const off = those((how, { why }) => how === 'off' && why !== 'outside');
  const given = those((how) => how !== 'run' && how !== 'off');
  const outputs = Object.fromEntries(given.map((id) => [id, { origin: howOf.get(id) as 'pinned' }]));
  const plan = planTest(document, { part, outputs, allow, off }, registered);
  const before = standsBefore(document, part, bare, registered);
  const outside = new Set(bare.nodes.flatMap(({ node, why }) => (why === 'outside' ? [node] : [])));
  const givenSet = new Set(given);
  const rows = plan.nodes
    .filter(({ node, why, because }) => (why === 'outside' ? before.has(node) : !givenSet.has(because ?? '')))
    .map((node): Choosable => {
      const isOutside = outside.has(node.node);
      return { plan: node, how: howOf.get(node.node)!, options: optionsOf(node, isOutside, atHand) };
    });
  return { plan, rows, allow, off };
}

/** Nodes outside the part that would be read, or lead into it. */
function standsBefore(
  document: FlowDocument,
  part: TestPart,
  bare: TestPlan,
  registered: Registered,
): ReadonlySet<string> {
  const outside = bare.nodes.filter(({ why }) => why === 'outside').map(({ node }) => node);
  const outputs = Object.fromEntries(outside.map((id) => [id, { origin: 'mocked' as const }]));
  const { nodes } = planTest(document, { part, outputs, allow: [], off: [] }, registered);
  return new Set(nodes.flatMap(({ node, isBefore }) => (isBefore ? [node] : [])));
}

/** Of the node that is tried, an output at hand is not what is wanted. */
const NOTHING: AtHand = { pinned: new Set(), recorded: new Map() };

function usualFor({ node, why, effect }: PlannedNode, { pinned, recorded }: AtHand): How {
  if (pinned.has(node)) return 'pinned';
  if (why !== 'outside' && effect !== 'non_repeatable') return 'run';
  return recorded.has(node) ? 'recorded' : 'off';
}

/** What stands before the part is never run; what calls nothing need not be turned off. */
const optionsOf = (
  { node, effect }: PlannedNode,
  isOutside: boolean,
  { pinned, recorded }: AtHand,
): How[] => [
  ...(isOutside ? [] : (['run'] as const)),
  ...(isOutside || effect !== 'pure' ? (['off'] as const) : []),
  ...(recorded.has(node) ? (['recorded'] as const) : []),
  ...(pinned.has(node) ? (['pinned'] as const) : []),
  'mocked',
];
