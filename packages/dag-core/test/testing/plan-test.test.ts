// Catches: a test run that calls what nobody allowed, runs what it was not asked to, or says something else than it does.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compileGraph,
  type FlowDocument,
  issuesOfTest,
  type PlannedNode,
  planTest,
  type TestOutput,
  type TestWish,
  testDocument,
  validateFlow,
  versionId,
} from '../../src/index.ts';
import { randomFlow } from '../advance/random-flows.ts';
import { edges, flow, loop, map, node } from '../graph/flow-builder.ts';

const tool = (name: string, effect: 'pure' | 'idempotent' | 'non_repeatable') =>
  [`${name}@1`, { name, version: '1', effect, input: true }] as const;
const registered = {
  tools: new Map([
    tool('look', 'pure'),
    tool('put', 'idempotent'),
    tool('send', 'non_repeatable'),
    tool('t', 'non_repeatable'),
  ]),
};
const call = (id: string, name: string, args: unknown = {}) =>
  node(id, { kind: 'tool', tool: `${name}@1`, args });
const aFlow = (...given: Parameters<typeof flow>) => flow(...given) as unknown as FlowDocument;
const all: TestWish = { part: { do: 'all' }, outputs: {}, allow: [], off: [] };
const mocked = { origin: 'mocked' } as const;
const plan = (document: FlowDocument, wish: Partial<TestWish> = {}) =>
  planTest(document, { ...all, ...wish }, registered);
const does = (nodes: readonly PlannedNode[]) =>
  Object.fromEntries(nodes.map((each) => [each.node, each.does]));
const built = (document: FlowDocument, wish: Partial<TestWish>, outputs: Record<string, TestOutput> = {}) =>
  testDocument(document, plan(document, { outputs, ...wish }), outputs);
const drawn = ({ nodes, edges: lines }: Pick<FlowDocument, 'nodes' | 'edges'>) => ({
  nodes: nodes.map(({ id }) => id),
  edges: lines.map(({ from, port, to }) => `${from}${port ? `:${port}` : ''}->${to}`),
});

const line = aFlow(
  [
    node('a'),
    call('b', 'look', { x: '{{ nodes.a.output }}' }),
    call('c', 'put'),
    call('d', 'send'),
    node('e'),
  ],
  edges('a -> b', 'b -> c', 'c -> d', 'd -> e'),
);

describe('Y2: the part that is tried', () => {
  it('all: every node, each with what it calls', () => {
    expect(plan(line, { allow: ['d'] })).toMatchObject({
      undecided: [],
      nodes: [
        { node: 'a', does: 'computes', effect: 'pure', calls: [] },
        { node: 'b', does: 'computes', effect: 'pure', calls: ['look@1'] },
        { node: 'c', does: 'calls', effect: 'idempotent', calls: ['put@1'] },
        { node: 'd', does: 'calls', effect: 'non_repeatable', calls: ['send@1'] },
        { node: 'e', does: 'computes' },
      ],
    });
  });

  it('to a node: what leads to it, and nothing after', () => {
    expect(does(plan(line, { part: { do: 'to', node: 'c' } }).nodes)).toEqual({
      ...{ a: 'computes', b: 'computes', c: 'calls', d: 'nothing', e: 'nothing' },
    });
  });

  it('to a node: what stands behind an output that is given is not needed', () => {
    const { nodes } = plan(line, { part: { do: 'to', node: 'd' }, outputs: { c: mocked }, allow: ['d'] });
    expect(does(nodes)).toEqual({ a: 'nothing', b: 'nothing', c: 'given', d: 'calls', e: 'nothing' });
  });

  it('to a node: what it reads itself is needed, also behind an output that is given', () => {
    const reading = aFlow(
      [node('a'), node('b'), node('c', { value: '{{ nodes.a.output }}' })],
      edges('a -> b', 'b -> c'),
    );
    const { nodes } = plan(reading, { part: { do: 'to', node: 'c' }, outputs: { b: mocked } });
    expect(does(nodes)).toEqual({ a: 'computes', b: 'given', c: 'computes' });
  });

  it('from a node: it and what follows; what leads in is given where there is an output', () => {
    const wish = {
      part: { do: 'from', node: 'd' },
      outputs: { c: mocked, a: mocked },
      allow: ['d'],
    } as const;
    expect(plan(line, wish).nodes).toMatchObject([
      { node: 'a', does: 'nothing', why: 'outside' },
      { node: 'b', does: 'nothing', why: 'outside' },
      { node: 'c', does: 'given', isBefore: true },
      { node: 'd', does: 'calls' },
      { node: 'e', does: 'computes' },
    ]);
  });

  it('only a node: what it reads and has no output is named', () => {
    const { nodes } = plan(line, { part: { do: 'only', node: 'b' } });
    expect(nodes.find(({ node: id }) => id === 'b')).toMatchObject({ does: 'computes', lacks: ['a'] });
    const given = plan(line, { part: { do: 'only', node: 'b' }, outputs: { a: mocked } });
    expect(given.nodes[0]).toMatchObject({ node: 'a', does: 'given', isBefore: true });
    expect(given.nodes[1]).not.toHaveProperty('lacks');
  });

  it('a node inside a container: the containers around it run it and nothing else', () => {
    const nested = aFlow(
      [
        node('a'),
        map('each', [node('x'), call('y', 'put'), node('z')], edges('x -> y', 'y -> z')),
        node('b'),
      ],
      edges('a -> each', 'each -> b'),
    );
    expect(does(plan(nested, { part: { do: 'only', node: 'y' } }).nodes)).toEqual({
      ...{ a: 'nothing', each: 'computes', x: 'nothing', y: 'calls', z: 'nothing', b: 'nothing' },
    });
    expect(does(plan(nested, { part: { do: 'to', node: 'y' } }).nodes)).toEqual({
      ...{ a: 'computes', each: 'computes', x: 'computes', y: 'calls', z: 'nothing', b: 'nothing' },
    });
    expect(does(plan(nested, { part: { do: 'from', node: 'y' } }).nodes)).toEqual({
      ...{ a: 'nothing', each: 'computes', x: 'nothing', y: 'calls', z: 'computes', b: 'computes' },
    });
  });

  it('a node that is not there is refused', () => {
    expect(plan(line, { part: { do: 'to', node: 'nobody' } }).refusal).toEqual({ code: 'node_unknown' });
  });
});

describe('Y4: what must not be repeated', () => {
  it('is undecided until it is allowed, off, or given', () => {
    expect(plan(line).undecided).toEqual(['d']);
    expect(plan(line, { allow: ['d'] }).undecided).toEqual([]);
    expect(plan(line, { off: ['d'] }).undecided).toEqual([]);
    expect(plan(line, { outputs: { d: mocked } }).undecided).toEqual([]);
    expect(plan(line, { part: { do: 'to', node: 'c' } }).undecided).toEqual([]);
  });

  it('an agent is as bad as the worst of its tools; a tool that nobody knows as bad as can be', () => {
    const agent = node('ask', {
      kind: 'agent',
      model: 'sim:x',
      prompt: 'p',
      tools: [{ tool: 'look@1' }, { tool: 'send@1' }],
    });
    expect(plan(aFlow([agent, call('odd', 'nobody_knows')])).undecided).toEqual(['ask', 'odd']);
  });

  it('a flow that runs others counts as bad as can be; one whose tools are known as those', () => {
    const document = aFlow([node('f', { kind: 'flow', flow: 'other@latest' })]);
    const found = { versionId: '0'.repeat(64), tools: ['put@1'] };
    const of = (more: object) =>
      planTest(document, all, { ...registered, flows: new Map([['other@latest', { ...found, ...more }]]) })
        .nodes[0];
    expect(of({})).toMatchObject({ effect: 'idempotent', calls: ['other@latest'] });
    expect(of({ runsFlows: true })).toMatchObject({ effect: 'non_repeatable' });
    expect(plan(document).undecided).toEqual(['f']);
  });
});

describe('Y5: what is off', () => {
  it('takes what needs it along, one after the other, and says because of what', () => {
    expect(plan(line, { off: ['c'] }).nodes.slice(2)).toMatchObject([
      { node: 'c', does: 'nothing', why: 'off' },
      { node: 'd', does: 'nothing', why: 'needs', because: 'c' },
      { node: 'e', does: 'nothing', why: 'needs', because: 'd' },
    ]);
  });

  it('leaves what another way leads to, unless it reads what is off or waits for every way', () => {
    const ways = (fields: object) =>
      plan(aFlow([node('a'), call('s', 'send'), node('j', { ...fields })], edges('a -> j', 's -> j')), {
        off: ['s'],
      });
    expect(does(ways({}).nodes).j).toBe('computes');
    expect(does(ways({ join: 'every' }).nodes).j).toBe('nothing');
    expect(does(ways({ value: '{{ nodes.s.output }}' }).nodes).j).toBe('nothing');
  });

  it('takes the container around it along, and says so', () => {
    const nested = aFlow([map('each', [call('s', 'send')]), node('b')], edges('each -> b'));
    expect(plan(nested, { off: ['s'] })).toMatchObject({
      nodes: [
        { node: 'each', does: 'nothing', why: 'holds', because: 's' },
        { node: 's', does: 'nothing', why: 'off' },
        { node: 'b', does: 'nothing', why: 'needs', because: 'each' },
      ],
      refusal: { code: 'nothing_runs' },
    });
    expect(does(plan(nested, { outputs: { s: mocked } }).nodes)).toEqual({
      each: 'computes',
      s: 'given',
      b: 'computes',
    });
  });

  it('is refused where the node that is tried would not run', () => {
    expect(plan(line, { part: { do: 'to', node: 'e' }, off: ['d'] }).refusal).toEqual({
      code: 'node_left_out',
      because: 'd',
    });
  });
});

describe('Y6: the document of a test', () => {
  it('holds the nodes that take part with their edges, and is never that of a version', () => {
    const tested = built(line, { part: { do: 'to', node: 'b' } });
    expect(drawn(tested)).toEqual({ nodes: ['a', 'b'], edges: ['a->b'] });
    const whole = built(line, { allow: ['d'] });
    expect(drawn(whole)).toEqual(drawn(line));
    expect(versionId(whole)).not.toBe(versionId(line));
    expect(validateFlow(whole).issues.map(({ code }) => code)).toContain('property_unknown');
  });

  it('keeps the output of the flow only where all of it runs', () => {
    const withOutput = { ...line, output: '{{ nodes.e.output }}' };
    expect(built(withOutput, { allow: ['d'] }).output).toBe('{{ nodes.e.output }}');
    expect(built(withOutput, { off: ['d'] })).not.toHaveProperty('output');
    expect(built(withOutput, { part: { do: 'to', node: 'b' } })).not.toHaveProperty('output');
  });

  it('what stands before the part leads on by every port that is drawn', () => {
    const choice = node('s', { kind: 'switch', cases: [{ port: 'yes', when: 'true' }] });
    const document = aFlow([node('r'), choice, node('b')], edges('r -> s', 's:yes -> b'));
    const s: TestOutput = { origin: 'recorded', output: { ports: ['default'] }, ports: ['default'] };
    const outputs = { s };
    const tested = built(document, { part: { do: 'only', node: 'b' } }, outputs);
    expect(drawn(tested)).toEqual({ nodes: ['s', 'b'], edges: ['s:yes->b'] });
    expect(tested.test!.outputs.s).toMatchObject({ ports: ['yes'], isBefore: true });
  });

  it('inside the part a switch whose output is given leaves by the ports that it names', () => {
    const choice = node('s', { kind: 'switch', cases: [{ port: 'yes', when: 'true' }] });
    const document = aFlow([choice, node('b')], edges('s:yes -> b'));
    const tested = built(document, {}, { s: { origin: 'mocked', output: { ports: ['yes'] } } });
    expect(tested.test!.outputs.s).toMatchObject({ ports: ['yes'] });
    expect(tested.test!.outputs.s).not.toHaveProperty('isBefore');
  });

  it('a container that is run in part gives what ran, and a loop has one turn', () => {
    const inner = [node('x'), node('y')];
    const document = aFlow([
      map('each', inner, edges('x -> y'), { output: '{{ nodes.y.output }}' }),
      loop('again', [node('p'), node('q')], edges('p -> q'), { output: '{{ nodes.q.output }}' }),
    ]);
    expect(built(document, { part: { do: 'only', node: 'x' } }).nodes).toEqual([
      { id: 'each', kind: 'map', over: '{{ input.items }}', body: { nodes: [inner[0]], edges: [] } },
    ]);
    expect(built(document, { part: { do: 'to', node: 'p' } }).nodes).toMatchObject([
      { id: 'again', until: 'true' },
    ]);
  });

  it('what is given may be unfinished, and so may what takes no part', () => {
    const unfinished = aFlow(
      [
        node('ask', { kind: 'agent' }),
        node('b', { value: '{{ nodes.ask.output }}' }),
        node('broken', { kind: 'llm' }),
      ],
      edges('ask -> b', 'b -> broken'),
    );
    const outputs = { ask: { origin: 'mocked', output: 'yes' } } as const;
    const tested = built(unfinished, { part: { do: 'to', node: 'b' } }, outputs);
    expect(issuesOfTest(unfinished, tested, validateFlow(unfinished).issues)).toEqual([]);
    expect(compileGraph(tested).root.nodes).toHaveLength(2);
    const whole = built(unfinished, {}, outputs);
    expect(issuesOfTest(unfinished, whole, validateFlow(unfinished).issues)).not.toEqual([]);
  });
});

describe('for any flow and any wish', () => {
  const wishes = fc.record({
    seed: fc.integer(),
    size: fc.integer({ min: 1, max: 12 }),
    how: fc.constantFrom('all', 'to', 'from', 'only' as const),
    at: fc.nat(30),
    off: fc.array(fc.nat(30), { maxLength: 4 }),
    given: fc.array(fc.nat(30), { maxLength: 6 }),
    allowed: fc.array(fc.nat(30), { maxLength: 6 }),
  });
  const idsOf = ({ nodes }: Pick<FlowDocument, 'nodes'>): string[] =>
    nodes.flatMap((each) => [each.id, ...('body' in each ? idsOf(each.body) : [])]);
  const planned = (drawn: {
    seed: number;
    size: number;
    how: 'all' | 'to' | 'from' | 'only';
    at: number;
    off: number[];
    given: number[];
    allowed: number[];
  }) => {
    const document = randomFlow(drawn.seed, { size: drawn.size, withTools: true });
    const ids = idsOf(document);
    const pick = (at: number) => ids[at % ids.length]!;
    const outputs = Object.fromEntries(
      drawn.given.map((at) => [pick(at), { origin: 'mocked', output: at } as const]),
    );
    const wish: TestWish = {
      part: drawn.how === 'all' ? { do: 'all' } : { do: drawn.how, node: pick(drawn.at) },
      outputs,
      off: drawn.off.map(pick),
      allow: drawn.allowed.map(pick),
    };
    const made = planTest(document, wish, registered);
    return { document, wish, made, tested: testDocument(document, made, outputs) };
  };

  it('Y4: what the document of a test can call is what the plan says, and was allowed or is undecided', () => {
    fc.assert(
      fc.property(wishes, (drawn) => {
        const { wish, made, tested } = planned(drawn);
        const callable = idsOf(tested).filter(
          (id) =>
            !Object.hasOwn(tested.test!.outputs, id) &&
            compileGraph(tested).nodes.get(id)!.config.kind === 'tool',
        );
        const calls = made.nodes.filter((each) => each.does === 'calls').map((each) => each.node);
        expect(calls).toEqual(expect.arrayContaining(callable));
        for (const id of callable) expect(wish.allow.includes(id) || made.undecided.includes(id)).toBe(true);
      }),
    );
  });

  it('Y5: nothing runs that is off, and nothing that needs it', () => {
    fc.assert(
      fc.property(wishes, (drawn) => {
        const { wish, made } = planned(drawn);
        const byId = new Map(made.nodes.map((each) => [each.node, each]));
        for (const each of made.nodes) {
          if (each.does === 'nothing') continue;
          if (each.does !== 'given') expect(wish.off).not.toContain(each.node);
          expect(each.why).toBeUndefined();
        }
        for (const each of made.nodes)
          if (each.because !== undefined)
            expect(byId.get(each.because)).toMatchObject({ node: each.because });
      }),
    );
  });

  it('Y6: the document compiles, has no node twice, and names every node that the plan runs', () => {
    fc.assert(
      fc.property(wishes, (drawn) => {
        const { made, tested } = planned(drawn);
        const ids = idsOf(tested);
        expect(new Set(ids).size).toBe(ids.length);
        expect([...compileGraph(tested).nodes.keys()].filter((id) => ids.includes(id))).toHaveLength(
          ids.length,
        );
        const running = made.nodes.filter(({ does: it, isBefore }) => it !== 'nothing' && !isBefore);
        expect(ids).toEqual(expect.arrayContaining(running.map((each) => each.node)));
      }),
    );
  });
});
