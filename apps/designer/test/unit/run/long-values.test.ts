// Which mistake would this catch? A long value that is shown with a hole, a doubled part or half a character.
import type { RecordedEvent } from '@pawl/dag-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readOn } from '../../../src/run/read-long-value.ts';
import { readableText } from '../../../src/run/readable-text.ts';
import { identityOf, LongValue, partOf, valueIn } from '../../../src/run/values.ts';

const event = (data: object) => ({ seq: 7, data: { v: 1, ...data } }) as unknown as RecordedEvent;

describe('a long value', () => {
  it('stands where the value would, and is the same as another by its hash', () => {
    const value = valueIn(event({ outputRef: { hash: 'a', bytes: 70_000, preview: '{"x":' } }), 'output');
    expect(value).toMatchObject({ seq: 7, name: 'output', bytes: 70_000 });
    expect(identityOf(value)).toBe('#a');
    expect(valueIn(event({ output: null }), 'output'), 'null is a value').toBeNull();
    expect(valueIn(event({}), 'output')).toBeUndefined();
  });

  it('counts as a whole for who reads a part of it', () => {
    const value = new LongValue(1, 'output', { hash: 'a', bytes: 1, preview: '' });
    expect(partOf({ big: value } as never, ['big', 'name'])).toBe(value);
    expect(partOf({ list: [1], 'a.b': 2 }, ['list', 'name'])).toEqual([1]);
    expect(partOf({ 'a.b': 2 }, ['a', 'b']), 'a name may hold dots').toBe(2);
  });

  it('is read on part by part without a hole, whatever its letters', async () => {
    const text = JSON.stringify('aé漢🦁'.repeat(40_000));
    const bytes = new TextEncoder().encode(text);
    const readValue = async ({ headers }: { headers: { range?: string } }) => {
      const [, first, last] = /bytes=(\d+)-(\d+)/.exec(headers.range!)!;
      return new Response(bytes.slice(Number(first), Number(last) + 1));
    };
    const value = new LongValue(1, 'output', { hash: 'a', bytes: bytes.length, preview: text.slice(0, 101) });
    let shown = value.preview;
    while (shown.length < text.length) shown += await readOn({ readValue } as never, 'run', value, shown);
    expect(shown).toBe(text);
  });
});

describe('the beginning of a JSON text', () => {
  it('is laid out as the whole would be, as far as it goes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), (value, cut) => {
        fc.pre(typeof value === 'object');
        const text = JSON.stringify(value);
        expect(readableText(text)).toBe(JSON.stringify(value, undefined, 2));
        const begin = readableText(text.slice(0, 1 + (cut % text.length)));
        expect(JSON.stringify(value, undefined, 2).startsWith(begin.trimEnd())).toBe(true);
      }),
    );
  });

  it('of a text is the text, also where an escape is cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(), (value, cut) => {
        const text = JSON.stringify(value);
        expect(readableText(text)).toBe(value);
        expect(value.startsWith(readableText(text.slice(0, 1 + (cut % text.length))))).toBe(true);
      }),
    );
  });
});
