// Catches: a test that hangs, that reaches what its plan left out, or that skips the very node it is about.
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  compileGraph,
  type FlowDocument,
  type InnerGraph,
  isTerminalNodeRun,
  isTerminalRun,
  type NodeConfig,
  planTest,
  type TestPart,
  testDocument,
} from '../../src/index.ts';
import { play } from '../advance/play.ts';
import { callsOf, itemsOf, outcomeOf, pickOf, randomFlow, randomFrom } from '../advance/random-flows.ts';

// Seconds on an idle machine; a busy one must not fail them.
vi.setConfig({ testTimeout: 60_000 });

const idsOf = ({ nodes }: Pick<FlowDocument, 'nodes'>): string[] =>
  nodes.flatMap((each) => [each.id, ...('body' in each ? idsOf(each.body) : [])]);

/** What is given ends at once, as a worker has it: no items, no waits, no turns. */
function givenAsComputed(document: FlowDocument): FlowDocument {
  const one = (node: NodeConfig): NodeConfig => {
    if (Object.hasOwn(document.test!.outputs, node.id)) {
      const { join } = node;
      return { id: node.id, kind: 'transform', value: null, ...(join && { join }) };
    }
    return 'body' in node ? ({ ...node, body: all(node.body) } as NodeConfig) : node;
  };
  const all = (graph: InnerGraph) => ({ ...graph, nodes: graph.nodes.map(one) });
  return { ...document, ...all(document) };
}

const wishes = fc.record({
  seed: fc.nat(),
  size: fc.integer({ min: 1, max: 16 }),
  how: fc.constantFrom('all', 'to', 'from', 'only'),
  at: fc.nat(40),
  off: fc.array(fc.nat(40), { maxLength: 3 }),
  given: fc.array(fc.nat(40), { maxLength: 8 }),
  order: fc.nat(),
});

describe('a test of any flow', () => {
  it('Y2, Y5, Y6: ends, reaches nothing but what its plan runs, and never skips the node that is tried alone', () => {
    fc.assert(
      fc.property(wishes, ({ seed, size, how, at, off, given, order }) => {
        const draft = randomFlow(seed, { size, withTools: true });
        const ids = idsOf(draft);
        const pick = (place: number) => ids[place % ids.length]!;
        const part = (how === 'all' ? { do: how } : { do: how, node: pick(at) }) as TestPart;
        const outputs = Object.fromEntries(
          given.map(pick).map((id) => [id, { origin: 'mocked', output: null } as const]),
        );
        const plan = planTest(draft, { part, outputs, off: off.map(pick), allow: [] });
        fc.pre(plan.refusal === undefined);
        const tested = givenAsComputed(testDocument(draft, plan, outputs));
        const graph = compileGraph(tested);
        const random = randomFrom(order);
        const { view, rows } = play(tested, {
          outcome(path) {
            const id = path.slice(path.lastIndexOf('/') + 1);
            const ports = testDocument(draft, plan, outputs).test!.outputs[id]?.ports;
            if (ports) return { ports: [...ports] };
            return outcomeOf(seed, path, 0);
          },
          items: (path) => itemsOf(graph.nodes, path),
          calls: (path) => callsOf(seed, graph, path),
          pick: (open) => pickOf(random, open),
        });
        expect(isTerminalRun(view.run.status), view.run.status).toBe(true);
        const runs = new Set(plan.nodes.flatMap(({ node, does }) => (does === 'nothing' ? [] : [node])));
        for (const { path, nodeId, status } of rows.byPath.values()) {
          expect(isTerminalNodeRun(status), `${path} is ${status}`).toBe(true);
          expect(runs.has(nodeId), `${path} was reached`).toBe(true);
        }
        if (part.do === 'only' && draft.nodes.some(({ id }) => id === part.node))
          expect(rows.get(part.node)?.status).toBe('succeeded');
      }),
      { numRuns: 300 },
    );
  });
});
