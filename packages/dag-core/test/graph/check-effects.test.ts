// Which mistake would this catch? A mail that goes out twice, to everybody, or with whatever a model made up, and nobody was warned
// when it was drawn; a warning that stays although the way out was taken.
import { describe, expect, it } from 'vitest';
import { type ToolDeclaration, validateFlow } from '../../src/index.ts';
import { edges, flow, loop, map, node } from './flow-builder.ts';

const declare = (
  effect: ToolDeclaration['effect'],
  fields: Partial<ToolDeclaration> = {},
): ToolDeclaration => ({
  name: 'x',
  version: '1',
  effect,
  input: {},
  ...fields,
});
const tools = new Map([
  ['mail.send@1', declare('non_repeatable')],
  ['crm.put@1', declare('idempotent')],
  ['crm.few@1', declare('pure', { output: { properties: { rows: { type: 'array', maxItems: 5 } } } })],
]);
const mail = (id: string, args: unknown = {}) => node(id, { kind: 'tool', tool: 'mail.send@1', args });
const model = (id: string, fields = {}) =>
  node(id, { kind: 'llm', model: 'sim:writer', prompt: 'go', ...fields });
const approval = (id: string) => node(id, { kind: 'approval', subject: 'Send it?' });
const agent = (id: string, tool: object) =>
  node(id, { kind: 'agent', model: 'sim:writer', prompt: 'go', tools: [tool] });
const warnings = (document: unknown, more = {}) =>
  validateFlow(document, { tools, ...more }).issues.map(({ code, pointer, severity }) => {
    expect(severity, `${code} ${pointer}`).toBe('warning');
    return `${code} ${pointer}`;
  });

describe('a non-repeatable effect in what is tried again', () => {
  it('G13: is warned of, however deep, and not when only its own node is tried again', () => {
    const inner = loop('l', [mail('send')]);
    const around = (retry: object) => flow([map('each', [inner], [], { over: [1], retry })]);
    const { issues } = validateFlow(around({ maxAttempts: 2 }), { tools });
    expect(issues).toMatchObject([
      { code: 'effect_repeated', pointer: '/nodes/0/body/nodes/0/body/nodes/0/tool', severity: 'warning' },
    ]);
    expect(issues[0]).toMatchObject({
      message: expect.stringContaining('"each"'),
      hint: expect.stringContaining('"each"'),
    });
    expect(warnings(around({ maxAttempts: 1 }))).toEqual([]);
    expect(warnings(around({ initialMs: 5 }))).toEqual([]);
    const own = { ...mail('send'), retry: { maxAttempts: 5 } };
    expect(warnings(flow([map('each', [own], [], { over: [1] })]))).toEqual([]);
  });

  it('G13: is warned of at the node that runs the flow that calls it', () => {
    const runs = (retry: object) => flow([node('sub', { kind: 'flow', flow: 'other', ...retry })]);
    const flows = new Map([['other', { versionId: 'a'.repeat(64), tools: ['mail.send@1', 'crm.put@1'] }]]);
    expect(warnings(runs({ retry: { maxAttempts: 3 } }), { flows })).toEqual([
      'effect_repeated /nodes/0/flow',
    ]);
    expect(warnings(runs({}), { flows })).toEqual([]);
  });
});

describe('a non-repeatable effect for every item', () => {
  const each = (over: unknown, tool = mail('send')) => map('each', [tool], [], { over });
  const place = 'effect_unbounded /nodes/0/body/nodes/0/tool';

  it('G13: is warned of where the list may have any length', () => {
    expect(warnings(flow([each('{{ input.rows }}')]))).toEqual([place]);
    expect(warnings(flow([each('{{ input.rows[of = 1] }}')], [], { input: bounded('rows') }))).toEqual([
      place,
    ]);
    expect(warnings(flow([each('{{ input.rows }}')], [], { input: bounded('others') }))).toEqual([place]);
    const idempotent = node('put', { kind: 'tool', tool: 'crm.put@1' });
    expect(warnings(flow([each('{{ input.rows }}', idempotent)]))).toEqual([]);
  });

  it('G13: is fine where the list is written down, its schema bounds it, or a person looked at it', () => {
    expect(warnings(flow([each([1, 2])]))).toEqual([]);
    expect(warnings(flow([each('{{ input.rows }}')], [], { input: bounded('rows') }))).toEqual([]);
    const few = node('few', { kind: 'tool', tool: 'crm.few@1' });
    expect(warnings(flow([few, each('{{ nodes.few.output.rows }}')], edges('few -> each')))).toEqual([]);
    expect(warnings(flow([approval('ask'), each('{{ input.rows }}')], edges('ask -> each')))).toEqual([]);
  });

  function bounded(name: string) {
    return { type: 'object', properties: { [name]: { type: 'array', maxItems: 10 } } };
  }
});

describe('a non-repeatable effect that a model feeds', () => {
  const send = mail('send', { to: '{{ nodes.write.output }}' });
  const hand = node('hand', { value: { text: '{{ nodes.write.output }}' } });

  it('G13: is warned of, through transforms, items and containers too', () => {
    const direct = flow([model('write'), send], edges('write -> send'));
    expect(warnings(direct)).toEqual(['effect_unguarded /nodes/1/tool']);
    const { message, hint } = validateFlow(direct, { tools }).issues[0]!;
    expect(message).toContain('"write"');
    expect(hint).toContain('between "write" and "send"');
    const through = [model('write'), hand, mail('send', ['{{ nodes.hand.output.text }}'])];
    expect(warnings(flow(through, edges('write -> hand', 'hand -> send')))).toEqual([
      'effect_unguarded /nodes/2/tool',
    ]);
    const rows = { output: { schema: { type: 'array', maxItems: 3 } } };
    const items = [
      model('write', rows),
      map('each', [mail('send', '{{ item }}')], [], { over: '{{ nodes.write.output }}' }),
    ];
    expect(warnings(flow(items, edges('write -> each')))).toEqual([
      'effect_unguarded /nodes/1/body/nodes/0/tool',
    ]);
    const held = [map('write', [model('inner')], [], { over: [1] }), send];
    expect(warnings(flow(held, edges('write -> send')))).toEqual(['effect_unguarded /nodes/1/tool']);
  });

  it('G13: is fine behind an approval or a switch that comes after the model, in its graph or nearer', () => {
    const route = node('route', {
      kind: 'switch',
      cases: [{ port: 'good', when: 'nodes.write.output = "good"' }],
    });
    expect(
      warnings(flow([model('write'), approval('ask'), send], edges('write -> ask', 'ask -> send'))),
    ).toEqual([]);
    expect(
      warnings(flow([model('write'), route, send], edges('write -> route', 'route:good -> send'))),
    ).toEqual([]);
    const inside = map('each', [approval('ask'), send], edges('ask -> send'), { over: [1] });
    expect(warnings(flow([model('write'), inside], edges('write -> each')))).toEqual([]);
  });

  it('G13: is not guarded by an approval that came before the model, or by one beside the way', () => {
    const early = flow([approval('ask'), model('write'), send], edges('ask -> write', 'write -> send'));
    expect(warnings(early)).toEqual(['effect_unguarded /nodes/2/tool']);
    const beside = flow([model('write'), approval('ask'), send], edges('write -> ask', 'write -> send'));
    expect(warnings(beside)).toEqual(['effect_unguarded /nodes/2/tool']);
  });

  it('G13: of an agent needs approve', () => {
    const budget = { budget: { tokens: 1_000 } };
    const bare = flow([agent('a', { tool: 'mail.send@1' })], [], budget);
    expect(warnings(bare)).toEqual(['effect_unguarded /nodes/0/tools/0/tool']);
    expect(warnings(flow([agent('a', { tool: 'mail.send@1', approve: 'true' })], [], budget))).toEqual([]);
    expect(warnings(flow([agent('a', { ask: 'person' })], [], budget))).toEqual([]);
  });
});

describe('an agent without a budget', () => {
  it('G13: is warned of unless money, tokens or calls are bounded', () => {
    const helper = agent('a', { tool: 'crm.put@1' });
    expect(warnings(flow([helper]))).toEqual(['budget_missing /nodes/0']);
    expect(warnings(flow([helper], [], { budget: { wallClockMs: 5 } }))).toEqual(['budget_missing /nodes/0']);
    for (const unit of ['costUsd', 'tokens', 'modelCalls'])
      expect(warnings(flow([helper], [], { budget: { [unit]: 5 } }))).toEqual([]);
  });
});
