// Catches: the short way and JSONata giving different answers for the same expression on the same data.
import fc from 'fast-check';
import jsonata from 'jsonata';
import { describe, expect, it } from 'vitest';
import { BAIL, compileFast } from '../../src/expression/fast-path.ts';
import type { Ast } from '../../src/expression/read-expression.ts';

const fast = (source: string) => compileFast(jsonata(source).ast() as unknown as Ast);

/** What JSONata says, as plain data: `undefined` stays apart from null, marks on arrays go. */
async function slow(source: string, data: unknown): Promise<unknown> {
  const result: unknown = await jsonata(source).evaluate(structuredClone(data));
  return result === undefined ? undefined : JSON.parse(JSON.stringify(result));
}

const names = ['a', 'b', 'c'] as const;
const scalar = fc.constantFrom(null, true, false, 0, 1, -1, 2.5, '', 'x', 'y');
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'medium' }, scalar, tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 3 }),
}));
const data = fc.record({ a: value, b: value, c: value });

const step = fc.tuple(
  fc.constantFrom(...names),
  fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 2 }),
  fc.boolean(),
);
const path = fc
  .array(step, { minLength: 1, maxLength: 4 })
  .map((steps) =>
    steps
      .map(
        ([name, indexes, quoted]) =>
          `${quoted ? `\`${name}\`` : name}${indexes.map((i) => `[${i}]`).join('')}`,
      )
      .join('.'),
  );
const literal = fc.constantFrom('1', '2.5', '-3', '0', '"x"', '""', 'true', 'false', 'null');
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    path,
    literal,
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom('+', '-', '*', '/', '%', '=', '!=', '<', '<=', '>', '>=', '&', 'and', 'or', '??'),
        tie('expression'),
      )
      .map(([left, operator, right]) => `${left} ${operator} ${right}`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([a, b, c]) => `${a} ? ${b} : ${c}`),
    tie('expression').map((inner) => `$exists(${inner})`),
  ),
}));

/** As it is stored: JSON text knows no negative zero. */
const asJson = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

describe('fast path', () => {
  it.each([
    'a',
    'a.b.c',
    'a[0]',
    'a[-1].b',
    '`a`.b',
    'a ?? 1',
    'a = 1 and b > 2',
    '$exists(a.b)',
    '"x" & a',
    'a ? b : c',
  ])('X5: takes %s', (source) => {
    expect(fast(source)).toBeTypeOf('function');
  });

  it.each([
    'a[b > 1]',
    '$sum(a)',
    'a.*',
    '**',
    'a[]',
    'a{b: c}',
    'a^(b)',
    '(a)',
    '[a]',
    '{"a": b}',
    'a@$x.b',
    'a#$i',
    'a.%',
    'a.(b)',
    '$x := 1',
    'a.$string()',
    'a[[0..1]]',
    'a[1.5][b]',
  ])('X5: leaves %s to JSONata', (source) => {
    expect(fast(source)).toBeUndefined();
  });

  it('X5: follows paths as JSONata does, through lists and lists of lists', async () => {
    await fc.assert(
      fc.asyncProperty(path, data, async (source, scope) => {
        const run = fast(source);
        expect(run).toBeDefined();
        expect(run?.(scope)).toEqual(await slow(source, scope));
      }),
      { numRuns: 1_000 },
    );
  });

  it('X5: computes as JSONata does, or hands over', async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(expression, data, async (source, scope) => {
        const run = fast(source);
        if (!run) return;
        const answer = run(scope);
        if (answer === BAIL) return;
        answered += 1;
        expect(asJson(answer)).toEqual(asJson(await slow(source, scope)));
      }),
      { numRuns: 1_000 },
    );
    expect(answered).toBeGreaterThan(150);
  });

  it('X7: sees own fields only, and hands over what JSONata takes for a function', () => {
    expect(fast('a.constructor')?.({ a: {} })).toBeUndefined();
    expect(fast('a.toString')?.({ a: {} })).toBeUndefined();
    expect(fast('a.length')?.({ a: 'text' })).toBeUndefined();
    expect(fast('a.`__proto__`')?.({ a: {} })).toBeUndefined();
    expect(fast('a.b')?.({ a: { _jsonata_function: true, b: 1 } })).toBe(BAIL);
  });

  it('X5: gathers from lists of any length', () => {
    const a = Array.from({ length: 200_000 }, (_, at) => [{ b: at }]);
    expect(fast('a.b')?.({ a: [a] })).toHaveLength(200_000);
  });
});
