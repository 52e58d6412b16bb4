// Which mistake would this catch? Lost or doubled text between passages, or half an emoji.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitText } from '../../../src/tools/split-text.ts';

const chars = (text: string, max: number, overlap = 0) =>
  splitText(text, { unit: 'characters', max, overlap });
const texts = (text: string, max: number, overlap = 0) =>
  chars(text, max, overlap).map((chunk) => chunk.text);

const FAMILY = '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466}';
const FLAG = '\u{1F1EA}\u{1F1FA}';
const pieces = fc.constantFrom(
  'word',
  ' ',
  '  ',
  '. ',
  '! ',
  '\n',
  '\n\n',
  '\r\n',
  '\r\n\r\n',
  'a',
  'é',
  'e\u0301',
  '漢字',
  '。',
  '\u{1F981}',
  FAMILY,
  FLAG,
  '\ud800',
  '\u0000',
  '...',
  '" ',
);
const prose = fc
  .array(fc.oneof({ weight: 4, arbitrary: pieces }, fc.string({ unit: 'binary', maxLength: 5 })), {
    maxLength: 120,
  })
  .map((parts) => parts.join(''));

const graphemes = (text: string): Set<number> =>
  new Set(
    [...new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text)]
      .map((part) => part.index)
      .concat(text.length),
  );
const longest = (text: string): number => {
  const borders = [...graphemes(text)];
  return Math.max(1, ...borders.slice(1).map((border, index) => border - borders[index]!));
};

describe('splitText', () => {
  it('S1: without overlap the chunks, put together, are the text', () => {
    fc.assert(
      fc.property(
        prose,
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom('characters', 'tokens'),
        (text, max, unit) => {
          const chunks = splitText(text, { unit, max, overlap: 0 });
          expect(chunks.map((chunk) => chunk.text).join('')).toBe(text);
          for (const [index, chunk] of chunks.entries()) {
            expect(chunk.index).toBe(index);
            expect(text.slice(chunk.start, chunk.end)).toBe(chunk.text);
            expect(chunk.text).not.toBe('');
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('S2, S3: chunks are bounded and cut between visible characters only', () => {
    fc.assert(
      fc.property(prose, fc.integer({ min: 1, max: 60 }), (text, max) => {
        const borders = graphemes(text);
        const bound = Math.max(max, longest(text));
        for (const chunk of chars(text, max)) {
          expect(chunk.end - chunk.start).toBeLessThanOrEqual(bound);
          expect(borders.has(chunk.end)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('S5: with overlap nothing is left out, nothing is out of bounds, and it ends', () => {
    fc.assert(
      fc.property(
        prose,
        fc.integer({ min: 2, max: 60 }),
        fc.integer({ min: 0, max: 30 }),
        (text, max, wish) => {
          const overlap = Math.min(wish, Math.floor(max / 2));
          const chunks = chars(text, max, overlap);
          const bound = Math.max(max, longest(text));
          let covered = 0;
          for (const chunk of chunks) {
            expect(chunk.start).toBeLessThanOrEqual(covered);
            expect(chunk.end).toBeGreaterThan(covered);
            expect(chunk.end - chunk.start).toBeLessThanOrEqual(bound);
            covered = chunk.end;
          }
          expect(covered).toBe(text.length);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('S4: a paragraph is preferred to a sentence, a sentence to a line, a line to a word', () => {
    expect(texts('One two three. Four five.\n\nSix seven. Eight', 35)).toEqual([
      'One two three. Four five.\n\n',
      'Six seven. Eight',
    ]);
    expect(texts('One two three. Four five six seven', 25)).toEqual([
      'One two three. ',
      'Four five six seven',
    ]);
    expect(texts('one two three\nfour five six seven', 25)).toEqual([
      'one two three\n',
      'four five six seven',
    ]);
    expect(texts('one two three four', 10)).toEqual(['one two ', 'three four']);
    expect(texts('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
  });

  it('S4: sentences end in other scripts and before closing quotes too', () => {
    expect(texts('これは一つ。これは二つ。', 8)).toEqual(['これは一つ。', 'これは二つ。']);
    expect(texts('He said: "No." Then he left', 20)).toEqual(['He said: "No." ', 'Then he left']);
  });

  it('S3: families, flags and accents stay whole', () => {
    expect(texts(`ab${FAMILY}cd`, 5)).toEqual(['ab', FAMILY, 'cd']);
    expect(texts(FLAG.repeat(60), 10)).toEqual(Array.from({ length: 30 }, () => FLAG.repeat(2)));
    expect(texts('e\u0301e\u0301e\u0301', 3)).toEqual(['e\u0301', 'e\u0301', 'e\u0301']);
  });

  it('when marks are stacked without end, the chunk is cut between code points', () => {
    const zalgo = `a${'\u0301'.repeat(1_000)}`;
    expect(texts(zalgo, 100).join('')).toBe(zalgo);
    expect(Math.max(...texts(zalgo, 100).map((text) => text.length))).toBeLessThanOrEqual(100);
  });

  it('when there is overlap, it begins at a word', () => {
    expect(texts('one two three four five six', 14, 7)).toEqual([
      'one two three ',
      'three four ',
      'four five six',
    ]);
  });

  it('when the text is empty there are no chunks; when it fits there is one', () => {
    expect(chars('', 10)).toEqual([]);
    expect(chars('short', 10)).toEqual([{ index: 0, start: 0, end: 5, text: 'short' }]);
  });

  it('when tokens count, Han characters weigh more than letters', () => {
    const count = (text: string): number => splitText(text, { unit: 'tokens', max: 100, overlap: 0 }).length;
    expect(count('word '.repeat(200))).toBe(3);
    expect(count('漢'.repeat(1_000))).toBe(10);
  });

  it.each([
    ['dots', '.'.repeat(200_000)],
    ['quotes after a dot', `.${'"'.repeat(200_000)}`],
    ['line ends', '\n'.repeat(200_000)],
    ['spaces', `a${' '.repeat(200_000)}b`],
    ['emoji', '\u{1F981}'.repeat(100_000)],
  ])('when a text is nothing but %s, it is cut in reasonable time', (_case, text) => {
    expect(texts(text, 150_000).join('')).toBe(text);
    expect(texts(text, 100).join('')).toBe(text);
  });
});
