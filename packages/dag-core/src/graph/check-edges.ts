import { DEFAULT_PORT, ERROR_PORT, NORMAL_PORT, portsOf } from '../kinds/index.ts';
import { errorAt, type Issue } from './issue.ts';
import type { FoundEdge, FoundNode, FoundScope } from './read-scopes.ts';

// Rules kept here: G4 an edge joins two nodes of one graph, once, and leaves by a port that its node has.

/** An edge whose two ends are known. */
export interface SoundEdge {
  readonly from: FoundNode;
  readonly to: FoundNode;
}

export type Suggest = (word: string, candidates: Iterable<string>) => string | undefined;

/** Checks the edges of one graph; the sound ones are returned for what needs a graph. */
export function checkEdges(
  scope: FoundScope,
  byId: ReadonlyMap<string, FoundNode>,
  suggest: Suggest,
): { edges: SoundEdge[]; issues: Issue[] } {
  const own = new Map(scope.nodes.map((node) => [node.id, node]));
  const issues: Issue[] = [];
  const edges: SoundEdge[] = [];
  const seen = new Set<string>();
  for (const edge of scope.edges) {
    const from = end(edge, 'from');
    const to = end(edge, 'to');
    if (!from || !to) continue;
    if (from === to) {
      issues.push(
        errorAt(
          'edge_self_loop',
          edge.pointer,
          `The edge ${from.id} → ${from.id} leads back to its own node`,
        ),
      );
      continue;
    }
    const name = JSON.stringify([from.id, edge.config.port ?? NORMAL_PORT, to.id]);
    if (seen.has(name))
      issues.push(errorAt('edge_duplicate', edge.pointer, `The edge ${label(edge)} is drawn twice`));
    else edges.push({ from, to });
    seen.add(name);
    issues.push(...checkPort(edge, from, suggest));
  }
  return { edges, issues };

  function end(edge: FoundEdge, side: 'from' | 'to'): FoundNode | undefined {
    const id = edge.config[side];
    const node = own.get(id);
    if (node) return node;
    const pointer = `${edge.pointer}/${side}`;
    const elsewhere = byId.get(id);
    issues.push(
      elsewhere
        ? errorAt(
            'edge_crosses_scope',
            pointer,
            `The edge ${label(edge)} leaves its graph: "${id}" is in ${placeOf(elsewhere)}`,
            'an inner graph is entered and left through the node that holds it only',
          )
        : errorAt(
            'edge_unknown_node',
            pointer,
            `The edge ${label(edge)} names "${id}", which is no node`,
            suggest(id, own.keys()),
          ),
    );
    return undefined;
  }
}

const label = ({ config }: FoundEdge): string =>
  `${config.from}${config.port ? `:${config.port}` : ''} → ${config.to}`;

/** Where a node is, in words. */
export const placeOf = (node: FoundNode): string =>
  node.scope.container ? `the body of "${node.scope.container.id}"` : 'the flow itself';

function checkPort(edge: FoundEdge, from: FoundNode, suggest: Suggest): Issue[] {
  if (from.isBroken) return [];
  const ports = portsOf(from.config);
  const port = edge.config.port ?? NORMAL_PORT;
  if (ports.includes(port)) return [];
  const named = ports.filter((each) => each !== NORMAL_PORT);
  if (port === NORMAL_PORT) {
    const message = `The edge ${label(edge)} must say by which port it leaves: ${named.join(', ')}`;
    return [errorAt('port_missing', edge.pointer, message)];
  }
  const has = [
    ...(ports.includes(NORMAL_PORT) ? ['the normal port, which edges do not name'] : []),
    ...named,
  ];
  const hint =
    port === ERROR_PORT
      ? `set onError: { do: continue } on "${from.id}" to have the port error`
      : suggest(port, named);
  const message = `"${from.id}" has no port "${port}"; it has ${has.join(', ')}`;
  return [errorAt('port_unknown', `${edge.pointer}/port`, message, hint)];
}

/** Ports that a switch may not define itself. */
export const TAKEN_PORTS: readonly string[] = [DEFAULT_PORT, ERROR_PORT];
