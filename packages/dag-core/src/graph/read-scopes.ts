import { pointerTo } from '../canonical/json-pointer.ts';
import type { EdgeConfig, NodeConfig } from './document.ts';
import type { Issue } from './issue.ts';

/** A node as it was found, whole or not, so that one broken node does not hide the problems of the others. */
export interface FoundNode {
  readonly id: string;
  readonly pointer: string;
  readonly config: NodeConfig;
  /** The schema found fault with it: only its id, its edges and its body are looked at further. */
  readonly isBroken: boolean;
  readonly scope: FoundScope;
  body?: FoundScope;
}

export interface FoundEdge {
  readonly pointer: string;
  readonly config: EdgeConfig;
}

/** A graph of the document: the top one, or the body of a map or loop. */
export interface FoundScope {
  readonly pointer: string;
  readonly container?: FoundNode;
  /** 0 at the top. */
  readonly depth: number;
  readonly nodes: FoundNode[];
  readonly edges: FoundEdge[];
}

/** Deepest nesting of graphs, the top one not counted (semantics §8). */
export const MAX_GRAPH_NESTING = 16;

/** Reads every graph of a document as far as it can be read; outer graphs come before inner ones. */
export function readScopes(
  document: Readonly<Record<string, unknown>>,
  schemaIssues: readonly Issue[],
): FoundScope[] {
  const broken = brokenNodes(schemaIssues);
  const scopes: FoundScope[] = [];
  const read = (
    graph: Readonly<Record<string, unknown>>,
    pointer: string,
    container?: FoundNode,
  ): FoundScope => {
    const scope: FoundScope = {
      pointer,
      container,
      depth: container ? container.scope.depth + 1 : 0,
      nodes: [],
      edges: [],
    };
    scopes.push(scope);
    for (const [at, config] of listOf(graph.nodes)) {
      if (!isRecord(config) || typeof config.id !== 'string') continue;
      const at_ = pointerTo(`${pointer}/nodes`, at);
      const node: FoundNode = {
        id: config.id,
        pointer: at_,
        config: config as unknown as NodeConfig,
        isBroken: broken.has(at_),
        scope,
      };
      scope.nodes.push(node);
      if (isRecord(config.body) && scope.depth <= MAX_GRAPH_NESTING)
        node.body = read(config.body, `${at_}/body`, node);
    }
    for (const [at, config] of listOf(graph.edges)) {
      if (!isRecord(config) || typeof config.from !== 'string' || typeof config.to !== 'string') continue;
      scope.edges.push({
        pointer: pointerTo(`${pointer}/edges`, at),
        config: config as unknown as EdgeConfig,
      });
    }
    return scope;
  };
  read(document, '');
  return scopes;
}

/** Pointers of the innermost nodes that hold a schema fault. */
function brokenNodes(issues: readonly Issue[]): Set<string> {
  const pointers = issues.map(
    (issue) => /^(?:\/nodes\/\d+(?:\/body(?=\/nodes\/\d))?)+/.exec(issue.pointer)?.[0],
  );
  return new Set(pointers.filter((pointer) => pointer !== undefined));
}

const listOf = (value: unknown): [number, unknown][] => (Array.isArray(value) ? [...value.entries()] : []);

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
