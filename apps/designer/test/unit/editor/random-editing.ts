import type { EdgeConfig, FlowDocument, Json, NodeConfig } from '@pawl/dag-core';
import {
  copyNodes,
  drawingsOf,
  everyNode,
  type Graph,
  type GraphPath,
  graphAt,
  idsOf,
  innerGraph,
  type Operation,
} from '../../../src/editor/index.ts';
import { draft, edge, map, node, reads, route } from './drafts.ts';

/** Numbers that follow from a seed (mulberry32). */
export class Dice {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  some<T>(list: readonly T[]): T[] {
    return list.filter(() => this.below(3) === 0);
  }

  isLucky(in_: number): boolean {
    return this.below(in_) === 0;
  }
}

/** A document with inner graphs, named ports, references, members that nobody knows, and keys in an order of its own. */
export const startingDraft = (): FlowDocument =>
  draft(
    [
      node('ask', { note: { z: 1, a: [] }, kind: 'llm', model: 'sim:writer', prompt: 'Say {{ input.who }}' }),
      route('route', 'big', 'small'),
      reads('first', { of: '{{ nodes.ask.output }} and {{ nodes . `route`.output }}', 7: null, __proto: 1 }),
      map(
        'each',
        [reads('one', '{{ item & nodes.ask.output }}'), reads('two', '{{ nodes.one.output }}')],
        [edge('one -> two')],
        { output: '{{ nodes.two.output }}', onError: { do: 'continue' } },
      ),
      node('last', { kind: 'join', title: 'The end', 'x-mine': true }),
    ],
    ['ask -> route', 'route:big -> first', 'route:small -> each', 'each -> last', 'each:error -> first'].map(
      edge,
    ),
    {
      layout: {
        'x-grid': 8,
        last: { y: 3, x: 900 },
        ask: { x: 0, y: 0, color: 'blue' },
        $notes: { n1: { x: 1, y: 2, width: 3, height: 4, text: 'hello', in: 'each' } },
      },
      output: '{{ nodes.last.output }}',
      'x-owner': 'somebody',
    },
  );

const PORTS = [undefined, undefined, 'big', 'small', 'default', 'error', 'nowhere'];
const IDS = ['ask', 'fresh', 'ask2', 'one', 'n-1', 'last', 'not an id', 'constructor'];

/** An operation on what is there, or on what is not: most are done, many must be refused. */
export function randomOperation(document: FlowDocument, dice: Dice): Operation {
  const graph = randomGraph(document, dice);
  const ids = (graphAt(document, graph) as Graph).nodes.map(({ id }) => id);
  const drawn = (graphAt(document, graph) as Graph).edges;
  const anyId = () =>
    dice.isLucky(12) ? dice.pick([...idsOf(document), 'missing']) : dice.pick([...ids, 'ask']);
  const anyEdge = (): EdgeConfig => {
    const port = dice.pick(PORTS);
    return { from: anyId(), ...(port !== undefined && { port }), to: anyId() };
  };
  const oldEdge = () => (drawn.length === 0 || dice.isLucky(10) ? anyEdge() : dice.pick(drawn));
  const place = () => ({ x: dice.below(900) - 100.4, y: dice.below(300) });
  const incoming = dice.pick(['cut', 'keep'] as const);

  switch (dice.below(18)) {
    case 0:
    case 1:
      return { do: 'addNode', graph, node: newNode(document, dice), ...randomWire() };
    case 2:
      return { do: 'removeNodes', graph, ids: dice.isLucky(3) ? [anyId()] : dice.some(ids).slice(0, 2) };
    case 3:
    case 4:
    case 5:
    case 6:
      return { do: 'connect', graph, edge: anyEdge() };
    case 7:
      return { do: 'disconnect', graph, edges: drawn.length === 0 ? [anyEdge()] : [dice.pick(drawn)] };
    case 8:
      return { do: 'reconnect', graph, edge: oldEdge(), to: anyEdge() };
    case 9:
    case 10:
      return { do: 'setSetting', graph, id: anyId(), ...randomSetting() };
    case 11:
      return {
        do: 'setFlowSetting',
        ...dice.pick([
          { pointer: '/budget/costUsd', value: dice.below(9) },
          { pointer: '/output', value: `{{ nodes.${anyId()}.output }}` },
          { pointer: '/output' },
          { pointer: '/edges/0', value: null },
          { pointer: '/onFailure', value: 'compensate' },
        ]),
      };
    case 12:
      return { do: 'renameNode', graph, id: anyId(), to: dice.pick(IDS) };
    case 13:
      return {
        do: 'arrange',
        nodes: Object.fromEntries(dice.some(ids).map((id) => [id, place()])),
        notes: { n1: place(), missing: place() },
      };
    case 14:
      return {
        do: 'setLook',
        ids: [anyId()],
        ...dice.pick([
          { color: 'red' },
          { color: null },
          { collapsed: true },
          { pin: { output: { id: 'x' } } },
          { pin: null },
        ]),
      };
    case 15:
      return dice.isLucky(2)
        ? { do: 'draw', drawing: 'frame', id: 'f1', value: { ...place(), width: 9, height: 9, title: 'F' } }
        : { do: 'draw', drawing: dice.pick(['note', 'frame'] as const), id: dice.pick(['n1', 'f1']) };
    case 16:
      return {
        do: 'wrap',
        graph,
        ids: dice.some(ids),
        container: { id: dice.pick(IDS), kind: 'loop', until: 'index = 2' },
      };
    default:
      return dice.isLucky(2)
        ? { do: 'duplicate', graph, ids: dice.some(ids), ...anyDrawings(), incoming }
        : {
            do: 'paste',
            graph: randomGraph(document, dice),
            clip: copyNodes(document, graph, dice.some(ids), anyDrawings()),
            incoming,
            ...(dice.isLucky(2) && { at: place() }),
          };
  }

  function anyDrawings() {
    return {
      notes: dice.some(Object.keys(drawingsOf(document, 'note'))),
      frames: dice.some(Object.keys(drawingsOf(document, 'frame'))),
    };
  }

  function randomWire() {
    const port = dice.pick(PORTS);
    return dice.pick([
      {},
      { at: place() },
      { wire: { from: anyId(), ...(port !== undefined && { port }) } },
      { wire: { to: anyId() } },
      { wire: { into: oldEdge() } },
      { wire: { into: oldEdge() } },
    ]);
  }

  function randomSetting() {
    return dice.pick<{ pointer: string; value?: Json }>([
      { pointer: '/title', value: `title ${dice.below(9)}` },
      { pointer: '/title' },
      { pointer: '/cases/0/port', value: dice.pick(['big', 'small', 'huge', 'default']) },
      { pointer: '/cases/1' },
      { pointer: '/cases/-', value: { port: dice.pick(['more', 'big']), when: 'false' } },
      { pointer: '/onError', value: { do: 'continue' } },
      { pointer: '/onError' },
      { pointer: '/retry/maxAttempts', value: dice.below(9) },
      { pointer: '/value', value: `{{ nodes.${anyId()}.output }}` },
      { pointer: '/id', value: 'stolen' },
      { pointer: '/body/edges/0', value: null },
      { pointer: '/title/deep', value: 1 },
    ]);
  }
}

function randomGraph(document: FlowDocument, dice: Dice): GraphPath {
  const inner = [...everyNode(document)]
    .filter((found) => innerGraph(found.node))
    .map((found) => [...found.graph, found.node.id]);
  return dice.isLucky(2) ? [] : dice.pick([[], ...inner]);
}

function newNode(document: FlowDocument, dice: Dice): NodeConfig {
  const id = dice.isLucky(8) ? dice.pick(IDS) : `new${idsOf(document).size}-${dice.below(1_000)}`;
  return dice.pick([
    node(id),
    route(id, 'big', 'small'),
    map(id, [node(`${id}-a`), node(`${id}-b`)], [edge(`${id}-a -> ${id}-b`)]),
    node(id, { kind: 'tool', tool: 'files.read@1', onError: { do: 'continue' } }),
  ]);
}
