import {
  type CheckOptions,
  type EdgeConfig,
  type FlowDocument,
  type Issue,
  validateFlow,
} from '@pawl/dag-core';
import { edgesOf, type Graph, type GraphPath, innerGraph, nodesOf } from '../document/graph.ts';
import { pointerParts } from '../document/json-path.ts';
import { type Fix, findFix } from './find-fix.ts';

// Rules kept here: D15 a problem is told where it is: in a graph, at a node or an edge, at a setting of it.

/** An issue of the core, and where on the canvas it is. */
export interface Problem extends Issue {
  readonly graph: GraphPath;
  /** The node that has it; absent for one of the flow itself, or of an edge. */
  readonly node?: string;
  readonly edge?: EdgeConfig;
  /** JSON pointer inside the node, the edge or the flow. */
  readonly at: string;
  /** What can be taken instead, at a setting of a node. */
  readonly fix?: Fix;
}

/** Everything that is wrong with a document, errors first. */
export function findProblems(document: FlowDocument, options: CheckOptions = {}): Problem[] {
  const problems = validateFlow(document, options).issues.map((issue) => placed(document, issue));
  return problems.toSorted((one, other) => rank(one) - rank(other));
}

const rank = ({ severity }: Issue): number => (severity === 'error' ? 0 : 1);

/** The problems of each node; those of what a container holds are those of what it holds. */
export function problemsByNode(problems: readonly Problem[]): Map<string, Problem[]> {
  const byNode = new Map<string, Problem[]>();
  for (const problem of problems) {
    if (problem.node === undefined) continue;
    const list = byNode.get(problem.node);
    if (list) list.push(problem);
    else byNode.set(problem.node, [problem]);
  }
  return byNode;
}

function placed(document: FlowDocument, issue: Issue): Problem {
  const place = placeOf(document, issue.pointer);
  const fix = place.node === undefined ? undefined : findFix(document, issue);
  return { ...issue, message: inWords(document, issue.message), ...place, ...(fix && { fix }) };
}

/** A message that begins with a JSON pointer, as programs are told, begins with what a person calls that. */
function inWords(document: FlowDocument, message: string): string {
  const pointer = /^\/\S+(?= )/.exec(message)?.[0];
  if (pointer === undefined) return message;
  const { node, at } = placeOf(document, pointer);
  const whole = node === undefined ? 'The edge' : 'The node';
  return `${at === '' ? whole : settingName(at)}${message.slice(pointer.length)}`;
}

/** As in an expression: `/args/list/0` is `args.list[0]`. */
const settingName = (at: string): string =>
  pointerParts(at)
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');

type Place = Pick<Problem, 'graph' | 'node' | 'edge' | 'at'>;

function placeOf(document: FlowDocument, pointer: string): Place {
  let graph: Graph = document;
  let path: GraphPath = [];
  let rest = pointer;
  for (;;) {
    const [whole = '', list, at] = /^\/(nodes|edges)\/(\d+)/.exec(rest) ?? [];
    if (list === undefined) return { graph: path, at: rest };
    const inside = rest.slice(whole.length);
    const item = (graph[list as 'nodes' | 'edges'] as readonly never[])[Number(at)] as never;
    if (list === 'edges')
      return { graph: path, at: inside, ...(edgesOf(graph).includes(item) && { edge: item }) };
    if (!nodesOf(graph).includes(item)) return { graph: path, at: rest };
    const node = graph.nodes[Number(at)]!;
    const body = inside.startsWith('/body/') ? innerGraph(node) : undefined;
    if (!body || !/^\/body\/(?:nodes|edges)\/\d+/.test(inside))
      return { graph: path, node: node.id, at: inside };
    [graph, path, rest] = [body, [...path, node.id], inside.slice('/body'.length)];
  }
}
