import {
  bodyOf,
  type FlowDocument,
  type JsonObject,
  type JsonSchema,
  type NodeConfig,
  outputSchemaOf,
  quoteName,
  type ToolOutputs,
} from '@pawl/dag-core';
import {
  findNode,
  type Graph,
  type GraphPath,
  graphAt,
  neighboursOf,
  nodesById,
  nodesOf,
} from '../editor/index.ts';
import { schemaAt } from './members.ts';
import type { Standpoint } from './standpoint.ts';

/** One thing that an expression can read at some place of a flow. */
export interface Readable {
  /** The names that lead there: `['nodes', 'find', 'output']`. */
  readonly path: readonly string[];
  /** What it is called on the canvas. */
  readonly title?: string | undefined;
  /** What it is known to be. */
  readonly schema?: JsonSchema | undefined;
}

/** How a path is written in an expression. */
export const writtenPath = (path: readonly string[]): string => path.map(quoteName).join('.');

/**
 * Everything that an expression of a node can read (SPEC X2, X3): what settles before, the nearest first, then input, item and run.
 */
export function whatCanBeRead(
  document: FlowDocument,
  id: string,
  { isPerItem, roots }: Standpoint,
  tools: ToolOutputs,
): Readable[] {
  const found = findNode(document, id);
  if (!found) return [];
  const { node, graph } = found;
  const inside = isPerItem ? [...graph, id] : graph;
  const nodes = [...nodesSeen(document, graph, node, isPerItem)].map((each) => ({
    path: ['nodes', each.id, 'output'],
    title: each.title,
    schema: outputSchemaOf(each, tools),
  }));
  return [
    ...roots.map((root) => ({ path: [root], ...(root === 'turn' && { schema: TURN }) })),
    ...nodes,
    { path: ['input'], schema: document.input },
    ...(inside.length > 0 ? [itemOf(document, inside, tools), { path: ['index'], schema: INTEGER }] : []),
    { path: ['run'], schema: RUN },
  ];
}

const INTEGER: JsonObject = { type: 'integer' };
const RUN: JsonObject = {
  type: 'object',
  properties: { id: { type: 'string' }, startedAt: { type: 'string' } },
};
const TURN: JsonObject = {
  type: 'object',
  properties: { text: { type: 'string' }, index: INTEGER, calls: { type: 'array' } },
};

/** Nodes upstream in the node's own graph and in those around it; of an item's template all nodes of the body first. */
function* nodesSeen(
  document: FlowDocument,
  graph: GraphPath,
  node: NodeConfig,
  isPerItem: boolean,
): Generator<NodeConfig> {
  const body = isPerItem ? graphAt(document, [...graph, node.id]) : undefined;
  if (body) yield* nodesOf(body).toReversed();
  let later = node.id;
  for (let depth = graph.length; depth >= 0; depth -= 1) {
    const here = graphAt(document, graph.slice(0, depth));
    if (!here) return;
    yield* nearestFirst(here, later);
    later = graph[depth - 1] ?? later;
  }
}

function* nearestFirst(graph: Graph, id: string): Generator<NodeConfig> {
  const { previous } = neighboursOf(graph);
  const seen = new Set([id]);
  for (const at of seen) for (const before of previous.get(at) ?? []) seen.add(before);
  seen.delete(id);
  for (const before of seen) {
    const node = nodesById(graph).get(before);
    if (node) yield node;
  }
}

/** What `item` is inside the innermost container: an item of the list, or what the turn before gave. */
function itemOf(document: FlowDocument, inside: GraphPath, tools: ToolOutputs): Readable {
  const container = findNode(document, inside.at(-1)!)?.node;
  const title = container?.title ?? container?.id;
  if (container?.kind === 'loop') return { path: ['item'], title, schema: outputSchemaOf(container, tools) };
  const over = container && bodyOf(container) && 'over' in container ? container.over : undefined;
  return { path: ['item'], title, schema: itemSchema(document, over, container, tools) };
}

/** Where a map runs over what a plain path reads, an item of that. */
function itemSchema(
  document: FlowDocument,
  over: unknown,
  container: NodeConfig | undefined,
  tools: ToolOutputs,
): JsonSchema | undefined {
  const path = typeof over === 'string' ? /^\s*\{\{\s*([\w.`-]+)\s*\}\}\s*$/.exec(over)?.[1] : undefined;
  if (!container || path === undefined) return undefined;
  const names = path.split('.').map((name) => name.replaceAll('`', ''));
  const readable = whatCanBeRead(document, container.id, { isPerItem: false, roots: [] }, tools).find(
    (each) => each.path.every((name, at) => names[at] === name),
  );
  const list = readable && schemaAt(readable.schema, names.slice(readable.path.length));
  return typeof list === 'object' ? (list.items as JsonSchema | undefined) : undefined;
}
