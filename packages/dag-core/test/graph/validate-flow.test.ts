// Catches: a broken flow that publishes, a sound one that does not, a second mistake hidden behind the first.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type FoundFlow,
  flowRefsIn,
  MAX_EDGES,
  MAX_NODES,
  pinFlows,
  type ToolDeclaration,
  validateFlow,
} from '../../src/index.ts';
import { edges, flow, loop, map, node, onlyIssue, problems } from './flow-builder.ts';

const tools = new Map<string, ToolDeclaration>(
  [
    {
      name: 'files.read',
      version: '1',
      effect: 'pure' as const,
      input: {
        type: 'object',
        required: ['path'],
        additionalProperties: false,
        properties: { path: { type: 'string' }, encoding: { enum: ['utf8'] } },
      },
    },
  ].map((tool) => [`${tool.name}@${tool.version}`, tool]),
);
const tool = (id: string, fields = {}) =>
  node(id, { kind: 'tool', tool: 'files.read@1', args: { path: 'a' }, ...fields });
const says = (id: string, template: unknown) => node(id, { value: template });

describe('sound documents', () => {
  it('G1: passes a flow that uses every available kind', () => {
    const document = flow(
      [
        node('ask', {
          kind: 'llm',
          model: 'sim:writer',
          prompt: [{ role: 'user', content: 'Say {"a":1} to {{ input.who }}' }],
          output: { schema: { type: 'object' } },
        }),
        tool('my-read', {
          args: { path: '{{ nodes.ask.output.path }}', encoding: '{{ secrets.ENC }}' },
          onError: { do: 'continue' },
        }),
        node('route', { kind: 'switch', cases: [{ port: 'big', when: 'nodes.`my-read`.output.size > 10' }] }),
        map(
          'each',
          [
            says('one', '{{ item & $string(index) & nodes.`my-read`.output }}'),
            says('two', '{{ nodes.one.output }}'),
          ],
          edges('one -> two'),
          { over: '{{ nodes.`my-read`.output.lines }}', output: '{{ nodes.two.output }}' },
        ),
        node('sum', { kind: 'code', source: 'export default ({ nodes }) => 1' }),
        node('all', { kind: 'join', join: 'every' }),
        says('end', '{{ nodes.each.output ?? nodes.`my-read`.failure.message }}'),
      ],
      edges(
        'ask -> my-read',
        'my-read -> route',
        'my-read:error -> end',
        'route:big -> each',
        'route:default -> sum',
        'each -> all',
        'sum -> all',
        'all -> end',
      ),
      {
        title: 'T',
        input: { type: 'object', properties: { who: { type: 'string', default: 'you' } } },
        output: { last: '{{ nodes.end.output }}' },
        budget: { costUsd: 0.5, tokens: 1_000, modelCalls: 3, wallClockMs: 60_000 },
        onFailure: 'fail',
        bigIntegers: 'strings',
        layout: { ask: { x: 1 } },
      },
    );
    const { document: checked, issues } = validateFlow(document, {
      tools,
      models: (id) => id === 'sim:writer',
    });
    expect(issues).toEqual([]);
    expect(checked).toBe(document);
  });

  it('G1: lists every problem of a document at once', () => {
    const document = flow(
      [
        says('a', '{{ nodes.zz.output }} {{ 1 + }}'),
        node('b', { kind: 'transfrm' }),
        node('a', { kind: 'llm', model: 'gpt', prompt: 'x' }),
        node('c', { kind: 'flow', flow: 'Tomorrow!' }),
        node('d', { extra: true, value: '{{ item }}' }),
      ],
      edges('a -> nowhere', 'b -> b'),
      { name: 'Not A Slug', format: 'pawl/9', input: { type: 'objekt' }, output: '{{ nodes.gone.output }}' },
    );
    expect(problems(document).sort()).toEqual(
      [
        'edge_self_loop /edges/1',
        'edge_unknown_node /edges/0/to',
        'expression_syntax /nodes/0/value',
        'format_newer /format',
        'id_duplicate /nodes/2/id',
        'flow_malformed /nodes/3/flow',
        'kind_unknown /nodes/1/kind',
        'model_malformed /nodes/2/model',
        'property_unknown /nodes/4/extra',
        'reference_outside_map /nodes/4/value',
        'reference_unknown_node /nodes/0/value',
        'reference_unknown_node /output',
        'schema_invalid /input/type',
        'slug_malformed /name',
      ].sort(),
    );
    expect(validateFlow(document).document).toBeUndefined();
  });

  it('G1: never throws, whatever it is given', () => {
    const broken = fc.oneof(
      fc.jsonValue(),
      fc.record({
        format: fc.jsonValue(),
        name: fc.jsonValue(),
        nodes: fc.jsonValue(),
        edges: fc.jsonValue(),
      }),
      fc.record({
        format: fc.constant('pawl/1'),
        name: fc.constant('x'),
        edges: fc.array(
          fc.record({ from: fc.constantFrom('a', 'b', 5), to: fc.constantFrom('a', 'b', null) }),
        ),
        nodes: fc.array(
          fc.record(
            {
              id: fc.constantFrom('a', 'b', '__proto__', 7),
              kind: fc.constantFrom('llm', 'tool', 'switch', 'map', 'code', 'x', 3),
              prompt: fc.jsonValue(),
              cases: fc.jsonValue(),
              body: fc.jsonValue(),
              over: fc.jsonValue(),
              args: fc.jsonValue(),
              tool: fc.jsonValue(),
              retry: fc.jsonValue(),
              onError: fc.jsonValue(),
              output: fc.jsonValue(),
            },
            { requiredKeys: [] },
          ),
        ),
      }),
    );
    fc.assert(
      fc.property(broken, (document) => {
        const { issues, document: checked } = validateFlow(document, { tools });
        expect(checked === undefined).toBe(issues.some((issue) => issue.severity === 'error'));
      }),
    );
  });

  it.each([undefined, null, 5, 'flow', [], () => 1])('G1: answers %s with an issue', (document) => {
    expect(validateFlow(document).issues).toHaveLength(1);
  });
});

describe('format, names, ids, kinds', () => {
  it('G1: refuses a newer format by name, and words that are no format', () => {
    expect(onlyIssue(flow([node('a')], [], { format: 'pawl/2' }))).toMatchObject({
      code: 'format_newer',
      pointer: '/format',
    });
    expect(onlyIssue(flow([node('a')], [], { format: 'n8n' }))).toMatchObject({ code: 'format_unknown' });
    const { format: _format, ...without } = flow([node('a')]) as { format: string };
    expect(problems(without)).toEqual(['property_missing ']);
  });

  it.each(['Ticket', '1st', 'a b', '', 'é', 'a/b', '-a'])('G3: refuses the name %j', (name) => {
    expect(onlyIssue(flow([node('a')], [], { name }))).toMatchObject({
      code: 'slug_malformed',
      pointer: '/name',
    });
  });

  it.each(['1a', 'a b', '', 'a/b', 'x'.repeat(65), 'ö', '-'])('G3: refuses the id %j', (id) => {
    expect(onlyIssue(flow([node(id)]))).toMatchObject({ code: 'slug_malformed', pointer: '/nodes/0/id' });
  });

  it.each(['constructor', 'prototype', 'true', 'null'])('G3: refuses the reserved id %s', (id) => {
    expect(onlyIssue(flow([node(id)]))).toMatchObject({ code: 'id_reserved', pointer: '/nodes/0/id' });
  });

  it('G3: refuses __proto__ as an id and as a key', () => {
    expect(problems(flow([node('__proto__')]))).toContain('id_reserved /nodes/0/id');
    const document = flow([says('a', JSON.parse('{"x":{"__proto__":{"y":1}}}'))]);
    expect(problems(document)).toContain('reserved_key /nodes/0/value/x/__proto__');
    expect(({} as { y?: number }).y).toBeUndefined();
  });

  it('G3: finds an id that an inner graph has taken', () => {
    const document = flow([map('each', [node('a')]), node('a')]);
    expect(onlyIssue(document)).toMatchObject({ code: 'id_duplicate', pointer: '/nodes/0/body/nodes/0/id' });
  });

  it('K1: names the kind that was meant', () => {
    const issue = onlyIssue(flow([node('a', { kind: 'swich' })]));
    expect(issue).toMatchObject({
      code: 'kind_unknown',
      pointer: '/nodes/0/kind',
      hint: 'did you mean "switch"?',
    });
  });

  it('K1: finds nodes without id or kind, and things that are no nodes', () => {
    expect(
      problems(flow([{ kind: 'foo' }, {}, { id: 'a' }, 5 as never, { id: 'b', kind: 7 }])).sort(),
    ).toEqual([
      'kind_unknown /nodes/0/kind',
      'kind_unknown /nodes/4/kind',
      'property_missing /nodes/1',
      'property_missing /nodes/2',
      'wrong_type /nodes/3',
    ]);
  });

  it('K12: finds the flows that are named, and checks input that is known', () => {
    const input = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
    const flows = new Map<string, FoundFlow>([
      ['known@latest', { versionId: 'v'.repeat(64), input }],
      ['known@9', { missing: 'version' }],
      ['draft', { missing: 'published_version' }],
      ['gone', { missing: 'flow' }],
    ]);
    const runs = (ref: string, fields = {}) => flow([node('a', { kind: 'flow', flow: ref, ...fields })]);
    const issue = (ref: string, fields = {}) => validateFlow(runs(ref, fields), { flows }).issues[0];
    expect(issue('known@latest', { input: { n: 1 } })).toBeUndefined();
    expect(issue('known@latest', { input: { n: '{{ input.n }}' } })).toBeUndefined();
    expect(issue('known@latest', { input: { n: 'x' } })).toMatchObject({
      code: 'args_invalid',
      pointer: '/nodes/0/input/n',
    });
    expect(issue('known@latest')).toMatchObject({ code: 'args_invalid', pointer: '/nodes/0/input' });
    for (const ref of ['known@9', 'draft', 'gone', 'gone@self'])
      expect(issue(ref)).toMatchObject({ code: 'flow_unknown', pointer: '/nodes/0/flow' });
    expect(issue('Not a name')).toMatchObject({ code: 'flow_malformed' });
    expect(issue(String(flow([]).name), { input: 5 })).toBeUndefined();
  });

  it('K12: pins what is named, in inner graphs too, and itself as self', () => {
    const document = flow([
      node('a', { kind: 'flow', flow: 'other' }),
      map('m', [node('b', { kind: 'flow', flow: 'other@2' }), node('c', { kind: 'flow', flow: 'sample' })]),
    ]);
    const own = { ...document, name: 'sample' };
    expect(flowRefsIn(own)).toEqual(['other', 'other@2']);
    const flows = new Map<string, FoundFlow>([
      ['other', { versionId: '1'.repeat(64) }],
      ['other@2', { versionId: '2'.repeat(64) }],
    ]);
    const pinned = pinFlows(own as never, flows);
    expect(JSON.stringify(pinned).match(/"flow":"[^"]+"/g)).toEqual([
      `"flow":"other@${'1'.repeat(64)}"`,
      `"flow":"other@${'2'.repeat(64)}"`,
      '"flow":"sample@self"',
    ]);
    const without = flow([node('a')]);
    expect(pinFlows(without as never, flows)).toBe(without);
  });

  it('G2: tells about unknown and missing properties', () => {
    expect(onlyIssue(flow([node('a', { tilte: 'x' })]))).toMatchObject({
      code: 'property_unknown',
      pointer: '/nodes/0/tilte',
      hint: 'did you mean "title"?',
    });
    expect(onlyIssue(flow([node('a', { kind: 'map', over: '{{ input }}' })]))).toMatchObject({
      code: 'property_missing',
      pointer: '/nodes/0',
    });
    expect(onlyIssue(flow([node('a')], [], { budget: { usd: 1 } }))).toMatchObject({
      code: 'property_unknown',
      pointer: '/budget/usd',
    });
    expect(onlyIssue(flow([node('a', { onError: { do: 'fallback' } })]))).toMatchObject({
      code: 'property_missing',
      pointer: '/nodes/0/onError',
    });
  });

  it('S1: in a flow that undoes, an effect that nobody can undo is a warning', () => {
    const tools = new Map<string, ToolDeclaration>(
      [true, false].map((compensates) => [
        `put.${compensates}@1`,
        { name: `put.${compensates}`, version: '1', effect: 'idempotent', input: true, compensates },
      ]),
    );
    const nodes = [
      node('a', { kind: 'tool', tool: 'put.true@1' }),
      node('b', { kind: 'tool', tool: 'put.false@1' }),
    ];
    expect(validateFlow(flow(nodes, [], { onFailure: 'compensate' }), { tools }).issues).toMatchObject([
      { code: 'effect_not_undone', pointer: '/nodes/1/tool', severity: 'warning' },
    ]);
    expect(validateFlow(flow(nodes, []), { tools }).issues).toEqual([]);
    const flows = new Map([['inner', { versionId: 'v', tools: ['put.true@1', 'put.false@1'] }]]);
    const runs = flow([node('a', { kind: 'flow', flow: 'inner' })], [], { onFailure: 'compensate' });
    expect(validateFlow(runs, { tools, flows }).issues).toMatchObject([
      {
        code: 'effect_not_undone',
        pointer: '/nodes/0/flow',
        severity: 'warning',
        message: expect.stringContaining('put.false@1, which inner calls,'),
      },
    ]);
  });
});

describe('edges', () => {
  it('G4: refuses loose edges and says what was meant (C20)', () => {
    expect(onlyIssue(flow([node('lookup'), node('b')], edges('lokup -> b')))).toMatchObject({
      code: 'edge_unknown_node',
      pointer: '/edges/0/from',
      hint: 'did you mean "lookup"?',
    });
  });

  it('G4: refuses edges into and out of an inner graph', () => {
    const document = flow([node('a'), map('each', [node('x')], edges('a -> x')), node('b')], edges('x -> b'));
    expect(problems(document)).toEqual([
      'edge_crosses_scope /edges/0/from',
      'edge_crosses_scope /nodes/1/body/edges/0/from',
    ]);
  });

  it('G4: names a cycle node by node', () => {
    const document = flow(
      ['a', 'b', 'c', 'd'].map((id) => node(id)),
      edges('d -> a', 'a -> b', 'b -> c', 'c -> a'),
    );
    const issue = onlyIssue(document);
    expect(issue).toMatchObject({ code: 'cycle', pointer: '/edges' });
    expect(issue.message).toContain('a → b → c → a');
  });

  it('G4: names every knot, inner graphs included', () => {
    const inner = map('m', [node('x'), node('y')], edges('x -> y', 'y -> x'));
    const document = flow(
      [node('a'), node('b'), inner, node('c'), node('d')],
      edges('a -> b', 'b -> a', 'c -> d', 'd -> c'),
    );
    expect(problems(document)).toEqual(['cycle /edges', 'cycle /edges', 'cycle /nodes/2/body/edges']);
  });

  it('G4: refuses the same edge twice but takes two ports to one node', () => {
    const route = node('s', { kind: 'switch', cases: [{ port: 'x', when: 'true' }] });
    expect(problems(flow([route, node('b')], edges('s:x -> b', 's:default -> b')))).toEqual([]);
    expect(problems(flow([node('a'), node('b')], edges('a -> b', 'a -> b')))).toEqual([
      'edge_duplicate /edges/1',
    ]);
  });

  it('G4: refuses ports that the node does not have', () => {
    const route = node('s', { kind: 'switch', cases: [{ port: 'refund', when: 'true' }] });
    const at = (text: string) => onlyIssue(flow([route, node('b')], edges(text)));
    expect(at('s -> b')).toMatchObject({ code: 'port_missing', pointer: '/edges/0' });
    expect(at('s:refnd -> b')).toMatchObject({
      code: 'port_unknown',
      pointer: '/edges/0/port',
      hint: 'did you mean "refund"?',
    });
    expect(onlyIssue(flow([node('a'), node('b')], edges('a:yes -> b')))).toMatchObject({
      code: 'port_unknown',
    });
  });

  it('K4: gives the error port to nodes that continue, and to them only', () => {
    const continues = node('a', { onError: { do: 'continue' } });
    expect(problems(flow([continues, node('b')], edges('a:error -> b')))).toEqual([]);
    const issue = onlyIssue(flow([node('a'), node('b')], edges('a:error -> b')));
    expect(issue).toMatchObject({ code: 'port_unknown', hint: expect.stringContaining('do: continue') });
  });

  it('G6: refuses a join with nothing to join, also when its only edge is loose (C20)', () => {
    expect(problems(flow([node('j', { kind: 'join' })]))).toEqual(['join_without_inputs /nodes/0']);
    expect(problems(flow([node('j', { kind: 'join' })], edges('gone -> j')))).toEqual([
      'edge_unknown_node /edges/0/from',
      'join_without_inputs /nodes/0',
    ]);
  });
});

describe('references', () => {
  it('X3: refuses unknown nodes with the place and what was meant (C22)', () => {
    const issue = onlyIssue(
      flow([says('lookup', 1), says('b', { text: ['Dear {{ nodes.lokup.output }}'] })], edges('lookup -> b')),
    );
    expect(issue).toMatchObject({
      code: 'reference_unknown_node',
      pointer: '/nodes/1/value/text/0',
      position: 8,
      hint: 'did you mean "lookup"?',
    });
    expect(issue.message).toContain('at character 9');
  });

  it('X3: refuses nodes that are not upstream, and a node that reads itself', () => {
    const aside = flow([says('a', 1), says('b', '{{ nodes.a.output }}')]);
    expect(onlyIssue(aside)).toMatchObject({ code: 'reference_not_upstream', pointer: '/nodes/1/value' });
    const after = flow([says('a', '{{ nodes.b.output }}'), says('b', 1)], edges('a -> b'));
    expect(onlyIssue(after)).toMatchObject({ code: 'reference_not_upstream', pointer: '/nodes/0/value' });
    expect(onlyIssue(flow([says('a', '{{ nodes.a.output }}')])).message).toContain('its own result');
    const far = flow([says('a', 1), node('b'), says('c', '{{ nodes.a.output }}')], edges('a -> b', 'b -> c'));
    expect(problems(far)).toEqual([]);
  });

  it('X3: lets a map body see what is upstream of it and of the map, and nothing else', () => {
    const body = (template: string) =>
      flow(
        [
          node('up'),
          map('each', [says('one', 1), says('two', template), says('three', 1)], edges('one -> two')),
          node('down'),
        ],
        edges('up -> each', 'each -> down'),
      );
    expect(problems(body('{{ nodes.one.output }} {{ nodes.up.output }} {{ item }} {{ index }}'))).toEqual([]);
    for (const id of ['three', 'down', 'each', 'two']) {
      expect(onlyIssue(body(`{{ nodes.${id}.output }}`)), id).toMatchObject({
        code: 'reference_not_upstream',
      });
    }
  });

  it('X3: lets nested maps see all that is upstream of the maps around them', () => {
    const inner = map('inner', [says('deep', '{{ nodes.mid.output }}{{ nodes.up.output }}{{ item }}')], [], {
      over: '{{ item }}',
    });
    const outer = map('outer', [node('mid'), inner], edges('mid -> inner'));
    expect(problems(flow([node('up'), outer], edges('up -> outer')))).toEqual([]);
  });

  it('X3: shows the body of a map to its per-item output only', () => {
    const inside = [node('x'), node('y')];
    expect(
      problems(flow([map('each', inside, [], { output: '{{ nodes.x.output }}{{ item }}{{ index }}' })])),
    ).toEqual([]);
    const outside = flow([map('each', inside), says('b', '{{ nodes.x.output }}')], edges('each -> b'));
    expect(onlyIssue(outside)).toMatchObject({
      code: 'reference_not_upstream',
      hint: 'read nodes.each.output',
    });
    expect(onlyIssue(flow([map('each', inside, [], { over: '{{ nodes.x.output }}' })]))).toMatchObject({
      code: 'reference_not_upstream',
    });
    expect(onlyIssue(flow([map('each', inside)], [], { output: '{{ nodes.y.output }}' }))).toMatchObject({
      code: 'reference_not_upstream',
      pointer: '/output',
    });
  });

  it('X2: knows item and index inside a map only', () => {
    expect(problems(flow([says('a', '{{ item }} {{ index }}')]))).toEqual([
      'reference_outside_map /nodes/0/value',
      'reference_outside_map /nodes/0/value',
    ]);
    expect(problems(flow([map('each', [node('x')], [], { over: '{{ item }}' })]))).toEqual([
      'reference_outside_map /nodes/0/over',
    ]);
    expect(problems(flow([node('a')], [], { output: '{{ item }}' }))).toEqual([
      'reference_outside_map /output',
    ]);
  });

  it('X2, X3, K15: a loop reads its turn in until and output, and what is upstream of it everywhere', () => {
    const body = [says('x', '{{ nodes.a.output }} {{ item }} {{ index }}')];
    const reading = loop('again', body, [], {
      until: 'nodes.x.output = nodes.a.output or index = 3 or item = 1',
      output: '{{ nodes.x.output }}',
    });
    expect(problems(flow([node('a'), reading], edges('a -> again')))).toEqual([]);
    expect(problems(flow([loop('again', [node('x')], [], { until: 'nodes.again.output' })]))).toEqual([
      'reference_not_upstream /nodes/0/until',
    ]);
    expect(problems(flow([node('b'), loop('again', [node('x')], [], { until: 'nodes.b.output' })]))).toEqual([
      'reference_not_upstream /nodes/1/until',
    ]);
    expect(
      problems(flow([loop('again', [node('x')]), says('b', '{{ nodes.x.output }}')], edges('again -> b'))),
    ).toEqual(['reference_not_upstream /nodes/1/value']);
  });

  it('K15: refuses a loop without an end, with no turns or with too many', () => {
    expect(problems(flow([loop('l', [node('x')], [], { until: undefined })]))).toEqual([
      'property_missing /nodes/0',
    ]);
    expect(problems(flow([loop('l', [node('x')], [], { until: '1 +' })]))).toEqual([
      'expression_syntax /nodes/0/until',
    ]);
    for (const maxIterations of [0, 10_001])
      expect(problems(flow([loop('l', [node('x')], [], { maxIterations })]))).toEqual([
        'out_of_range /nodes/0/maxIterations',
      ]);
  });

  describe('K18: an agent', () => {
    const agent = (more: object = {}) =>
      node('a', { kind: 'agent', model: 'sim:w', prompt: 'p', tools: [{ tool: 'files.read@1' }], ...more });

    it('may say all that it can', () => {
      const whole = agent({
        system: 'You are {{ nodes.b.output }}.',
        prompt: [{ role: 'user', content: '{{ input.task }}' }],
        tools: [
          { tool: 'files.read@1', name: 'read', description: 'Reads.', args: { path: '{{ secrets.P }}' } },
          {
            tool: 'files.read@1',
            name: 'read_other',
            onError: 'fail',
            retry: { maxAttempts: 2 },
            timeoutMs: 5,
          },
          { tool: 'files.read@1', name: 'a', approve: 'args.path = nodes.b.output' },
          {
            tool: 'files.read@1',
            name: 'c',
            approve: { when: 'true', who: ['ada'], deadline: '{{ input.d }}', onDeadline: 'approve' },
          },
          { ask: 'person' },
          {
            ask: 'person',
            name: 'boss',
            description: 'B',
            form: { type: 'object' },
            who: ['bo'],
            deadline: 'PT1H',
          },
        ],
        maxTurns: 100,
        stop: 'turn.calls[name = "read"] and nodes.b.output',
        parameters: { maxOutputTokens: 10 },
        output: { schema: { type: 'string' }, repairs: 0, value: '{{ turn.text }}' },
      });
      const budget = { costUsd: 1 };
      expect(problems(flow([node('b'), whole], edges('b -> a'), { budget }), { tools })).toEqual([]);
    });

    it.each([
      [{ tools: [] }, 'schema /nodes/0/tools'],
      [{ tools: [{ tool: 'gone@1' }] }, 'tool_unknown /nodes/0/tools/0/tool'],
      [{ tools: [{ tool: 'files.read@1' }, { tool: 'files.read@1' }] }, 'tool_name_taken /nodes/0/tools/1'],
      [{ tools: [{ tool: 'files.read@1', args: { paht: 1 } }] }, 'args_invalid /nodes/0/tools/0/args/paht'],
      [
        { tools: [{ tool: 'files.read@1', retry: { initialMs: 9, maxMs: 1 } }] },
        'retry_invalid /nodes/0/tools/0/retry',
      ],
      [{ tools: [{ tool: 'number.only@1' }] }, 'tool_not_callable /nodes/0/tools/0/tool'],
      [{ model: 'gone:x' }, 'model_unknown /nodes/0/model'],
      [{ tools: [{ ask: 'somebody' }] }, 'wrong_value /nodes/0/tools/0/ask'],
      [{ tools: [{ ask: 'person', tool: 'files.read@1' }] }, 'property_unknown /nodes/0/tools/0/tool'],
      [{ tools: [{ ask: 'person' }, { ask: 'person' }] }, 'tool_name_taken /nodes/0/tools/1'],
      [{ tools: [{ ask: 'person', form: { type: 'objekt' } }] }, 'schema_invalid /nodes/0/tools/0/form/type'],
      [{ tools: [{ ask: 'person', deadline: 'soon' }] }, 'wait_invalid /nodes/0/tools/0/deadline'],
      [{ tools: [{ ask: 'person', onDeadline: 'reject' }] }, 'approval_invalid /nodes/0/tools/0/onDeadline'],
      [
        { tools: [{ tool: 'files.read@1', approve: { when: 'true', onDeadline: 'reject' } }] },
        'approval_invalid /nodes/0/tools/0/approve/onDeadline',
      ],
      [{ tools: [{ tool: 'files.read@1', approve: {} }] }, 'property_missing /nodes/0/tools/0/approve'],
      [{ tools: [{ tool: 'files.read@1', approve: '1 +' }] }, 'expression_syntax /nodes/0/tools/0/approve'],
      [
        { tools: [{ tool: 'files.read@1', approve: { when: 'turn.text' } }] },
        'reference_outside_agent /nodes/0/tools/0/approve/when',
      ],
      [{ maxTurns: 101 }, 'out_of_range /nodes/0/maxTurns'],
      [{ prompt: '{{ turn.text }}' }, 'reference_outside_agent /nodes/0/prompt'],
      [{ prompt: '{{ secrets.P }}' }, 'secret_not_allowed /nodes/0/prompt'],
      [{ stop: 'nodes.zz.output' }, 'reference_unknown_node /nodes/0/stop'],
      [{ output: { schema: { type: 'objekt' } } }, 'schema_invalid /nodes/0/output/schema/type'],
      [{ body: { nodes: [], edges: [] } }, 'property_unknown /nodes/0/body'],
    ])('%j is refused', (more, problem) => {
      const registered = {
        tools: new Map([
          ...tools,
          ['number.only@1', { ...tools.get('files.read@1')!, input: { type: 'number' } }],
        ]),
        models: (id: string) => !id.startsWith('gone'),
      };
      expect(problems(flow([agent(more)]), registered)).toContain(problem);
    });

    it('reads turn nowhere else', () => {
      expect(problems(flow([says('x', '{{ args.a }}')]))).toEqual(['reference_outside_agent /nodes/0/value']);
      expect(problems(flow([says('x', '{{ turn.text }}')]))).toEqual([
        'reference_outside_agent /nodes/0/value',
      ]);
    });
  });

  it('K6: allows secrets in the arguments of a tool and nowhere else', () => {
    expect(problems(flow([tool('a', { args: { path: '{{ secrets.P }}' } })]), { tools })).toEqual([]);
    const llm = node('a', { kind: 'llm', model: 'sim:w', prompt: '{{ secrets.P }}' });
    expect(onlyIssue(flow([llm]))).toMatchObject({ code: 'secret_not_allowed', pointer: '/nodes/0/prompt' });
    expect(onlyIssue(flow([node('a')], [], { output: '{{ secrets.P }}' }))).toMatchObject({
      code: 'secret_not_allowed',
    });
  });

  it('X2: explains a dashed id that was not quoted, once', () => {
    const issue = onlyIssue(
      flow([node('my-node'), says('b', 'so {{ nodes.my-node.output.x }}')], edges('my-node -> b')),
    );
    expect(issue).toMatchObject({
      code: 'reference_unquoted',
      pointer: '/nodes/1/value',
      hint: 'write nodes.`my-node`.output',
    });
    const beside = flow(
      [node('my'), node('my-node'), says('b', '{{ nodes.my-node.output }}')],
      edges('my -> b', 'my-node -> b'),
    );
    expect(onlyIssue(beside).code).toBe('reference_unquoted');
    const minus = flow([node('a'), node('a-b'), says('c', '{{ nodes.a.output-1 }}')], edges('a -> c'));
    expect(problems(minus)).toEqual([]);
  });

  it('X3: warns about nodes that a join "first" does not wait for', () => {
    const document = flow(
      [
        node('start'),
        node('slow'),
        node('fast'),
        says('end', '{{ nodes.slow.output }} {{ nodes.start.output }}'),
      ].map((each) => (each.id === 'end' ? { ...each, join: 'first' } : each)),
      edges('start -> slow', 'start -> fast', 'slow -> end', 'fast -> end'),
    );
    expect(onlyIssue(document)).toMatchObject({ code: 'reference_unsettled', severity: 'warning' });
    expect(validateFlow(document).document).toBe(document);
  });

  it('K7: checks the expressions of a switch at their own characters', () => {
    const route = node('s', {
      kind: 'switch',
      cases: [
        { port: 'a', when: 'input.x >' },
        { port: 'b', when: '{{ nodes.zz.output }}' },
      ],
    });
    const { issues } = validateFlow(flow([route]));
    expect(issues.map((issue) => `${issue.code} ${issue.pointer}`)).toEqual([
      'expression_syntax /nodes/0/cases/0/when',
      'reference_unknown_node /nodes/0/cases/1/when',
    ]);
    expect(issues[1]?.message).toContain('at character 4');
  });
});

describe('configuration of a node', () => {
  it.each([
    [{ maxAttempts: 0 }, '/nodes/0/retry/maxAttempts'],
    [{ maxAttempts: 1.5 }, '/nodes/0/retry/maxAttempts'],
    [{ factor: 0.5 }, '/nodes/0/retry/factor'],
    [{ initialMs: -1 }, '/nodes/0/retry/initialMs'],
    [{ jitter: 2 }, '/nodes/0/retry/jitter'],
    [{ maxMs: 1e15 }, '/nodes/0/retry/maxMs'],
    [{ times: 3 }, '/nodes/0/retry/times'],
    [{ initialMs: 5_000, maxMs: 1_000 }, '/nodes/0/retry'],
    [{ initialMs: 90_000 }, '/nodes/0/retry'],
  ])('G5: refuses the retry policy %j', (retry, pointer) => {
    expect(onlyIssue(flow([node('a', { retry })]))).toMatchObject({ code: 'retry_invalid', pointer });
  });

  it.each(['gpt-5', ':x', 'openai:', 'Open AI:x', 'openai: x'])('G5: refuses the model id %j', (model) => {
    expect(onlyIssue(flow([node('a', { kind: 'llm', model, prompt: 'x' })]))).toMatchObject({
      code: 'model_malformed',
      pointer: '/nodes/0/model',
    });
  });

  it('G5: refuses models and tools that are not registered, where it is known what is', () => {
    const llm = node('a', { kind: 'llm', model: 'sim:writer', prompt: 'x' });
    expect(onlyIssue(flow([llm]), { models: () => false })).toMatchObject({ code: 'model_unknown' });
    expect(problems(flow([llm]))).toEqual([]);
    expect(onlyIssue(flow([tool('a', { tool: 'files.reed@1' })]), { tools })).toMatchObject({
      code: 'tool_unknown',
      hint: 'did you mean "files.read@1"?',
    });
    expect(onlyIssue(flow([tool('a', { tool: 'files.read@2' })]), { tools })).toMatchObject({
      code: 'tool_unknown',
      hint: 'there is files.read@1',
    });
    expect(onlyIssue(flow([tool('a', { tool: 'files.read' })]), { tools })).toMatchObject({
      code: 'tool_malformed',
    });
    expect(problems(flow([tool('a', { tool: 'other@1' })]))).toEqual([]);
  });

  it('G5: checks arguments as far as they are known when the flow is drawn', () => {
    const args = (value: unknown) => problems(flow([tool('a', { args: value })]), { tools });
    expect(args({ path: 5 })).toEqual(['args_invalid /nodes/0/args/path']);
    expect(args({ path: 'a', encoding: 'latin1' })).toEqual(['args_invalid /nodes/0/args/encoding']);
    expect(args({ encoding: '{{ input.e }}' })).toEqual(['args_invalid /nodes/0/args']);
    expect(args({ path: '{{ input.p }}', pth: 1 })).toEqual(['args_invalid /nodes/0/args/pth']);
    expect(args('{{ input }}')).toEqual([]);
    expect(args(undefined)).toEqual(['args_invalid /nodes/0/args']);
  });

  it('K7: refuses cases that share a port or take one of the switch itself', () => {
    const cases = ['a', 'a', 'default', 'error'].map((port) => ({ port, when: 'true' }));
    expect(problems(flow([node('s', { kind: 'switch', cases })]))).toEqual([
      'port_duplicate /nodes/0/cases/1/port',
      'port_reserved /nodes/0/cases/2/port',
      'port_reserved /nodes/0/cases/3/port',
    ]);
  });

  it.each([
    [{ type: 'strng' }, '/type'],
    [{ properties: { a: { minimum: 'x' } } }, '/properties/a/minimum'],
    [{ $ref: '#/$defs/gone' }, ''],
    [{ $ref: 'https://example.com/schema.json' }, ''],
    [{ $async: true, type: 'object' }, '/$async'],
    [{ $schema: 'http://json-schema.org/draft-07/schema#' }, '/$schema'],
    [{ pattern: '(' }, ''],
  ])('G5: refuses the schema %j', (schema, pointer) => {
    expect(problems(flow([node('a')], [], { input: schema }))).toEqual([`schema_invalid /input${pointer}`]);
    const llm = node('a', { kind: 'llm', model: 'sim:w', prompt: 'x', output: { schema } });
    expect(problems(flow([llm]))).toEqual([`schema_invalid /nodes/0/output/schema${pointer}`]);
  });
});

describe('limits', () => {
  const chain = (count: number) =>
    Array.from({ length: count }, (_, at) => says(`n${at}`, at === 0 ? 1 : `{{ nodes.n${at - 1}.output }}`));

  // Seconds on an idle machine; a busy one must not fail it.
  it('G7: checks a chain of the largest size, and a cycle through all of it', { timeout: 60_000 }, () => {
    const nodes = chain(MAX_NODES);
    const drawn = nodes.slice(1).map((each, at) => ({ from: `n${at}`, to: String(each.id) }));
    expect(problems(flow(nodes, drawn))).toEqual([]);
    const closed = [...drawn, { from: `n${MAX_NODES - 1}`, to: 'n0' }];
    expect(problems(flow(nodes, closed))).toEqual(['cycle /edges']);
  });

  it('G7: refuses more nodes and edges than that', () => {
    const nodes = chain(MAX_NODES);
    expect(onlyIssue(flow([...nodes, map('each', [node('x')])]))).toMatchObject({ code: 'node_limit' });
    const drawn = Array.from({ length: MAX_EDGES + 1 }, () => ({ from: 'n0', to: 'n1' }));
    expect(onlyIssue(flow(nodes, drawn))).toMatchObject({ code: 'edge_limit' });
  });

  it('G7: allows 16 maps inside each other and no more', () => {
    const nested = (levels: number): Record<string, unknown> =>
      levels === 0
        ? node('leaf')
        : map(`m${levels}`, [nested(levels - 1)], [], { over: levels === 1 ? '{{ item }}' : [1] });
    expect(problems(flow([nested(16)]))).toEqual([]);
    expect(onlyIssue(flow([nested(17)])).code).toBe('nesting_limit');
    expect(onlyIssue(flow([nested(100)])).code).toBe('nesting_limit');
  });

  it('G7: answers bottomless documents', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 50_000; level++) deep = [deep];
    expect(onlyIssue(flow([says('a', deep)])).code).toBe('nesting_too_deep');
  });

  it('X9: refuses an integer that was already rounded when it came', () => {
    expect(onlyIssue(flow([says('a', { id: 2 ** 60 })]))).toMatchObject({
      code: 'unsafe_integer',
      pointer: '/nodes/0/value/id',
    });
  });
});
