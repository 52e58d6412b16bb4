// Catches: a prompt changed where nobody wrote an expression, an object turned into "[object Object]", a silent blank.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileExpression, compileTemplate, ExpressionError, type Json } from '../../src/index.ts';
import { anEnv, aScope } from './scope-builder.ts';

const fill = (template: Json, scope = aScope(), options = {}) =>
  compileTemplate(template).evaluate(scope, anEnv(), options);

describe('templates', () => {
  it('X1: leaves every brace alone that is no expression (C22)', () => {
    const text = 'Reply {"foo":"bar"} to {{ input.name }}; write \\{{ name }} and {a:1} and }} and { {';
    expect(fill(text, aScope({ name: 'Ada' }))).toBe(
      'Reply {"foo":"bar"} to Ada; write {{ name }} and {a:1} and }} and { {',
    );
  });

  it('X1: gives back byte for byte any text without an opening pair of braces', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!text.includes('{{'));
        expect(fill(text)).toBe(text);
      }),
    );
  });

  it('X1: reads back any text whose opening braces were escaped', () => {
    const unit = fc.constantFrom('{{', '{', '}', '}}', 'a', ' ', '"');
    fc.assert(
      fc.property(fc.array(unit), (pieces) => {
        const text = pieces.join('');
        fc.pre(!text.includes('{{{'));
        expect(fill(text.replaceAll('{{', '\\{{'))).toBe(text);
      }),
    );
  });

  it('X1: renders an object inside text as its JSON, and passes it whole where it stands alone (C23)', () => {
    const output = { k: [1, null, 'é'], n: 0.1 };
    const scope = aScope(null, { a: output });
    expect(fill('data: {{ nodes.a.output }}', scope)).toBe('data: {"k":[1,null,"é"],"n":0.1}');
    expect(fill({ field: '{{ nodes.a.output }}' }, scope)).toEqual({ field: output });
  });

  it('X1: renders text as it is and everything else as JSON', () => {
    const scope = aScope({ s: 'a "b"', n: 1.5, t: true, z: null, l: ['x'] });
    expect(fill('{{input.s}}|{{input.n}}|{{input.t}}|{{input.z}}|{{input.l}}', scope)).toBe(
      'a "b"|1.5|true|null|["x"]',
    );
  });

  it.each<[string, Json]>([
    ['{{ input.n }}', 3],
    ['{{input.n}}', 3],
    ['{{ {"a":{"b":input.n}} }}', { a: { b: 3 } }],
    ['{{{"a":{"b":1}}}}', { a: { b: 1 } }],
    ['{{ "}}" }}', '}}'],
    ["{{ '}}' & input.s }}", '}}t'],
    ['{{ /* }} */ input.n }}', 3],
    ['{{ $contains(input.s, /x{2}|t/) }}', true],
    ['{{ input.`odd }} key` }}', 'odd'],
    ['{{ input.n / 3 }}', 1],
    ['{{ (input.n) / 3 }}', 1],
    ['{{ "\\"}}" }}', '"}}'],
  ])('X1: finds the end of %s', async (template, expected) => {
    expect(await fill(template, aScope({ n: 3, s: 't', 'odd }} key': 'odd' }))).toEqual(expected);
  });

  it('X1: keeps a string with one expression and a space as text', () => {
    expect(fill(' {{ input }}', aScope(5))).toBe(' 5');
    expect(compileTemplate('{{ input }}', { text: true }).evaluate(aScope({ a: 1 }), anEnv())).toBe(
      '{"a":1}',
    );
  });

  it('X1: never reads keys as templates', () => {
    expect(fill({ '{{ input }}': '{{ input }}' }, aScope(1))).toEqual({ '{{ input }}': 1 });
  });

  it.each([
    ['say {{ input', 4],
    ['say {{ input. }}', 14],
    ['{{ }}', 2],
    ['{{ 1 + }} {{ input }}', 7],
    ['{{ $sum(1 }}', 10],
  ])('X1: tells where the syntax of %j breaks', (template, position) => {
    const { issues, evaluate } = compileTemplate({ deep: [template] });
    expect(issues).toEqual([
      expect.objectContaining({ code: 'expression_syntax', pointer: '/deep/0', position, severity: 'error' }),
    ]);
    expect(() => evaluate(aScope(), anEnv())).toThrow(ExpressionError);
  });

  it('X4: fails with expression_empty and its place instead of leaving a blank', () => {
    for (const template of ['{{ input.gone }}', 'text {{ input.gone }}', { a: ['{{ input.gone }}'] }]) {
      expect(() => fill(template, aScope({}))).toThrow(expect.objectContaining({ code: 'expression_empty' }));
    }
    expect(() => fill({ a: { 'b/c': '{{ input.gone }}' } }, aScope({}))).toThrow(
      '{{ input.gone }} at /a/b~1c gives nothing',
    );
  });

  it('X4: takes a default, also null, and lets null itself pass', () => {
    expect(fill('{{ input.gone ?? "none" }}', aScope({}))).toBe('none');
    expect(fill('{{ input.gone ?? null }}', aScope({}))).toBeNull();
    expect(fill('{{ input.z ?? 1 }}', aScope({ z: null }))).toBeNull();
  });

  it('X4: leaves optional fields out', async () => {
    const template = {
      a: '{{ input.gone }}',
      b: '{{ $uppercase(input.gone) }}',
      c: 'x {{ input.gone }}',
      d: 1,
    };
    expect(await fill(template, aScope({}), { optional: true })).toEqual({ d: 1 });
    expect(fill('{{ input.gone }}', aScope({}), { optional: true })).toBeUndefined();
  });

  it('X4: leaves fields out that the schema does not require, and no others', () => {
    const schema = { type: 'object', properties: { a: {}, b: {} }, required: ['b'] };
    expect(fill({ a: '{{ input.gone }}', b: 1 }, aScope({}), { schema })).toEqual({ b: 1 });
    expect(() => fill({ b: '{{ input.gone }}' }, aScope({}), { schema })).toThrow('gives nothing');
    expect(() => fill({ c: '{{ input.gone }}' }, aScope({}), { schema })).toThrow('gives nothing');
  });

  it('X5: answers at once for simple templates and with a promise for the others', async () => {
    const simple = fill({ a: '{{ input.n + 1 }}', b: ['x {{ input.n }}'] }, aScope({ n: 1 }));
    expect(simple).toEqual({ a: 2, b: ['x 1'] });
    const other = fill(
      { a: '{{ $sum(input.l) }}', b: '{{ input.l[0] }}', c: 'is {{ $max(input.l) }}.' },
      aScope({ l: [1, 2] }),
    );
    expect(other).toBeInstanceOf(Promise);
    expect(await other).toEqual({ a: 3, b: 1, c: 'is 2.' });
  });

  it('X1: shares templates without expressions instead of copying them', () => {
    const template = { a: [1, { b: 'c' }] };
    expect(fill(template)).toBe(template);
    expect(compileTemplate(template).isConstant).toBe(true);
    expect(compileTemplate({ a: '\\{{' }).evaluate(aScope(), anEnv())).toEqual({ a: '{{' });
  });

  it('X10: refuses reserved keys and bottomless templates', () => {
    const reserved = JSON.parse('{"a":{"__proto__":{"x":"{{ input }}"}}}') as Json;
    expect(compileTemplate(reserved).issues).toEqual([
      expect.objectContaining({ code: 'reserved_key', pointer: '/a/__proto__' }),
    ]);
    let deep: Json = '{{ input }}';
    for (let level = 0; level < 1_000; level++) deep = [deep];
    expect(compileTemplate(deep).issues[0]?.code).toBe('nesting_too_deep');
  });

  it('K7: reads a bare expression, with or without braces', () => {
    for (const source of ['input.n > 2', '{{ input.n > 2 }}', ' {{input.n > 2}} ']) {
      expect(compileExpression(source).evaluate(aScope({ n: 3 }), anEnv())).toBe(true);
    }
    expect(compileExpression('{{ nodes.a.output }}').references[0]?.position).toBe(3);
    expect(compileExpression('nodes.a.output').references[0]?.position).toBe(0);
    expect(compileExpression('input.a >').issues[0]).toMatchObject({
      code: 'expression_syntax',
      position: 9,
    });
  });
});
