import type { EdgeConfig, FlowDocument, InnerGraph, NodeConfig } from '../graph/document.ts';
import { parseFlowRef } from '../graph/flow-ref.ts';
import type { Issue } from '../graph/issue.ts';
import type { Json } from '../json.ts';
import { bodiesIn, graphOf, innerGraphOf } from './graphs-in.ts';
import type { PlannedNode, TestPlan } from './planned-node.ts';
import type { TestOutput } from './test-setup.ts';

// Rules kept here: Y1, Y6 the document that a test run runs: what takes part, as it is drawn, and the outputs that are given.

/** The document of a test run (Y6). Not checked: see {@link issuesOfTest}. */
export function testDocument(
  document: FlowDocument,
  { part, nodes }: TestPlan,
  outputs: Readonly<Record<string, TestOutput>>,
): FlowDocument {
  const planned = new Map(nodes.map((node) => [node.node, node]));
  const isWhole = part.do === 'all' && nodes.every(({ does }) => does !== 'nothing');
  const { output, ...rest } = document;
  return {
    ...rest,
    ...(isWhole && output !== undefined && { output }),
    ...cutGraph(graphOf(document), planned, part.do),
    test: { part, outputs: usedOutputs(document, planned, outputs) },
  };
}

function cutGraph(
  { nodes, edges }: InnerGraph,
  planned: ReadonlyMap<string, PlannedNode>,
  does: TestPlan['part']['do'],
): InnerGraph {
  const leadsOn = new Set(edges.filter(({ to }) => takesPart(planned.get(to))).map(({ from }) => from));
  const kept = nodes.filter(({ id }) => {
    const own = planned.get(id);
    return own?.isBefore ? leadsOn.has(id) : takesPart(own);
  });
  const ids = new Set(kept.map(({ id }) => id));
  const isKept = ({ from, to }: EdgeConfig) => ids.has(from) && ids.has(to) && !planned.get(to)!.isBefore;
  return {
    nodes: kept.map((node) =>
      planned.get(node.id)!.does === 'given' ? closed(node) : opened(node, planned, does),
    ),
    edges: edges.filter(isKept),
  };
}

const takesPart = (planned: PlannedNode | undefined): boolean =>
  planned !== undefined && planned.does !== 'nothing' && !planned.isBefore;

/** A node that is not run needs no worker of its own, holds nothing, and may be unfinished. */
function closed({ pool: _, ...node }: NodeConfig): NodeConfig {
  if (node.kind === 'agent') return { ...node, prompt: '', tools: [] };
  if (node.kind === 'flow' && !parseFlowRef(String(node.flow))) return { ...node, flow: 'unfinished' };
  return 'body' in node ? { ...node, body: NOTHING } : node;
}
const NOTHING: InnerGraph = { nodes: [], edges: [] };

/** A container with what of it takes part. Where what ends its items takes none, an item gives what ran, and a loop has one turn. */
function opened(
  node: NodeConfig,
  planned: ReadonlyMap<string, PlannedNode>,
  does: TestPlan['part']['do'],
): NodeConfig {
  const inner = innerGraphOf(node);
  if (!inner) return node;
  const body = cutGraph(inner, planned, does);
  const isCut = does !== 'from' && inner.nodes.some(({ id }) => planned.get(id)!.does === 'nothing');
  if (!isCut || (node.kind !== 'map' && node.kind !== 'loop')) return { ...node, body } as NodeConfig;
  const { output: _, ...rest } = node;
  return { ...rest, body, ...(node.kind === 'loop' && { until: 'true' }) } as NodeConfig;
}

/** The outputs that can be needed, with the ports they leave by. What stands before the part leads on by all of its ports. */
function usedOutputs(
  document: FlowDocument,
  planned: ReadonlyMap<string, PlannedNode>,
  outputs: Readonly<Record<string, TestOutput>>,
): Record<string, TestOutput> {
  const graphs = [...bodiesIn(document)];
  const configs = new Map(graphs.flatMap(({ nodes }) => nodes.map((node) => [node.id, node])));
  const used = Object.entries(outputs).flatMap(([key, output]): [string, TestOutput][] => {
    const id = key.slice(key.lastIndexOf('/') + 1);
    const own = planned.get(id);
    const config = configs.get(id);
    if (!own || !config) return [];
    if (key === id && own.does !== 'given') return [];
    if (own.isBefore) return [[key, { ...output, ports: drawnPorts(graphs, id), isBefore: true }]];
    const ports = output.ports ?? switchPorts(config, output.output);
    return [[key, { ...output, ...(ports && { ports }) }]];
  });
  return Object.fromEntries(used);
}

/** The ports by which edges leave a node. */
const drawnPorts = (graphs: readonly InnerGraph[], id: string): readonly string[] => [
  ...new Set(
    graphs.flatMap(({ edges }) => edges.flatMap(({ from, port = '' }) => (from === id ? [port] : []))),
  ),
];

/** A switch says in its output which ports it took. */
function switchPorts({ kind }: NodeConfig, output: Json): readonly string[] | undefined {
  const { ports } = (kind === 'switch' && typeof output === 'object' && output !== null ? output : {}) as {
    ports?: Json;
  };
  return Array.isArray(ports) ? ports.map(String) : undefined;
}

/** Of the issues of the whole draft those that stand in the way of its test: what is not run may be unfinished. */
export function issuesOfTest(draft: FlowDocument, tested: FlowDocument, issues: readonly Issue[]): Issue[] {
  const ids = [...bodiesIn(tested)].flatMap(({ nodes }) => nodes.map(({ id }) => id));
  const kept = new Set(ids);
  const running = new Set(ids.filter((id) => !Object.hasOwn(tested.test!.outputs, id)));
  return issues.filter(({ severity, pointer }) => {
    if (severity !== 'error') return false;
    if (pointer.startsWith('/output')) return tested.output !== undefined;
    const thing = innermostAt(draft, pointer);
    if (!thing) return true;
    return 'id' in thing ? running.has(thing.id) : kept.has(thing.from) && kept.has(thing.to);
  });
}

/** The innermost node or edge that a pointer leads into. */
function innermostAt(
  document: FlowDocument,
  pointer: string,
): { id: string } | { from: string; to: string } | undefined {
  const [, place] = /^((?:\/nodes\/\d+(?:\/body(?=\/(?:nodes|edges)\/\d))?)*(?:\/edges\/\d+)?)/.exec(
    pointer,
  )!;
  const names = place!.split('/').slice(1);
  const found = names.reduce<unknown>(
    (at, name) => (at as Record<string, unknown> | undefined)?.[name],
    document,
  );
  return names.length === 0 ? undefined : (found as { id: string } | undefined);
}
