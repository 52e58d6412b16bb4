// Would catch: text of a model that is shown twice, in another order, without saying that a part is missing, or after its node ended.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GAP, PassingText, PassingTexts, type TextPiece } from '../../../src/run/passing-text.ts';

const words = fc.array(fc.string({ minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 12 });

/** The pieces of a text in order, as a worker says them. */
const piecesOf = (parts: readonly string[], attempt = 1): TextPiece[] =>
  parts.map((text, at) => ({ attempt, from: parts.slice(0, at).join('').length, text }));

const told = (pieces: readonly TextPiece[]): PassingText => {
  const passing = new PassingText();
  for (const piece of pieces) passing.take(piece);
  return passing;
};

describe('the text that a model is writing', () => {
  it('is whole when every piece came, in whatever order and however often', () => {
    fc.assert(
      fc.property(
        words.chain((parts) => {
          const pieces = piecesOf(parts);
          const more = fc.array(fc.constantFrom(...pieces));
          return fc.tuple(
            fc.constant(parts.join('')),
            more.chain((doubled) =>
              fc.shuffledSubarray([...pieces, ...doubled], { minLength: pieces.length + doubled.length }),
            ),
          );
        }),
        ([text, pieces]) => {
          expect(told(pieces).text).toBe(text);
        },
      ),
    );
  });

  it('shows a gap where pieces are lost, and nothing twice', () => {
    fc.assert(
      fc.property(
        words.chain((parts) => fc.tuple(fc.constant(parts), fc.subarray(piecesOf(parts)))),
        ([parts, came]) => {
          let expected = '';
          let isGap = false;
          for (const piece of piecesOf(parts)) {
            const isHere = came.some(({ from }) => from === piece.from);
            if (isHere) expected += (isGap ? GAP : '') + piece.text;
            isGap = !isHere;
          }
          expect(told(came).text ?? '').toBe(expected);
        },
      ),
    );
  });

  it('of a new attempt stands alone, whatever comes late of the one before', () => {
    const passing = told(piecesOf(['Hel', 'lo']));
    passing.take({ attempt: 2, from: 0, text: 'Good' });
    expect(passing.take({ attempt: 1, from: 5, text: ' you' })).toBe(false);
    expect(passing.text).toBe('Good');
  });

  it('of a second call of the same attempt stands alone', () => {
    const passing = told(piecesOf(['{"a":', '1']));
    passing.answered(1);
    expect(passing.text).toBeUndefined();
    expect(passing.take({ attempt: 1, from: 5, text: '1' })).toBe(false);
    passing.take({ attempt: 1, from: 6, text: '{"b":2}' });
    expect(passing.text).toBe('{"b":2}');
  });
});

describe('the texts of a run', () => {
  const ended = (attempt: number) =>
    ({ seq: 9, at: 0, type: 'outcome.failed', path: 'write', attempt, data: { v: 1 } }) as never;

  it('are gone when the attempt has ended, and do not come back with a late piece', () => {
    const texts = new PassingTexts();
    texts.take('write', { attempt: 1, from: 0, text: 'Hello' });
    expect([...texts.changed()]).toEqual([['write', 'Hello']]);
    texts.follow(ended(1));
    expect(texts.take('write', { attempt: 1, from: 5, text: ' you' })).toBe(false);
    expect([...texts.changed()]).toEqual([['write', undefined]]);
    texts.take('write', { attempt: 2, from: 0, text: 'Again' });
    texts.follow(ended(1));
    expect([...texts.changed()]).toEqual([['write', 'Again']]);
  });
});
