import type { EdgeConfig, FlowDocument, NodeConfig } from '@pawl/dag-core';

/** Room between the corners of two nodes in a row, and in a column. */
const PITCH = { x: 280, y: 130 } as const;

/**
 * A flow of `size` nodes of many kinds in a grid, with 1.1 to 1.3 edges for each node from left to right. It has exactly one problem: its last
 * node reads one that is not there.
 */
export function drawnFlow(name: string, size: number): FlowDocument {
  const rows = Math.ceil(size / Math.ceil(Math.sqrt(size * 0.55)));
  const ids = Array.from({ length: size }, (_, at) => `n${at + 1}`);
  const sourceOf = (at: number): number | undefined => (at < rows ? undefined : at - rows);
  const nodes = ids.map((id, at) => nodeOf(id, at, ids[sourceOf(at) ?? -1], at === size - 1));
  const edges: EdgeConfig[] = [];
  ids.forEach((to, at) => {
    const source = sourceOf(at);
    if (source === undefined) return;
    edges.push(edgeFrom(nodes[source]!, to));
    // Every third one has another way in, from the row below where there is one.
    const beside = source + 1;
    if (at % 3 === 0 && beside % rows !== 0) edges.push(edgeFrom(nodes[beside]!, to));
  });
  const layout = Object.fromEntries(
    ids.map((id, at) => [id, { x: Math.floor(at / rows) * PITCH.x, y: (at % rows) * PITCH.y }]),
  );
  return { format: 'pawl/1', name, title: `${size} nodes`, budget: { costUsd: 1 }, nodes, edges, layout };
}

const edgeFrom = ({ id, kind }: NodeConfig, to: string): EdgeConfig =>
  kind === 'switch' ? { from: id, port: 'urgent', to } : { from: id, to };

function nodeOf(id: string, at: number, source: string | undefined, isLast: boolean): NodeConfig {
  const read = isLast ? 'nodes.nowhere.output' : source ? `nodes.${source}.output` : 'input';
  const named = { id, title: `Node ${at + 1}` };
  if (isLast) return { ...named, kind: 'transform', value: { read: `{{ ${read} }}` } };
  switch (at % 8) {
    case 1:
      return { ...named, kind: 'llm', model: 'sim:writer', prompt: `Summarise {{ ${read} }}` };
    case 2:
    case 5:
      return { ...named, kind: 'tool', tool: 'bench.slow@1', args: { at: id, ms: 1, read: `{{ ${read} }}` } };
    case 3:
      return {
        ...named,
        kind: 'switch',
        cases: [{ port: 'urgent', when: `$exists(${read})` }],
      };
    case 4:
      return { ...named, kind: 'code', source: 'export default ({ input }) => input;' };
    case 6:
      return { ...named, kind: 'approval', subject: `May this go on: {{ ${read} }}` };
    default:
      return { ...named, kind: 'transform', value: { at: id, read: `{{ ${read} }}` } };
  }
}
