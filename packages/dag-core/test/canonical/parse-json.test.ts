// Catches: an id rounded on its way in, a prototype reached through data, a text that hangs or breaks the parser.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkUnsafeIntegers, parseJson, unsafeIntegers } from '../../src/index.ts';

const refuse = { bigIntegers: 'refuse' } as const;
const strings = { bigIntegers: 'strings' } as const;

describe('JSON from outside', () => {
  it('X9: refuses a 19-digit integer with its pointer', () => {
    const { value, issues } = parseJson('{"id":1234567890123456789}', refuse);
    expect(value).toBeUndefined();
    expect(issues).toEqual([expect.objectContaining({ code: 'unsafe_integer', pointer: '/id' })]);
    expect(issues?.[0]?.message).toMatch(/^unsafe_integer at \/id/);
    expect(checkUnsafeIntegers('{"id":1234567890123456789}')).toBe('unsafe_integer at /id');
  });

  it('X9: keeps every digit as text where the flow says strings', () => {
    const text = '{"a":[9007199254740992,-9007199254740993,{"b":1234567890123456789}],"c":7}';
    expect(parseJson(text, strings)).toEqual({
      value: { a: ['9007199254740992', '-9007199254740993', { b: '1234567890123456789' }], c: 7 },
    });
  });

  it('X9: lists every integer, in order, with escaped pointers', () => {
    const text =
      '{"a/b":{"~":9007199254740992},"list":[0,[1,99999999999999999999]],"ok":"99999999999999999999"}';
    expect(unsafeIntegers(text)).toEqual(['/a~1b/~0', '/list/1/1']);
  });

  it.each([
    '9007199254740991',
    '-9007199254740991',
    '123456789012345',
    '0',
    '-0',
    '1e300',
    '0.1234567890123456789',
    '1E+20',
  ])('X9: takes %s', (literal) => {
    expect(parseJson(`[${literal}]`, refuse)).toEqual({ value: [Number(literal)] });
  });

  it.each(['1e400', '-1e400', '123e999'])('X9: refuses %s, which no double holds', (literal) => {
    expect(parseJson(`{"n":${literal}}`, strings).issues).toEqual([
      expect.objectContaining({ code: 'number_out_of_range', pointer: '/n' }),
    ]);
  });

  it.each(['{"a":{"__proto__":{"x":1}}}', String.raw`{"a":{"\u005f_proto\u005F_":1}}`])(
    'X10: refuses the reserved key in %s',
    (text) => {
      expect(parseJson(text, refuse).issues).toEqual([
        expect.objectContaining({ code: 'reserved_key', pointer: '/a/__proto__' }),
      ]);
    },
  );

  it('X10: leaves the word alone where it is a value, and other keys that sound like it', () => {
    const text = '{"a":"__proto__","constructor":1,"prototype":2}';
    expect(parseJson(text, refuse).value).toEqual(JSON.parse(text));
  });

  it('X10: keeps NUL, lone surrogates and whole emoji', () => {
    const text = String.raw`{"a\u0000":"b\u0000\ud83d","c":"🦁"}`;
    expect(parseJson(text, refuse).value).toEqual({ 'a\u0000': 'b\u0000\ud83d', c: '🦁' });
  });

  it('X10: refuses bottomless nesting instead of exhausting the stack', () => {
    const deep = '['.repeat(200_000);
    expect(parseJson(deep, refuse).issues?.[0]?.code).toBe('nesting_too_deep');
    expect(parseJson('{"a":'.repeat(200_000), refuse).issues?.[0]?.code).toBe('nesting_too_deep');
    expect(parseJson(`${'['.repeat(1_000)}${']'.repeat(1_000)}`, refuse).issues).toBeUndefined();
  });

  it('X9: takes a hundred thousand big integers in one text', () => {
    const text = `[${Array.from({ length: 100_000 }, (_, at) => `9007199254740993${at}`).join(',')}]`;
    const { value } = parseJson(text, strings);
    expect(value).toHaveLength(100_000);
    expect((value as string[])[99_999]).toBe('900719925474099399999');
    expect(parseJson(text, refuse).issues).toHaveLength(1_000);
  });

  it('X9: says what is no JSON', () => {
    for (const text of ['', '{', '{"a":01}', '[1,]', 'nul', '{"a":1}x', '"', '{"a', '-']) {
      expect(parseJson(text, refuse).issues?.[0]?.code, text).toBe('json_syntax');
    }
  });

  it('X9: agrees with JSON.parse on everything that is safe', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 2), (text, indent) => {
        const spaced = JSON.stringify(JSON.parse(text), null, indent);
        const parsed = parseJson(spaced, refuse);
        if (parsed.issues) expect(parsed.issues.every((issue) => issue.code !== 'json_syntax')).toBe(true);
        else expect(JSON.stringify(parsed.value)).toBe(JSON.stringify(JSON.parse(spaced)));
      }),
    );
  });

  it('X10: never throws, whatever the text', () => {
    const bits = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ',',
      ':',
      '1',
      '-',
      'e',
      '__proto__',
      ' ',
      '\u0000',
    );
    fc.assert(
      fc.property(fc.array(bits), (pieces) => {
        const parsed = parseJson(pieces.join(''), strings);
        expect(parsed.issues !== undefined || 'value' in parsed).toBe(true);
      }),
    );
  });
});
