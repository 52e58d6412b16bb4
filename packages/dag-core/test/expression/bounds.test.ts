// Catches: an expression that hangs a worker, reads the machine's clock, escapes into functions, or changes what it reads.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileTemplate, type ExpressionScope, type Json } from '../../src/index.ts';
import { anEnv, aScope } from './scope-builder.ts';

const run = async (source: string, scope: ExpressionScope = aScope(), env = anEnv()) =>
  compileTemplate(`{{ ${source} }}`).evaluate(scope, env);
const code = (expected: string) => expect.objectContaining({ code: expected });

describe('clock and randomness', () => {
  it.each<[string, Json]>([
    ['$now()', '2026-01-02T03:04:05.000Z'],
    ['$now("[Y0001]/[M01]/[D01]")', '2026/01/02'],
    ['$now("[H01]:[m01] [Z]", "+0200")', '05:04 +02:00'],
    ['$millis()', Date.UTC(2026, 0, 2, 3, 4, 5)],
    ['$toMillis("12:30", "[H01]:[m01]")', Date.UTC(2026, 0, 2, 12, 30)],
    ['$fromMillis($millis())', '2026-01-02T03:04:05.000Z'],
    ['($f := $now; $f())', '2026-01-02T03:04:05.000Z'],
  ])('X6: %s reads the recorded clock', async (source, expected) => {
    const env = anEnv();
    expect(await run(source, aScope(), env)).toEqual(expected);
    expect(env.clockReads).toBeGreaterThan(0);
    expect(env.draws).toBe(0);
  });

  it('X6: draws recorded numbers, in document order', async () => {
    const env = anEnv();
    const filled = await compileTemplate({
      a: '{{ $random() }}',
      b: ['{{ $random() }} {{ $random() }}'],
    }).evaluate(aScope(), env);
    expect(filled).toEqual({ a: 0.37, b: [`0.74 ${(3 * 0.37) % 1}`] });
    expect(env.draws).toBe(3);
    expect(env.clockReads).toBe(0);
  });

  it('X6: shuffles by recorded numbers, losing and doubling nothing', async () => {
    const list = Array.from({ length: 50 }, (_, at) => at);
    const [first, second] = await Promise.all([
      run('$shuffle(input)', aScope(list)),
      run('$shuffle(input)', aScope(list)),
    ]);
    expect(first).toEqual(second);
    expect(first).not.toEqual(list);
    expect([...(first as number[])].sort((a, b) => a - b)).toEqual(list);
  });

  it('X6: touches neither for an expression that needs neither', async () => {
    const env = anEnv();
    await run('$sum([1, 2]) & $string($toMillis("2020-01-01"))', aScope(), env);
    expect([env.clockReads, env.draws]).toEqual([0, 0]);
  });

  it('X6: keeps environments apart when one template is filled many times at once', async () => {
    const template = compileTemplate('{{ $string($millis()) & "-" & $string(input) }}');
    const filled = await Promise.all(
      Array.from({ length: 200 }, (_, at) =>
        template.evaluate(aScope(at), { now: () => 1_000 + at, random: () => 0 }),
      ),
    );
    expect(filled).toEqual(Array.from({ length: 200 }, (_, at) => `${1_000 + at}-${at}`));
  });
});

describe('bounds', () => {
  it('X8: ends an endless loop', async () => {
    await expect(run('($f := function($x) { $f($x + 1) }; $f(0))')).rejects.toThrow(
      code('expression_timeout'),
    );
  });

  it('X8: ends an endless recursion', async () => {
    const source = '($f := function($x) { 1 + $f($x) }; $f(0))';
    await expect(run(source, aScope(), anEnv({ timeLimitMs: 10_000 }))).rejects.toThrow(
      code('expression_too_deep'),
    );
  });

  it('X8: does not count the time that others take', async () => {
    const template = compileTemplate('{{ $count([1..500].($ * 2)) }}');
    const all = Array.from({ length: 100 }, () => template.evaluate(aScope(), anEnv()));
    expect(new Set(await Promise.all(all))).toEqual(new Set([500]));
  });

  it.each(['[1..9000000]', '$pad("", 100000000)', '$pad("x", -100000000, "ab")'])(
    'X8: refuses the size of %s',
    async (source) => {
      await expect(run(source)).rejects.toThrow(code('expression_too_large'));
    },
  );

  it('X8: refuses results above the limit, by the simple way too', async () => {
    const env = anEnv({ sizeLimitBytes: 100 });
    const scope = aScope({
      long: 'x'.repeat(99),
      fine: 'x'.repeat(98),
      wide: '…'.repeat(50),
      list: Array(60).fill(1) as Json,
    });
    await expect(run('input.long', scope, env)).rejects.toThrow(code('expression_too_large'));
    await expect(run('input.wide', scope, env)).rejects.toThrow(code('expression_too_large'));
    await expect(run('input.list', scope, env)).rejects.toThrow(code('expression_too_large'));
    await expect(run('input.fine & "" & "y"', scope, env)).rejects.toThrow(code('expression_too_large'));
    expect(await run('input.fine', scope, env)).toHaveLength(98);
    const text = compileTemplate('{{ input.fine }} and {{ input.fine }}');
    expect(() => text.evaluate(scope, env)).toThrow(code('expression_too_large'));
  });

  it('X8: allows 10 MB by default and no more', async () => {
    expect(await run('input', aScope('x'.repeat(9_999_998)))).toHaveLength(9_999_998);
    await expect(run('input', aScope('x'.repeat(9_999_999)))).rejects.toThrow(code('expression_too_large'));
  });

  it('X8: refuses source text that is too long or nested too deeply', () => {
    expect(compileTemplate(`{{ ${'1 + '.repeat(30_000)} 1 }}`).issues[0]?.code).toBe('expression_syntax');
    expect(compileTemplate(`{{ ${'('.repeat(40_000)}1${')'.repeat(40_000)} }}`).issues[0]?.code).toBe(
      'expression_syntax',
    );
  });
});

describe('results', () => {
  it.each(['1/0', '$now', '$map', 'function($x) { $x }', '[$now]', '{ "a": $sum }', '/a/', '$sum(?)'])(
    'X7: refuses what %s gives',
    async (source) => {
      await expect(run(source)).rejects.toThrow(code('expression_not_json'));
    },
  );

  it.each(['9007199254740991 + 1', '$power(2, 60)', '-9007199254740992'])(
    'X9: refuses %s, which would be rounded',
    async (source) => {
      await expect(run(source)).rejects.toThrow(code('expression_not_json'));
    },
  );

  it.each(['"a" + 1', '$error("stop here")', '$assert(false, "no")', '$number("x")'])(
    'X8: names the failure of %s',
    async (source) => {
      await expect(run(source)).rejects.toThrow(code('expression_failed'));
    },
  );

  it('X7: gives plain lists and objects, without marks', async () => {
    const result = await run(
      '{ "l": input.items.x, "m": $match("ab", /a(b)/), "o": input.items{ k: x } }',
      aScope({
        items: [
          { k: 'p', x: 1 },
          { k: 'q', x: 2 },
        ],
      }),
    );
    expect(result).toStrictEqual({
      l: [1, 2],
      m: { match: 'ab', index: 0, groups: ['b'] },
      o: { p: 1, q: 2 },
    });
    expect(Object.keys((result as { l: unknown[] }).l)).toEqual(['0', '1']);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });

  it('X7: never changes what it reads', async () => {
    const sources = [
      'input.e{ "a": 1 }',
      'input.l[]',
      'input.l[][0]',
      'input.e[]',
      'input ~> |o|{ "x": 2 }, ["y"]|',
      'input.l^($)',
      '$append(input.l, 1)',
      '$reverse(input.l)',
      '$sort(input.l)',
      '$shuffle(input.l)',
      '$merge([input.o, {"z": 1}])',
      'input.l#$i.{ "i": $i }',
      'input.o@$o.l',
      '$each(input.o, function($v) { $v })',
    ];
    for (const source of sources) {
      const scope = aScope({ e: [], l: [3, 1], o: { x: 1, y: { z: [] } } });
      const before = structuredClone(scope.input);
      await run(source, deepFrozen(scope)).catch(() => undefined);
      expect(scope.input, source).toStrictEqual(before);
      expect(Object.keys((scope.input as { l: object }).l), source).toEqual(['0', '1']);
    }
  });

  it('X7: reaches no prototype', async () => {
    const scope = aScope(JSON.parse('{"__proto__":{"stolen":1},"constructor":{"x":2},"a":{}}') as Json);
    expect(await run('input.constructor.x', scope)).toBe(2);
    expect(await run('$string(input.a.constructor) & "|"', scope)).toBe('|');
    await expect(run('{ "__proto__": { "x": 1 } }', scope)).rejects.toThrow(code('expression_not_json'));
    await run('input ~> |a|{ "__proto__": { "polluted": true } }|', scope).catch(() => undefined);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('X3: sees no more of the scope than it names', async () => {
    const scope: ExpressionScope = {
      ...aScope({ a: { b: 1 } }, { secretive: 'hidden' }),
      secrets: { KEY: 'hidden' },
    };
    await expect(run('input.a.%.%.nodes.secretive.output', scope)).rejects.toThrow();
    await expect(run('input.a.%.%.secrets.KEY', scope)).rejects.toThrow();
  });

  it('X7: never throws anything but its own errors, whatever the expression', async () => {
    const token = fc.constantFrom(
      'input',
      '.a',
      '[0]',
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      '+',
      '&',
      '$',
      '$sum',
      '$eval',
      '"x"',
      ':',
      ',',
      '*',
      '%',
      '~>',
      '?',
      '/',
      '|',
      '^',
      '@$v',
      '#$i',
      ':=',
      '..',
      '1',
      '`q`',
      ' ',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(token, { maxLength: 8 }), async (tokens) => {
        const template = compileTemplate(`{{${tokens.join('')}}}`);
        try {
          JSON.stringify(await template.evaluate(aScope({ a: [1, { a: 2 }] }), anEnv()));
        } catch (error) {
          expect(error).toMatchObject({
            name: 'ExpressionError',
            code: expect.stringMatching(/^expression_/),
          });
        }
      }),
      { numRuns: 500 },
    );
  });
});

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFrozen(inner);
    Object.freeze(value);
  }
  return value;
}
