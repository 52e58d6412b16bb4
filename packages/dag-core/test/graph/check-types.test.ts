// Which mistake would this catch? A run that fails at its last node because a text was read where a number is wanted, and nobody said so
// when it was drawn; a conversion that is offered and gives another type; a warning about what may well fit.
import { describe, expect, it } from 'vitest';
import { compileTemplate, type ToolDeclaration, validateFlow } from '../../src/index.ts';
import { anEnv, aScope } from '../expression/scope-builder.ts';
import { edges, flow, node } from './flow-builder.ts';

const charge: ToolDeclaration = {
  name: 'charge',
  version: '1',
  effect: 'idempotent',
  input: {
    properties: {
      amount: { type: 'number' },
      count: { type: 'integer' },
      to: { type: 'string' },
      note: { type: ['string', 'null'] },
      isGift: { type: 'boolean' },
      items: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } } } },
      address: { type: 'object' },
      colour: { enum: ['red', 'green'] },
      anything: {},
      either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    },
  },
  output: {
    type: 'object',
    properties: {
      total: { type: 'number' },
      isPaid: { type: 'boolean' },
      lines: { type: 'array', items: { type: 'object', properties: { price: { type: 'number' } } } },
      place: { type: 'object' },
      loose: {},
    },
  },
};
const tools = new Map([['charge@1', charge]]);
const tool = (id: string, args: object, fields = {}) =>
  node(id, { kind: 'tool', tool: 'charge@1', args, ...fields });
const judge = node('judge', { kind: 'llm', model: 'sim:writer', prompt: 'How much?' });
const before = tool('before', {});
const reading = (args: object, first: object[] = [judge, before]) =>
  flow(
    [...(first as (typeof judge)[]), tool('pay', args)],
    first.flatMap((each) => edges(`${(each as { id: string }).id} -> pay`)),
    { input: { type: 'object', properties: { age: { type: 'integer' }, name: { type: 'string' } } } },
  );
const warnings = (document: unknown) =>
  validateFlow(document, { tools }).issues.filter(({ code }) => code === 'type_mismatch');

describe('a value of another type than is wanted', () => {
  it.each([
    [
      'amount',
      'nodes.judge.output',
      'must be a number, and nodes.judge.output is text',
      '$number(nodes.judge.output)',
    ],
    ['to', 'nodes.before.output.total', 'must be text, and', '$string(nodes.before.output.total)'],
    ['to', 'input.age', 'must be text, and input.age is a number', '$string(input.age)'],
    [
      'note',
      'nodes.before.output.isPaid',
      'must be text or null, and',
      '$string(nodes.before.output.isPaid)',
    ],
    ['isGift', 'nodes.judge.output', 'must be true or false, and', 'nodes.judge.output = "true"'],
    ['colour', 'input.age', 'must be text, and', '$string(input.age)'],
  ])('G14: is warned of, with what would make it fit: %s of %s', (name, read, message, conversion) => {
    const [issue, ...others] = warnings(reading({ [name]: `{{ ${read} }}` }));
    expect(others).toEqual([]);
    expect(issue).toMatchObject({
      severity: 'warning',
      pointer: `/nodes/2/args/${name}`,
      message: expect.stringContaining(`args.${name} ${message}`),
      hint: `write {{ ${conversion} }}`,
    });
    expect(warnings(reading({ [name]: `{{ ${conversion} }}` }))).toEqual([]);
  });

  it('G14: is warned of inside lists and objects', () => {
    const inside = { items: [{ sku: '{{ input.age }}' }] };
    expect(warnings(reading(inside))).toMatchObject([{ pointer: '/nodes/2/args/items/0/sku' }]);
  });

  it('G14: has no conversion where nobody knows what is meant', () => {
    expect(warnings(reading({ address: '{{ nodes.judge.output }}' }))).toMatchObject([
      { hint: 'read what fits, or make it of what is read' },
    ]);
    expect(warnings(reading({ amount: '{{ nodes.before.output.place }}' }))).toMatchObject([
      { hint: 'read what fits, or make it of what is read' },
    ]);
  });

  it('G14: is written with the quotes that its id needs', () => {
    const quoted = { ...judge, id: 'the-judge' };
    expect(warnings(reading({ amount: '{{ nodes.`the-judge`.output }}' }, [quoted]))).toMatchObject([
      { hint: 'write {{ $number(nodes.`the-judge`.output) }}' },
    ]);
  });

  it.each([
    ['an integer is a number', { amount: '{{ input.age }}' }],
    ['a number may be an integer', { count: '{{ nodes.before.output.total }}' }],
    ['one of several types', { note: '{{ nodes.judge.output }}' }],
    ['a part of a text is text', { to: 'Dear {{ input.age }}' }],
    ['nobody knows what an expression gives', { amount: '{{ nodes.judge.output & "" }}' }],
    ['the schema does not say what is given', { amount: '{{ nodes.before.output.loose }}' }],
    ['the schema does not say what is wanted', { anything: '{{ input.age }}', either: '{{ input.age }}' }],
    ['one value becomes a list of one (X4)', { items: '{{ nodes.before.output.place }}' }],
    ['members of all items of a list', { amount: '{{ nodes.before.output.lines.price }}' }],
  ])('G14: is not seen where it may fit: %s', (_, args) => {
    expect(warnings(reading(args))).toEqual([]);
  });

  it('G14: is not seen where something else may stand for the output', () => {
    const loose = { ...judge, onError: { do: 'fallback', value: 7 } };
    expect(warnings(reading({ amount: '{{ nodes.judge.output }}' }, [loose]))).toEqual([]);
  });

  it.each([
    ['$number("12.5")', 'number'],
    ['$string(12.5)', 'string'],
    ['"true" = "true"', 'boolean'],
  ])('G14: %s is what the conversion promises', async (expression, type) => {
    const value = await compileTemplate(`{{ ${expression} }}`).evaluate(aScope(), anEnv());
    expect(typeof value).toBe(type);
  });
});
