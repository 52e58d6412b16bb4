import {
  type AgentNode,
  type EdgeConfig,
  type FlowDocument,
  type FlowGraph,
  type InnerGraph,
  type JoinRule,
  type Json,
  type LoopNode,
  type MapNode,
  type NodeConfig,
  type OnError,
  parsePath,
  type ToolCallFate,
} from '../../src/index.ts';
import type { Outcome } from './play.ts';

/** Numbers 0 ≤ x < 1 that follow from a seed alone (mulberry32). */
export type Random = () => number;

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A number that follows from a text and a seed: what a node run does must not depend on when it does it. */
export function randomOf(seed: number, text: string): Random {
  let hash = seed | 0;
  for (let i = 0; i < text.length; i++)
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x5bd1e995) ^ (hash >>> 13);
  return randomFrom(hash);
}

export const pickOf = <T>(random: Random, values: readonly T[]): T =>
  values[Math.floor(random() * values.length)]!;

export interface FlowShape {
  readonly size: number;
  /** May `onError` be `pause`; a person must then play along. */
  readonly withPause?: boolean | 'often';
  /** Retry policies with few attempts, so that they run out. */
  readonly withRetry?: boolean;
  /** Some nodes call tools, and some flows undo what those did when they fail. */
  readonly withTools?: boolean;
  /** Some nodes run other flows; what those are is up to who starts them. */
  readonly withFlows?: boolean;
}

/** A flow of `size` nodes: random edges and ports, joins, error rules, waits, maps, loops and agents, inner graphs down to two levels. */
export function randomFlow(seed: number, shape: FlowShape): FlowDocument {
  const random = randomFrom(seed);
  let next = 0;
  // Where much pauses, a lost answer leads to a person soon.
  const [tried, maxAttempts] = shape.withPause === 'often' ? [0.6, 1] : [0.3, 2];
  const graphOf = (size: number, depth: number): InnerGraph => {
    const nodes: NodeConfig[] = [];
    const edges: EdgeConfig[] = [];
    for (let i = 0; i < size; i++) {
      const id = `n${next++}`;
      const joins: (JoinRule | undefined)[] = [undefined, 'some', 'every', 'first'];
      const join = pickOf(random, joins);
      const base = {
        id,
        ...(join && { join }),
        ...onErrorOf(random, shape),
        ...(shape.withRetry && random() < tried && { retry: { maxAttempts, jitter: 0 } }),
      };
      const drawn = depth < 2 ? random() : 1;
      const isWait = drawn >= 0.36 && random() < 0.12;
      nodes.push(
        drawn < 0.18
          ? ({
              ...base,
              kind: 'map',
              over: Array.from({ length: Math.floor(random() * 5) }, (_, item) => item),
              concurrency: 1 + Math.floor(random() * 3),
              onItemError: pickOf(random, ['fail', 'collect', 'skip'] as const),
              body: graphOf(1 + Math.floor(random() * 4), depth + 1),
            } satisfies MapNode)
          : drawn < 0.28
            ? ({
                ...base,
                kind: 'loop',
                until: `index = ${Math.floor(random() * 3)}`,
                body: graphOf(1 + Math.floor(random() * 4), depth + 1),
              } satisfies LoopNode)
            : drawn < 0.36
              ? ({
                  ...base,
                  kind: 'agent',
                  model: 'sim:x',
                  prompt: 'p',
                  tools: [{ tool: 'tells@1' }, { tool: 'fails@1', onError: 'fail' }],
                  maxTurns: 1 + Math.floor(random() * 3),
                } satisfies AgentNode)
              : isWait
                ? random() < 0.5
                  ? { ...base, kind: 'wait', for: Math.floor(random() * 100) }
                  : { ...base, kind: 'wait', signal: { name: 'go' } }
                : shape.withFlows && random() < 0.15
                  ? { ...base, kind: 'flow', flow: 'random@self' }
                  : shape.withTools && random() < 0.6
                    ? { ...base, kind: 'tool', tool: 't@1' }
                    : { ...base, kind: 'transform', value: null },
      );
      const wishes = i === 0 ? 0 : Math.floor(random() * 4);
      for (let k = 0; k < wishes; k++) {
        const from = nodes[Math.floor(random() * i)]!;
        const ports = ['', '', '', 'p', ...(from.onError?.do === 'continue' ? ['error', 'error'] : [])];
        const port = ['map', 'loop', 'agent'].includes(from.kind)
          ? pickOf(
              random,
              ports.filter((name) => name !== 'p'),
            )
          : pickOf(random, ports);
        if (edges.some((edge) => edge.from === from.id && edge.to === id && (edge.port ?? '') === port))
          continue;
        edges.push({ from: from.id, ...(port && { port }), to: id });
      }
    }
    return { nodes, edges };
  };
  const graph = graphOf(shape.size, 0);
  const onFailure = shape.withTools && random() < 0.6 ? ({ onFailure: 'compensate' } as const) : {};
  return { format: 'pawl/1', name: 'random', ...onFailure, ...graph };
}

function onErrorOf(random: Random, { withPause }: FlowShape): { onError?: OnError } {
  // With many pauses everything else is half as frequent.
  const drawn = withPause === 'often' ? Math.min(2 * random(), 0.85) : random();
  if (drawn < 0.35) return {};
  if (drawn < 0.6) return { onError: { do: 'continue' } };
  if (drawn < 0.8) return { onError: { do: 'fallback', value: 'instead' } };
  return { onError: { do: withPause && drawn < 0.9 ? 'pause' : 'fail' } };
}

/** What the node run at `path` does: the same whenever it is asked. `failing` is the share that fails. */
export function outcomeOf(seed: number, path: string, failing: number): Outcome {
  const random = randomOf(seed, path);
  if (random() < failing) return 'fail';
  const ports = pickOf(random, [undefined, undefined, ['', 'p'], ['p'], []]);
  return { output: path, ...(ports && { ports }) };
}

/** What the model of an agent asks for in the turn of `path`: nothing in the last one. */
export function callsOf(
  seed: number,
  graph: FlowGraph,
  path: string,
): { readonly calls: ToolCallFate[] } | undefined {
  const { node, parent } = parsePath(graph, path)!;
  const agent = node.scope.container;
  if (!agent?.calls || node !== agent.body!.roots[0]) return undefined;
  const { itemIndex } = parsePath(graph, parent)!;
  if (itemIndex === (agent.config as AgentNode).maxTurns! - 1) return { calls: [] };
  const random = randomOf(seed ^ 0xca115, path);
  const refused = { code: 'tool_unknown', message: 'No.', class: 'permanent' } as const;
  return {
    calls: Array.from({ length: Math.floor(random() * 4) }, (_, place) =>
      pickOf<ToolCallFate>(random, [{ run: `tells-${place}` }, { run: `fails-${place}` }, { refused }]),
    ),
  };
}

/** The list that the map at `path` runs over, or a number for each turn of the loop or agent there, as written in the flow. */
export function itemsOf(nodes: ReadonlyMap<string, { readonly config: NodeConfig }>, path: string): Json[] {
  const config = nodes.get(path.slice(path.lastIndexOf('/') + 1))!.config;
  if (config.kind === 'agent') return Array.from({ length: config.maxTurns! }, (_, i) => i);
  if (config.kind === 'loop') return Array.from({ length: 1 + Number(config.until.slice(8)) }, (_, i) => i);
  return config.kind === 'map' ? (config.over as Json[]) : [];
}
