// Which mistake would this catch? JSON that is rounded, a patch that is half applied, a key that reaches a prototype.
import { type Json, type Tool, toJson } from '@pawl/tool-sdk';
import { assertToolContract, testTool } from '@pawl/tool-sdk/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonTools } from '../../../src/tools/json/index.ts';

const named = (name: string): Tool => jsonTools.find((tool) => tool.name === `json.${name}`)!;
const call = async (name: string, args: Json): Promise<Json> =>
  (await testTool(named(name), { args })).output;

it.each([
  ['parse', { text: '{"a":[1]}' }, { text: 1 }],
  ['stringify', { value: { b: 1, a: [2] } }, { value: 1, indent: 2, canonical: true }],
  ['merge', { values: [{ a: 1 }, { b: 2 }] }, { values: [] }],
  [
    'patch',
    { value: {}, operations: [{ op: 'add', path: '/a', value: 1 }] },
    { value: {}, operations: [{ op: 'add', path: 'a' }] },
  ],
  ['query', { value: [1], pointer: '/0' }, { value: [1], pointer: '/~2' }],
] as [string, Json, Json][])('json.%s keeps its contract', async (name, args, bad) => {
  await assertToolContract(named(name), { args, invalidArgs: [bad, {}] });
});

describe('json.parse', () => {
  it('when an integer would be rounded, it is refused with its pointer, or kept as text', async () => {
    const text = '{"ids":[1,9007199254740993],"share":0.1}';
    await expect(call('parse', { text })).rejects.toMatchObject({
      code: 'unsafe_integer',
      message: expect.stringContaining('/ids/1'),
    });
    expect(await call('parse', { text, bigIntegers: 'strings' })).toEqual({
      ids: [1, '9007199254740993'],
      share: 0.1,
    });
  });

  it.each([
    ['{"a":1', 'json_syntax'],
    ['{"__proto__":{"a":1}}', 'reserved_key'],
    ['['.repeat(5_000), 'nesting_too_deep'],
  ])('when the text is %j, it says %s', async (text, code) => {
    await expect(call('parse', { text })).rejects.toMatchObject({ code });
  });

  it('when the text begins with a byte order mark, it is dropped; NUL is kept', async () => {
    expect(await call('parse', { text: '\ufeff"a\\u0000"' })).toBe('a\0');
  });
});

describe('json.stringify', () => {
  it('when it is canonical, equal values give equal text', async () => {
    expect(await call('stringify', { value: { b: 1e2, a: 'é' }, canonical: true })).toBe('{"a":"é","b":100}');
    expect(await call('stringify', { value: { b: 1 }, indent: 1 })).toBe('{\n "b": 1\n}');
  });

  it('when what it wrote is read again, it is the same value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const plain = toJson(value);
        fc.pre(plain.ok && !JSON.stringify(value).includes('"__proto__"'));
        if (!plain.ok) return;
        const text = (await call('stringify', { value: plain.value })) as string;
        expect(await call('parse', { text, bigIntegers: 'refuse' })).toEqual(plain.value);
      }),
      { numRuns: 50 },
    );
  });
});

describe('json.merge', () => {
  // The table of RFC 7396, appendix A.
  it.each<[Json, Json, Json]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('with nulls "delete", %j and %j give %j', async (target, patch, merged) => {
    expect(await call('merge', { values: [target, patch], nulls: 'delete' })).toEqual(merged);
  });

  it('when nulls are kept and lists joined, nothing is lost', async () => {
    const values: Json[] = [{ a: [1], b: { c: 1 } }, { a: [2], b: { d: null } }, { a: [3] }];
    expect(await call('merge', { values, arrays: 'concat' })).toEqual({ a: [1, 2, 3], b: { c: 1, d: null } });
  });
});

describe('json.patch', () => {
  const patched = (value: Json, ...operations: Json[]): Promise<Json> => call('patch', { value, operations });

  // The examples of RFC 6902, appendix A.
  it.each<[string, Json, Json[], Json]>([
    [
      'adds a member',
      { foo: 'bar' },
      [{ op: 'add', path: '/baz', value: 'qux' }],
      { baz: 'qux', foo: 'bar' },
    ],
    [
      'adds to a list',
      { foo: ['bar', 'baz'] },
      [{ op: 'add', path: '/foo/1', value: 'qux' }],
      { foo: ['bar', 'qux', 'baz'] },
    ],
    ['removes a member', { baz: 'qux', foo: 'bar' }, [{ op: 'remove', path: '/baz' }], { foo: 'bar' }],
    [
      'removes from a list',
      { foo: ['bar', 'qux', 'baz'] },
      [{ op: 'remove', path: '/foo/1' }],
      { foo: ['bar', 'baz'] },
    ],
    [
      'replaces',
      { baz: 'qux', foo: 'bar' },
      [{ op: 'replace', path: '/baz', value: 'boo' }],
      { baz: 'boo', foo: 'bar' },
    ],
    [
      'moves a value',
      { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
      [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
      { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
    ],
    [
      'moves in a list',
      { foo: ['all', 'grass', 'cows', 'eat'] },
      [{ op: 'move', from: '/foo/1', path: '/foo/3' }],
      { foo: ['all', 'cows', 'eat', 'grass'] },
    ],
    [
      'tests',
      { baz: 'qux', foo: ['a', 2, 'c'] },
      [
        { op: 'test', path: '/baz', value: 'qux' },
        { op: 'test', path: '/foo/1', value: 2 },
      ],
      { baz: 'qux', foo: ['a', 2, 'c'] },
    ],
    [
      'adds an object',
      { foo: 'bar' },
      [{ op: 'add', path: '/child', value: { grandchild: {} } }],
      { foo: 'bar', child: { grandchild: {} } },
    ],
    [
      'ignores unknown members',
      { foo: 'bar' },
      [{ op: 'add', path: '/baz', value: 'qux', xyz: 123 }],
      { foo: 'bar', baz: 'qux' },
    ],
    ['reads escapes', { '/': 9, '~1': 10 }, [{ op: 'test', path: '/~01', value: 10 }], { '/': 9, '~1': 10 }],
    [
      'appends',
      { foo: ['bar'] },
      [{ op: 'add', path: '/foo/-', value: ['abc', 'def'] }],
      { foo: ['bar', ['abc', 'def']] },
    ],
    ['replaces the whole', { a: 1 }, [{ op: 'replace', path: '', value: [1] }], [1]],
    [
      'copies',
      { a: { b: 1 } },
      [
        { op: 'copy', from: '/a', path: '/c' },
        { op: 'add', path: '/c/d', value: 2 },
      ],
      { a: { b: 1 }, c: { b: 1, d: 2 } },
    ],
  ])('%s', async (_case, value, operations, expected) => {
    expect(await patched(value, ...operations)).toEqual(expected);
  });

  it.each<[string, Json, Json, string]>([
    [
      'a target that is not there',
      { foo: 'bar' },
      { op: 'add', path: '/baz/bat', value: 'qux' },
      'patch_failed',
    ],
    ['a test that fails', { baz: 'qux' }, { op: 'test', path: '/baz', value: 'bar' }, 'patch_test_failed'],
    ['text and number', { '~1': 10 }, { op: 'test', path: '/~01', value: '10' }, 'patch_test_failed'],
    ['an index past the end', { a: [1] }, { op: 'add', path: '/a/2', value: 1 }, 'patch_failed'],
    ['an index with a leading zero', { a: [1, 2] }, { op: 'remove', path: '/a/01' }, 'patch_failed'],
    ['a member of a list', { a: [1] }, { op: 'replace', path: '/a/length', value: 0 }, 'patch_failed'],
    ['a move into itself', { a: { b: 1 } }, { op: 'move', from: '/a', path: '/a/b/c' }, 'patch_failed'],
    ['a member that only the prototype has', { a: 1 }, { op: 'remove', path: '/toString' }, 'patch_failed'],
    ['a way through the prototype', {}, { op: 'add', path: '/__proto__/polluted', value: 1 }, 'patch_failed'],
  ])('refuses %s, naming the operation', async (_case, value, operation, code) => {
    const failing = patched(value, { op: 'test', path: '', value }, operation);
    await expect(failing).rejects.toMatchObject({ code, detail: { operation: 1 } });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('when a patch doubles a value again and again, it ends before memory does', async () => {
    const doubling = Array.from({ length: 40 }, (_, at) => ({ op: 'copy', from: '', path: `/copy${at}` }));
    await expect(patched({ a: [1, 2, 3] }, ...doubling)).rejects.toMatchObject({
      code: 'patch_failed',
      message: expect.stringContaining('copies'),
    });
  });

  it('when it is applied, the value it was given stays as it was', async () => {
    const value = { a: [1] };
    await patched(value, { op: 'add', path: '/a/-', value: 2 });
    expect(value).toEqual({ a: [1] });
  });
});

describe('json.query', () => {
  // The examples of RFC 6901, section 5.
  const document: Json = {
    foo: ['bar', 'baz'],
    '': 0,
    'a/b': 1,
    'c%d': 2,
    'e^f': 3,
    'g|h': 4,
    'i\\j': 5,
    'k"l': 6,
    ' ': 7,
    'm~n': 8,
    nothing: null,
  };
  it.each<[string, Json]>([
    ['', document],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
    ['/nothing', null],
  ])('%j leads to %j', async (pointer, expected) => {
    expect(await call('query', { value: document, pointer })).toEqual(expected);
  });

  it('when there is nothing, the default is the answer, also null; without one it names the place', async () => {
    expect(await call('query', { value: document, pointer: '/x/y', default: null })).toBeNull();
    await expect(call('query', { value: document, pointer: '/foo/2/z' })).rejects.toMatchObject({
      code: 'pointer_missing',
      message: expect.stringContaining('/foo/2 '),
    });
    await expect(call('query', { value: {}, pointer: '/constructor' })).rejects.toMatchObject({
      code: 'pointer_missing',
    });
  });
});
