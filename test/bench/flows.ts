import type { EdgeConfig, FlowDocument, Json, NodeConfig } from '@pawl/dag-core';

// The flows of the benchmark. Values are objects of about 200 bytes that travel from node to node.

/** A flow with what a run of it costs and takes. */
export interface BenchFlow {
  readonly document: FlowDocument;
  readonly input: Json;
  /** Executed nodes of one run: what rates count. */
  readonly nodeRuns: number;
  /** Rows of node runs that a finished run has. Default `nodeRuns`; a map has a row for each item besides. */
  readonly rows?: number;
}

const TEXT =
  'A value of two hundred bytes: long enough to be a name, an address and a sentence, short enough not to be a document. ' +
  'It is handed on from node to node and recorded each time.';
const input: Json = { text: TEXT };

/** a → b → … of `length` nodes; `node` makes the node from the expression of what came before. */
function chainOf(name: string, length: number, node: (id: string, before: string) => NodeConfig): BenchFlow {
  const ids = Array.from({ length }, (_, i) => `n${i + 1}`);
  return {
    document: {
      format: 'pawl/1',
      name,
      nodes: ids.map((id, i) => node(id, i === 0 ? 'input' : `nodes.n${i}.output`)),
      edges: ids.slice(1).map((id, i) => ({ from: ids[i]!, to: id })),
    },
    input,
    nodeRuns: length,
  };
}

/** Ten transforms, one after the other. */
export const chainPure = chainOf('bench-chain-pure', 10, (id, before) => ({
  id,
  kind: 'transform',
  value: { at: id, text: `{{ ${before}.text }}` },
}));

/** Ten calls of an idempotent tool whose effect is a counter in the worker. */
export const chainIdempotent = chainOf('bench-chain-idempotent', 10, (id, before) => ({
  id,
  kind: 'tool',
  tool: 'bench.count@1',
  args: { at: id, text: `{{ ${before}.text }}` },
}));

/** One transform. */
export const single = chainOf('bench-single', 1, (id, before) => ({
  id,
  kind: 'transform',
  value: { at: id, text: `{{ ${before}.text }}` },
}));

/** One call of a pure tool that notes when it began. */
export const noteStart = chainOf('bench-note-start', 1, (id) => ({
  id,
  kind: 'tool',
  tool: 'bench.note_start@1',
  args: {},
}));

/** Three calls of an idempotent tool that takes 500 ms. */
export const slowChain = chainOf('bench-slow-chain', 3, (id) => ({
  id,
  kind: 'tool',
  tool: 'bench.slow@1',
  args: { at: id, ms: 500 },
}));

/** 1 → 100 → 1, all of them drawn. */
export const fan100: BenchFlow = fanOf(100);

function fanOf(width: number): BenchFlow {
  const branches = Array.from({ length: width }, (_, i) => `b${i + 1}`);
  const nodes: NodeConfig[] = [
    { id: 'first', kind: 'transform', value: { at: 'first', text: '{{ input.text }}' } },
    ...branches.map(
      (id): NodeConfig => ({
        id,
        kind: 'transform',
        value: { at: id, text: '{{ nodes.first.output.text }}' },
      }),
    ),
    {
      id: 'last',
      kind: 'transform',
      join: 'every',
      value: { at: 'last', text: `{{ nodes.b${width}.output.text }}` },
    },
  ];
  const edges: EdgeConfig[] = branches.flatMap((id) => [
    { from: 'first', to: id },
    { from: id, to: 'last' },
  ]);
  const name = `bench-fan-${width}`;
  return { document: { format: 'pawl/1', name, nodes, edges }, input, nodeRuns: width + 2 };
}

/** A list of 100, a map over it with a transform for each item, and a transform behind it. */
export const map100: BenchFlow = {
  document: {
    format: 'pawl/1',
    name: 'bench-map-100',
    nodes: [
      { id: 'list', kind: 'transform', value: Array.from({ length: 100 }, (_, i) => i) },
      {
        id: 'each',
        kind: 'map',
        over: '{{ nodes.list.output }}',
        body: {
          nodes: [{ id: 'item', kind: 'transform', value: { at: '{{ item }}', text: '{{ input.text }}' } }],
          edges: [],
        },
      },
      { id: 'last', kind: 'transform', value: { count: '{{ $count(nodes.each.output) }}' } },
    ],
    edges: [
      { from: 'list', to: 'each' },
      { from: 'each', to: 'last' },
    ],
  },
  input,
  nodeRuns: 103,
  rows: 203,
};

/** All flows, for publishing. */
export const flows: readonly BenchFlow[] = [
  chainPure,
  chainIdempotent,
  single,
  noteStart,
  slowChain,
  fan100,
  map100,
];
