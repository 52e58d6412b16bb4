/** What `auto` chooses from, in this order when two fit equally well. */
const CANDIDATES = [',', ';', '\t', '|'] as const;
/** How much of a text is looked at. */
const SAMPLE_LINES = 20;
const SAMPLE_UNITS = 64 * 1024;

/**
 * The delimiter that stands outside of quotes equally often in each of the first lines, most often if several do; where
 * none does, the one seen most often in the first line; a comma for a text of one column.
 */
export function detectDelimiter(text: string, quote: string): string {
  const lines = countPerLine(text.slice(0, SAMPLE_UNITS), quote);
  const first = lines[0] ?? CANDIDATES.map(() => 0);
  const even = first.map((count, at) => (lines.every((line) => line[at] === count) ? count : 0));
  const best = (counts: readonly number[]): string | undefined => {
    const most = Math.max(...counts);
    return most > 0 ? CANDIDATES[counts.indexOf(most)] : undefined;
  };
  return best(even) ?? best(first) ?? ',';
}

/** How often each candidate stands outside of quotes, line by line; empty lines and a last line that may be cut are left out. */
function countPerLine(sample: string, quote: string): number[][] {
  const lines: number[][] = [];
  let counts: number[] = CANDIDATES.map(() => 0);
  let isQuoted = false;
  let isEmpty = true;
  for (const unit of `${sample}\n`) {
    if (unit === quote) isQuoted = !isQuoted;
    if (!isQuoted && (unit === '\n' || unit === '\r')) {
      if (!isEmpty) lines.push(counts);
      if (lines.length === SAMPLE_LINES) return lines;
      counts = CANDIDATES.map(() => 0);
      isEmpty = true;
      continue;
    }
    isEmpty = false;
    const at = isQuoted ? -1 : CANDIDATES.indexOf(unit as (typeof CANDIDATES)[number]);
    if (at >= 0) counts[at]!++;
  }
  return sample.length < SAMPLE_UNITS ? lines : lines.slice(0, Math.max(1, lines.length - 1));
}
