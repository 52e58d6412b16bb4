import { diffArrays, diffWordsWithSpace } from 'diff';

/** A part of a text that is in both sides, or in one of them. */
export interface TextPart {
  readonly in: 'both' | 'left' | 'right';
  readonly text: string;
}

/** How long words are matched before two texts count as different as a whole, in milliseconds. */
const PATIENCE_MS = 300;

/** Two texts as one, word by word: what only the left has, what only the right has, and what both have. */
export function wordsOf(left: string, right: string): readonly TextPart[] {
  const parts = diffWordsWithSpace(left, right, { timeout: PATIENCE_MS });
  if (!parts)
    return [
      { in: 'left', text: left },
      { in: 'right', text: right },
    ];
  return parts.map(({ added, removed, value }) => ({
    in: removed ? 'left' : added ? 'right' : 'both',
    text: value,
  }));
}

/** A line of two texts side by side; undefined: that side has none there. */
export interface LinePair {
  readonly left: string | undefined;
  readonly right: string | undefined;
  readonly isSame: boolean;
}

/** Two texts line by line, side by side; lines that came where others went stand beside them. */
export function linesOf(left: string, right: string): readonly LinePair[] {
  const [lines, others] = [left.split('\n'), right.split('\n')];
  const parts = diffArrays(lines, others, { timeout: PATIENCE_MS }) ?? [
    { removed: true, added: false, value: lines },
    { removed: false, added: true, value: others },
  ];
  return parts.flatMap(({ added, removed, value }, at): LinePair[] => {
    if (!added && !removed) return value.map((line) => ({ left: line, right: line, isSame: true }));
    if (added && parts[at - 1]?.removed) return [];
    const gone = removed ? value : [];
    const come = added ? value : parts[at + 1]?.added ? parts[at + 1]!.value : [];
    return Array.from({ length: Math.max(gone.length, come.length) }, (_, place) => ({
      left: gone[place],
      right: come[place],
      isSame: false,
    }));
  });
}
