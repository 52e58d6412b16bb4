// Rules kept here:
// S1 Without overlap the chunks, put together, are the text, unit by unit.
// S2 A chunk is at most `max` large, unless a single visible character (an emoji of several code points) is larger.
// S3 A cut is never inside a visible character, so never inside a code point or an emoji.
// S4 A cut is at the end of a paragraph in the second half of what fits; else of a sentence in the last two thirds;
//    else of a line there; else after the last white space; else wherever the limit is.
// S5 Every chunk ends later than the one before, so the work ends.

export interface Chunk {
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface SplitOptions {
  readonly unit: 'characters' | 'tokens';
  /** At least 1. */
  readonly max: number;
  /** At most half of `max`. */
  readonly overlap: number;
  readonly onChunk?: () => void;
}

/** Longest run of units that counts as one visible character; stacked marks could go on without end. */
const MAX_GRAPHEME = 64;

const PARAGRAPH = /\r?\n[^\S\n]*\r?\n\s*/g;
// The look-behind tries each run of dots once; without it a text of dots alone would take quadratic time.
const SENTENCE = /(?<![.!?…؟।۔])[.!?…؟।۔]+["'”’»)\]]*\s+|[。！？｡]+["'”’»）」』\]]*\s*/g;
const LINE = /\r?\n/g;
const SPACE = /\s+/g;
const LEVELS: readonly (readonly [RegExp, number])[] = [
  [PARAGRAPH, 0.5],
  [SENTENCE, 1 / 3],
  [LINE, 1 / 3],
  [SPACE, 0],
];

/** Cuts a text into chunks of bounded size (rules S1–S5). An empty text has none. */
export function splitText(text: string, options: SplitOptions): Chunk[] {
  const chunks: Chunk[] = [];
  let start = 0;
  let end = 0;
  while (end < text.length) {
    const before = end;
    end = chooseEnd(text, start, before, options);
    // No room for a visible character beside the overlap: then without overlap (S2).
    if (start < before && end > reach(text, start, options.max, options.unit)) {
      start = before;
      end = chooseEnd(text, start, before, options);
    }
    chunks.push({ index: chunks.length, start, end, text: text.slice(start, end) });
    start = end < text.length ? overlapStart(text, start, end, options) : end;
    options.onChunk?.();
  }
  return chunks;
}

/** Where the chunk from `start` ends: later than `after`, which is where the one before ended. */
function chooseEnd(text: string, start: number, after: number, options: SplitOptions): number {
  const limit = reach(text, start, options.max, options.unit);
  if (limit >= text.length) return text.length;
  const window = text.slice(start, limit);
  for (const [border, share] of LEVELS) {
    const end = start + lastBorder(window, border);
    if (end > after && end >= start + window.length * share) return graphemeFloor(text, start, end, after);
  }
  return graphemeFloor(text, start, limit, after);
}

/** End of the last match in the window; 0 when there is none. */
function lastBorder(window: string, border: RegExp): number {
  let last = 0;
  for (const match of window.matchAll(border)) last = match.index + match[0].length;
  return last;
}

/** The nearest border of a visible character at or before `end`, or, if that is not later than `after`, the next one. */
function graphemeFloor(text: string, start: number, end: number, after: number): number {
  const begin = safeBegin(text, start, end);
  const around = text.slice(begin, codePointFloor(text, Math.min(text.length, end + 2 * MAX_GRAPHEME)));
  // `containing` looks around one place; iterating from the beginning is far slower on long texts.
  const visible = segmenter.segment(around).containing(end - begin);
  if (visible === undefined) return text.length;
  if (visible.segment.length > MAX_GRAPHEME) {
    return Math.max(codePointFloor(text, end), codePointAfter(text, after));
  }
  const floor = begin + visible.index;
  return floor > after ? floor : Math.max(floor + visible.segment.length, codePointAfter(text, after));
}

/** A border of visible characters some way before `end`: `start`, which is one, or an ASCII letter, digit or sign. */
function safeBegin(text: string, start: number, end: number): number {
  let at = end - 2 * MAX_GRAPHEME;
  while (at > start && !isPlain(text.charCodeAt(at))) at--;
  return Math.max(start, at);
}

const isPlain = (unit: number): boolean => unit > 0x20 && unit < 0x7f;

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

const splitsPair = (text: string, at: number): boolean =>
  /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(at - 1, at + 1));
const codePointFloor = (text: string, at: number): number => (at > 0 && splitsPair(text, at) ? at - 1 : at);
const codePointAfter = (text: string, at: number): number => (splitsPair(text, at + 1) ? at + 2 : at + 1);

/** Where the next chunk begins: up to `overlap` before `end`, after a white space if there is one. */
function overlapStart(text: string, start: number, end: number, options: SplitOptions): number {
  if (options.overlap === 0) return end;
  const earliest = Math.max(start + 1, reachBack(text, end, options.overlap, options.unit));
  if (earliest >= end) return end;
  const space = /\s\S/.exec(text.slice(earliest - 1, end));
  return graphemeFloor(text, start, space === null ? earliest : earliest + space.index, start);
}

/** The largest end such that the text from `start` to it measures at most `max`. */
function reach(text: string, start: number, max: number, unit: SplitOptions['unit']): number {
  if (unit === 'characters') return Math.min(text.length, start + max);
  let tokens = 0;
  let at = start;
  while (at < text.length) {
    const code = text.codePointAt(at)!;
    tokens += tokensOf(code);
    if (tokens > max) break;
    at += code > 0xffff ? 2 : 1;
  }
  return at;
}

function reachBack(text: string, end: number, max: number, unit: SplitOptions['unit']): number {
  if (unit === 'characters') return Math.max(0, end - max);
  let tokens = 0;
  let at = end;
  while (at > 0) {
    const before = codePointFloor(text, at - 1);
    tokens += tokensOf(text.codePointAt(before)!);
    if (tokens > max) break;
    at = before;
  }
  return at;
}

/** A rough share of a token per code point: English about four letters, other alphabets about two, Han one. */
function tokensOf(code: number): number {
  if (code < 0x80) return 0.25;
  if (code < 0x1100) return 0.5;
  return code > 0xffff ? 2 : 1;
}
