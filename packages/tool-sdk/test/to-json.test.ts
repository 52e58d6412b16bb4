// Which mistake would this catch? A value that is one thing before it is stored and another thing after (C59).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_JSON_DEPTH, toJson } from '../src/index.ts';

describe('toJson', () => {
  it('when a value is JSON, the copy is what a store gives back', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        fc.pre(!/\d{16}/.test(JSON.stringify(value)));
        const stored = JSON.parse(JSON.stringify(value)) as unknown;
        const checked = toJson(stored);
        expect(checked.ok && JSON.stringify(checked.value)).toBe(JSON.stringify(stored));
      }),
    );
  });

  class Point {
    readonly x = 1;
  }
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  it.each<[string, unknown, string, string]>([
    ['Date', { d: new Date(0) }, '/d', 'Date'],
    ['Map', { m: new Map() }, '/m', 'Map'],
    ['class instance', [new Point()], '/0', 'Point'],
    ['NaN', { n: Number.NaN }, '/n', 'NaN'],
    ['Infinity', -Infinity, '', '-Infinity'],
    ['bigint', { b: 1n }, '/b', 'bigint'],
    ['function', { 'a/b~c': () => 1 }, '/a~1b~0c', 'function'],
    ['symbol', Symbol('x'), '', 'symbol'],
    ['undefined alone', undefined, '', 'undefined'],
    ['undefined in an array', [1, undefined], '/1', 'undefined'],
    ['hole', new Array(1), '/0', 'undefined'],
    ['cycle', cycle, '/self', 'cycle'],
    ['integer that lost digits', { id: 2 ** 53 + 2 }, '/id', 'unsafe integer'],
    ['Uint8Array', new Uint8Array(1), '', 'Uint8Array'],
  ])('%s is refused with pointer and type', (_name, value, pointer, found) => {
    expect(toJson(value)).toEqual({ ok: false, pointer, found });
  });

  it('when a member is undefined it is dropped, and −0 becomes 0', () => {
    const checked = toJson({ a: undefined, z: -0 });
    expect(checked).toEqual({ ok: true, value: { z: 0 } });
    expect(checked.ok && Object.is((checked.value as { z: number }).z, 0)).toBe(true);
  });

  it('when the same object stands in two places, it is not a cycle', () => {
    const twin = { a: 1 };
    expect(toJson([twin, twin])).toEqual({ ok: true, value: [{ a: 1 }, { a: 1 }] });
  });

  it('when a key is __proto__, it stays a key and changes no prototype', () => {
    const checked = toJson(JSON.parse('{"__proto__":{"polluted":true}}'));
    expect(checked.ok && JSON.stringify(checked.value)).toBe('{"__proto__":{"polluted":true}}');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('when a value is nested too deeply, it is refused instead of running out of stack', () => {
    const nest = (depth: number): unknown => {
      let value: unknown = 1;
      for (let level = 0; level < depth; level++) value = [value];
      return value;
    };
    expect(toJson(nest(MAX_JSON_DEPTH)).ok).toBe(true);
    expect(toJson(nest(100_000))).toMatchObject({ ok: false, found: 'too deep' });
  });
});
