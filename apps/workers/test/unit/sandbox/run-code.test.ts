// Which mistake would this catch? Code that sees the real world, outlives its limits, or hands on a value that is
// something else after it was stored.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CodeCall, createSandbox, type Sandbox } from '../../../src/sandbox/index.ts';

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = createSandbox({ threads: 1 });
});
afterAll(() => sandbox.close());

const run = (source: string, more: Partial<CodeCall> = {}) =>
  sandbox.run({
    source,
    scope: { input: { a: 1 }, nodes: {} },
    now: Date.UTC(2026, 0, 2, 3, 4, 5),
    random: () => 0.25,
    ...more,
  });
const value = (expression: string, more: Partial<CodeCall> = {}) =>
  run(`export default ({ input, nodes, item, index }) => (${expression})`, more);
const failure = (work: Promise<unknown>) =>
  work.then(
    (result) => ({ unexpected: result }),
    (problem: { failure?: object }) => problem.failure ?? problem,
  );

describe('what code sees', () => {
  it('when it is called, input, node outputs, item and index are there', async () => {
    const scope = { input: { a: 1 }, nodes: { n: { output: [1, 'é'] } }, item: null, index: 3 };
    const result = await value('[input.a, nodes.n.output, item, index]', { scope });
    expect(result).toEqual([1, [1, 'é'], null, 3]);
  });

  it('when it is async or awaits at the top, the result is awaited', async () => {
    expect(await run('export default async ({ input }) => { await null; return input.a + 1; }')).toBe(2);
    expect(await run('const two = await Promise.resolve(2); export default () => two;')).toBe(2);
  });

  it('X6: when it asks for time, it gets the recorded instant, in UTC, however it asks', async () => {
    const at = Date.UTC(2026, 0, 2, 3, 4, 5);
    expect(
      await value(
        '[Date.now(), new Date().getTime(), new Date().getHours(), new Date(2026, 0, 1).toISOString(), new Date("2026-01-01T00:00").toISOString(), new Date().getTimezoneOffset()]',
      ),
    ).toEqual([at, at, 3, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 0]);
    expect(await value('Date()')).toBe('Fri Jan 02 2026 03:04:05 GMT+0000');
  });

  it('X6: when it asks for randomness, recorded randomness decides', async () => {
    const dice = 'Array.from({ length: 3 }, () => Math.random())';
    const first = (await value(dice)) as number[];
    expect(await value(dice)).toEqual(first);
    expect(await value(dice, { random: () => 0.75 })).not.toEqual(first);
    expect(new Set(first).size).toBe(3);
    expect(first.every((number) => number >= 0 && number < 1)).toBe(true);
  });

  it('when it looks for more of the world, there is none', async () => {
    const names =
      '["process", "require", "fetch", "setTimeout", "console", "globalThis.performance", "WeakRef", "FinalizationRegistry", "SharedArrayBuffer", "Atomics", "WebAssembly"]';
    expect(
      await value(
        `${names}.filter((name) => { try { return eval("typeof " + name) !== "undefined" } catch { return false } })`,
      ),
    ).toEqual([]);
    expect(await failure(run('import fs from "fs"; export default () => 1'))).toMatchObject({
      code: 'code_error',
    });
    expect(await failure(run('export default () => import("node:fs")'))).toMatchObject({
      code: 'code_error',
    });
  });

  it('when one call changes built-ins, the next one has its own', async () => {
    await run('Array.prototype.map = null; globalThis.leak = 1; export default () => 1');
    expect(await value('[typeof leak, [1].map((x) => x + 1)[0]]')).toEqual(['undefined', 2]);
  });
});

describe('what code returns', () => {
  it.each<[string, string, string]>([
    ['new Map()', 'itself', 'Map'],
    ['({ d: new Date() })', '/d', 'Date'],
    ['({ a: { "b/c~d": [NaN] } })', '/a/b~1c~0d/0', 'NaN'],
    ['[Infinity]', '/0', 'Infinity'],
    ['({ b: 1n })', '/b', 'bigint'],
    ['({ f() {} })', '/f', 'function'],
    ['Symbol("s")', 'itself', 'symbol'],
    ['undefined', 'itself', 'undefined'],
    ['[undefined]', '/0', 'undefined'],
    ['new (class Point {})()', 'itself', 'Point'],
    ['(() => { const o = {}; o.o = [o]; return o; })()', '/o/0', 'cycle'],
    ['({ id: 2 ** 53 + 2 })', '/id', 'unsafe integer'],
    ['(() => { let o = 1; for (let i = 0; i < 1001; i++) o = [o]; return o; })()', '/0', 'too deep'],
  ])('C59: %s is refused with pointer and type', async (expression, pointer, found) => {
    const refused = await failure(value(expression));
    expect(refused).toMatchObject({ code: 'code_result', class: 'permanent' });
    expect((refused as { message: string }).message).toContain(pointer);
    expect((refused as { message: string }).message).toContain(`(found ${found})`);
  });

  it('C59: when members are undefined they are dropped, and −0 is 0', async () => {
    expect(await value('({ u: undefined, k: null, z: -0 })')).toEqual({ k: null, z: 0 });
  });

  it('when keys are __proto__, they are ordinary keys on the way in and out', async () => {
    const input = JSON.parse('{"__proto__":{"x":1}}');
    const result = await value('input', { scope: { input, nodes: {} } });
    expect(JSON.stringify(result)).toBe('{"__proto__":{"x":1}}');
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it('when text holds NUL, lone surrogates or emoji, it comes back unchanged', async () => {
    const input = 'a\u0000b \ud800 \u{1F981} \u2028';
    expect(await value('input', { scope: { input, nodes: {} } })).toBe(input);
  });

  it('when code tampers with JSON and its helpers, the rule still holds', async () => {
    const tamper =
      'Object.prototype.toJSON = () => 5; JSON.stringify = () => "1"; Set.prototype.has = () => true; Array.isArray = () => false; Object.keys = () => [];';
    expect(await run(`${tamper} export default () => ({ a: [1] })`)).toEqual({ a: [1] });
    expect(await failure(run(`${tamper} export default () => ({ a: new Date() })`))).toMatchObject({
      code: 'code_result',
    });
  });

  it('when the result is large, it arrives whole', async () => {
    expect(((await value('"x".repeat(5e6)', { timeoutMs: 5_000 })) as string).length).toBe(5_000_000);
  });
});

describe('how code fails', () => {
  it('when it throws, message and place are there', async () => {
    expect(await failure(run('export default () => {\n  const x = 1;\n  null.foo;\n}'))).toEqual({
      code: 'code_error',
      class: 'permanent',
      message: "TypeError: cannot read property 'foo' of null (line 3, column 7)",
      detail: { line: 3, column: 7 },
    });
  });

  it('when it cannot be read, the line is named', async () => {
    expect(await failure(run('export default () => {\n  const x = ;\n}'))).toMatchObject({
      code: 'code_syntax',
      detail: { line: 2 },
    });
    expect(await failure(value('JSON.parse("x")'))).toMatchObject({ code: 'code_error' });
  });

  it.each([
    ['const a = 1', 'code_no_default'],
    ['export default 5', 'code_no_default'],
    ['export default () => new Promise(() => {})', 'code_never_settles'],
    ['export default () => Promise.reject(new Error("no"))', 'code_error'],
    ['export default () => { throw "text" }', 'code_error'],
    ['export default () => { throw undefined }', 'code_error'],
    ['export default () => { throw null }', 'code_error'],
    ['export default () => { throw 1n }', 'code_error'],
    ['export default () => { throw Symbol("s") }', 'code_error'],
    [
      'export default () => { throw new (class extends Error { get stack() { throw 1 } })("x") }',
      'code_error',
    ],
    ['throw new Error("while loading"); export default () => 1', 'code_error'],
    ['export default () => { throw { get message() { throw 1 } } }', 'code_error'],
  ])('%s → %s', async (source, code) => {
    expect(await failure(run(source))).toMatchObject({ code, class: 'permanent' });
    expect(await value('1')).toBe(1);
  });

  it('C26: when it throws half an emoji or a very long text, the message is well-formed and bounded', async () => {
    const { message } = (await failure(
      run('export default () => { throw new Error("x".repeat(9000) + "\\ud800") }'),
    )) as {
      message: string;
    };
    expect(message.length).toBeLessThanOrEqual(4_000);
    expect(/\p{Surrogate}/u.test(message)).toBe(false);
  });
});

describe('limits', () => {
  it.each([
    ['a loop', 'export default () => { for (;;); }'],
    ['a loop while loading', 'for (;;); export default () => 1'],
    ['a loop that catches', 'export default () => { for (;;) try { for (;;); } catch {} }'],
    ['a chain of promises', 'export default async () => { for (;;) await null; }'],
    ['a regular expression', 'export default () => /(a+)+$/.test("a".repeat(40) + "b")'],
    ['a getter in the result', 'export default () => ({ get a() { for (;;); } })'],
    ['a built-in that never asks', 'export default () => "a".repeat(2e7).indexOf("a".repeat(1e7) + "b")'],
  ])('C14: when %s runs past its time, it is stopped and the next call works', async (_case, source) => {
    expect(await failure(run(source, { timeoutMs: 60 }))).toMatchObject({
      code: 'code_timeout',
      class: 'timed_out',
      message: 'The code ran longer than its limit of 60 ms.',
    });
    expect(await value('input.a')).toBe(1);
  });

  it.each([
    ['objects', 'const a = []; for (;;) a.push({ a: 1 });'],
    ['strings', 'const a = []; for (;;) a.push("x".repeat(1e6) + a.length);'],
    ['buffers', 'const a = []; for (;;) a.push(new Uint8Array(1e6));'],
    ['one huge array', 'return new Array(1e9).fill(0).length;'],
  ])(
    'when %s fill the memory, it fails with the limit in the message and the next call works',
    async (_case, body) => {
      expect(
        await failure(run(`export default () => { ${body} }`, { memoryMb: 32, timeoutMs: 20_000 })),
      ).toMatchObject({
        code: 'code_memory',
        class: 'permanent',
        message: expect.stringContaining('32 MB'),
      });
      expect(await value('1')).toBe(1);
    },
  );

  it('when it stays below the limit, it may use the memory', async () => {
    const source =
      'export default () => { const a = []; for (let i = 0; i < 45; i++) a.push(new Uint8Array(1e6)); return a.length; }';
    expect(await run(source, { timeoutMs: 20_000 })).toBe(45);
    expect(await run(source, { timeoutMs: 20_000 })).toBe(45);
  });

  it.each([
    ['a function', 'const f = () => f(); f();'],
    ['a callback', 'const f = () => [1].map(f); f();'],
    ['a sort', 'const f = () => [2, 1].sort(f); f();'],
    ['toJSON', 'const f = () => JSON.stringify({ toJSON: f }); f();'],
    ['a replacer', 'const f = () => "a".replace(/a/, f); f();'],
    ['a proxy', 'const f = () => new Proxy({}, { get: f }).x; f();'],
    ['a constructor', 'class A { constructor() { new A(); } } new A();'],
    ['a generator', 'function* g() { yield* g(); } [...g()];'],
    ['a parser', 'eval("(".repeat(100000));'],
    ['a deep value', 'let o = []; for (let i = 0; i < 100000; i++) o = [o]; JSON.stringify(o);'],
  ])('when %s recurses without end, the code fails and the process does not', async (_case, body) => {
    expect(await failure(run(`export default () => { ${body} }`, { timeoutMs: 20_000 }))).toMatchObject({
      code: 'code_stack',
    });
    expect(await value('1')).toBe(1);
  });
});

describe('createSandbox', () => {
  it('when code hangs, the event loop of this thread goes on meanwhile', async () => {
    let turns = 0;
    const beat = setInterval(() => turns++, 5);
    await failure(run('export default () => { for (;;); }', { timeoutMs: 200 }));
    clearInterval(beat);
    expect(turns).toBeGreaterThan(3);
  });

  it('when more calls come than there are threads, each gets its own answer', async () => {
    const two = createSandbox({ threads: 2 });
    const scope = (input: number) => ({ input, nodes: {} });
    const call = { now: 0, random: () => 0.5, source: 'export default ({ input }) => input * 2' };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => two.run({ ...call, scope: scope(n) })),
    );
    expect(answers).toEqual(Array.from({ length: 50 }, (_, n) => n * 2));
    await two.close();
    await expect(two.run({ ...call, scope: scope(1) })).rejects.toThrow('closed');
  });
});
