import type { Json, JsonSchema } from '../json.ts';
import { checkConcurrencyKey } from './check-concurrency.ts';
import { checkFormat, checkStructure } from './check-document.ts';
import { checkEdges, type SoundEdge, type Suggest } from './check-edges.ts';
import { checkEffects } from './check-effects.ts';
import { checkFlow } from './check-flows.ts';
import { checkIds } from './check-ids.ts';
import { checkConfig } from './check-nodes.ts';
import {
  checkNodeTemplates,
  checkOutputTemplate,
  compileField,
  type ReferenceWorld,
} from './check-references.ts';
import { checkPlainJson } from './check-shape.ts';
import { checkUndoable } from './check-tools.ts';
import { checkTypes } from './check-types.ts';
import { didYouMean } from './did-you-mean.ts';
import type { FlowDocument } from './document.ts';
import { findCycles } from './find-cycles.ts';
import { errorAt, type Issue } from './issue.ts';
import type { KnownTemplates } from './known-templates.ts';
import { type FoundNode, type FoundScope, isRecord, MAX_GRAPH_NESTING, readScopes } from './read-scopes.ts';
import type { Registered } from './tool-declaration.ts';
import { findOrder, type Order } from './upstream.ts';
import { checkUserSchema } from './user-schema.ts';

// Rules kept here: G1 every problem is listed at once, each with its pointer; G7 limits.

/** Most nodes and edges of a document, inner graphs included (semantics §8). */
export const MAX_NODES = 5_000;
export const MAX_EDGES = 20_000;

export interface FlowCheck {
  /** Present when there is no error; warnings may remain. */
  readonly document?: FlowDocument;
  readonly issues: Issue[];
}

export interface CheckOptions extends Registered {
  /** What earlier checks compiled; a check finds the same with it and without. */
  readonly known?: KnownTemplates;
}

/** Checks a flow document for publish and lists every problem at once, each with its JSON pointer (G1). Never throws. */
export function validateFlow(document: unknown, options: CheckOptions = {}): FlowCheck {
  const shape = checkPlainJson(document);
  if (shape.some((issue) => issue.code === 'nesting_too_deep' || issue.code === 'not_json'))
    return { issues: shape };
  if (!isRecord(document))
    return { issues: [errorAt('wrong_type', '', 'A flow is an object with format, name, nodes and edges')] };

  const limits = checkLimits(document);
  const structure = limits.length > 0 ? [] : checkStructure(document);
  const issues = [...shape, ...limits, ...checkFormat(document.format), ...structure];
  if (limits.length === 0) issues.push(...checkMeaning(document, structure, options));
  const isSound = !issues.some((issue) => issue.severity === 'error');
  return isSound ? { document: document as unknown as FlowDocument, issues } : { issues };
}

function checkMeaning(
  document: Readonly<Record<string, unknown>>,
  structure: readonly Issue[],
  options: CheckOptions,
): Issue[] {
  const { known } = options;
  known?.begin();
  const suggest = limitedSuggestions();
  const scopes = readScopes(document, structure);
  const { byId, issues } = checkIds(scopes);
  const orders = new Map<FoundScope, Order>();
  for (const scope of scopes) {
    const { edges, issues: edgeIssues } = checkEdges(scope, byId, suggest);
    const cycles = findCycles(scope.nodes, edges);
    issues.push(
      ...edgeIssues,
      ...cycles.map((cycle) => cycleIssue(cycle, scope)),
      ...checkJoins(scope, edges),
    );
    if (cycles.length === 0) orders.set(scope, findOrder(scope.nodes, edges));
  }
  const compile = known ? known.compile.bind(known) : compileField;
  const world: ReferenceWorld = { byId, orders, suggest, compile };
  for (const node of scopes.flatMap((scope) => scope.nodes)) {
    if (!node.isBroken)
      issues.push(...checkConfig(node, options, suggest), ...checkFlow(node, document, options, suggest));
    if (document.onFailure === 'compensate') issues.push(...checkUndoable(node, options));
    const registeredWorld = { ...world, document, registered: options };
    const unreadable = checkNodeTemplates(node, world);
    // Of what cannot be read it does not matter what it would give.
    const isReadable = ({ pointer }: Issue) => unreadable.every((issue) => issue.pointer !== pointer);
    issues.push(...checkEffects(node, registeredWorld), ...unreadable);
    issues.push(...checkTypes(node, registeredWorld).filter(isReadable));
  }
  issues.push(...checkConcurrencyKey(document.concurrency));
  if (document.output !== undefined && scopes[0]) {
    issues.push(...checkOutputTemplate(document.output as Json, scopes[0], world));
  }
  return [...issues, ...checkInputSchema(document.input)];
}

/** Counted before anything walks the document, so that a huge one costs little. */
function checkLimits(document: Readonly<Record<string, unknown>>): Issue[] {
  const counts = { nodes: 0, edges: 0 };
  const issues: Issue[] = [];
  const open: { graph: Readonly<Record<string, unknown>>; pointer: string; depth: number }[] = [
    { graph: document, pointer: '', depth: 0 },
  ];
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const { graph, pointer, depth } = entry;
    if (depth > MAX_GRAPH_NESTING) {
      issues.push(
        errorAt(
          'nesting_limit',
          pointer,
          `Maps and loops may be nested ${MAX_GRAPH_NESTING} deep; this one is deeper`,
        ),
      );
      continue;
    }
    const nodes: unknown[] = Array.isArray(graph.nodes) ? graph.nodes : [];
    counts.nodes += nodes.length;
    counts.edges += Array.isArray(graph.edges) ? graph.edges.length : 0;
    nodes.forEach((node, at) => {
      if (isRecord(node) && isRecord(node.body)) {
        open.push({ graph: node.body, pointer: `${pointer}/nodes/${at}/body`, depth: depth + 1 });
      }
    });
  }
  if (counts.nodes > MAX_NODES) {
    issues.push(
      errorAt('node_limit', '/nodes', `A flow has at most ${MAX_NODES} nodes; this one has ${counts.nodes}`),
    );
  }
  if (counts.edges > MAX_EDGES) {
    issues.push(
      errorAt('edge_limit', '/edges', `A flow has at most ${MAX_EDGES} edges; this one has ${counts.edges}`),
    );
  }
  return issues;
}

function cycleIssue(cycle: readonly FoundNode[], scope: FoundScope): Issue {
  const names = [...cycle, cycle[0] as FoundNode].map((node) => node.id).join(' → ');
  const hint = 'take one of these edges out; repetition inside a run is what loop and map nodes are for';
  return errorAt('cycle', `${scope.pointer}/edges`, `The edges go round in a circle: ${names}`, hint);
}

/** "All of nothing" is never true: a drawn join must have something to join (G6). */
function checkJoins(scope: FoundScope, edges: readonly SoundEdge[]): Issue[] {
  const reached = new Set(edges.map((edge) => edge.to));
  return scope.nodes
    .filter((node) => node.config.kind === 'join' && !reached.has(node))
    .map((node) =>
      errorAt(
        'join_without_inputs',
        node.pointer,
        `The join "${node.id}" has no inbound edge`,
        'draw the edges it waits for',
      ),
    );
}

function checkInputSchema(input: unknown): Issue[] {
  if (input === undefined || (typeof input !== 'boolean' && !isRecord(input))) return [];
  return checkUserSchema(input as JsonSchema).map((issue) => ({
    ...issue,
    pointer: `/input${issue.pointer}`,
  }));
}

/** Looking for near words costs; a document full of typing errors gets the first hints only. */
function limitedSuggestions(): Suggest {
  let left = 100;
  return (word, candidates) => {
    if (left === 0) return undefined;
    left -= 1;
    return didYouMean(word, candidates);
  };
}
