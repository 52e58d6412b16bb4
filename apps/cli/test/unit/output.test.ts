// Which mistake would this catch? Columns that do not line up, numbers that mislead, or a stranger's text steering the terminal.
import { describe, expect, test } from 'vitest';
import { pairs, table } from '../../src/output/table.ts';
import { cut, cutColoured, fill, oneLine, textWidth } from '../../src/output/text-width.ts';
import { ago, duration, money } from '../../src/output/values.ts';
import { waitingWords } from '../../src/output/waiting.ts';
import { at, NOW } from '../support/samples.ts';

const plain = (text: string): string => text;
const RED = '\u001b[31m';
const OFF = '\u001b[39m';

describe('values', () => {
  test.each([
    [0, '–'],
    [50_000, '<$0.0001'],
    [12_300_000, '$0.0123'],
    [999_900_000, '$0.9999'],
    [12_345_000_000, '$12.35'],
  ])('when %i nano-USD were spent, it says %s', (nanoUsd, words) => expect(money(nanoUsd)).toBe(words));

  test.each([
    [-5, '0 ms'],
    [999, '999 ms'],
    [1_000, '1.0 s'],
    [59_999, '59.9 s'],
    [60_000, '1 min 00 s'],
    [3_599_999, '59 min 59 s'],
    [7_620_000, '2 h 07 min'],
    [273_600_000, '3 d 4 h'],
  ])('when %i ms went by, it says %s', (ms, words) => expect(duration(ms)).toBe(words));

  test('when an instant is in the future by a clock that goes wrong, it was now', () => {
    expect(ago(at(-100), NOW)).toBe('0 s ago');
    expect([59, 60, 3_600, 86_400].map((seconds) => ago(at(seconds), NOW))).toEqual([
      '59 s ago',
      '1 min ago',
      '1 h ago',
      '1 d ago',
    ]);
  });

  test('when something waits, kind, reason, age and end are told in one line', () => {
    const waiting = {
      kind: 'timer' as const,
      since: at(4),
      until: at(-6),
      detail: { reason: 'rate\nlimited\u001b[2J' },
    };
    expect(waitingWords(waiting, NOW)).toBe('its time (rate limited [2J), for 4.0 s, 6.0 s left');
    expect(waitingWords({ kind: 'timer', since: at(4), until: at(1) }, NOW)).toBe('its time, for 4.0 s, due');
  });
});

describe('text', () => {
  test('when measured, colours take no columns, East Asian characters and emoji two, marks none', () => {
    expect([`${RED}abc${OFF}`, '日本', 'e\u0301', '🐋', '한글'].map(textWidth)).toEqual([3, 4, 1, 2, 4]);
  });

  test('when cut, no character is halved and the width is kept', () => {
    expect(cut('日本語', 5)).toBe('日本…');
    expect(cut('abc', 3)).toBe('abc');
    expect(cutColoured(`${RED}abcdef${OFF}`, 3)).toBe(`${RED}abc${OFF}`);
    expect(fill('日', 4)).toBe('日  ');
  });

  test('when text of others is shown, it stays on its line and in its direction', () => {
    expect(oneLine('a\r\nb\u001b[31m\u202ec\u0000')).toBe('a b [31m c');
  });

  test('when a table has wide and coloured cells, the next column lines up', () => {
    const rows = [
      ['日本', '1'],
      [`${RED}ab${OFF}`, '22'],
    ];
    const lines = table([{ head: 'name' }, { head: 'n', align: 'right' }], rows, plain).split('\n');
    expect(lines).toEqual(['name   n', '日本   1', `${RED}ab${OFF}    22`, '']);
  });

  test('when a pair has no value, it is left out', () => {
    expect(
      pairs(
        [
          ['a', '1'],
          ['long', undefined],
          ['bcd', '2'],
        ],
        plain,
      ),
    ).toBe('a    1\nbcd  2\n');
  });
});
