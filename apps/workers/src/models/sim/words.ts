// Words and sentences of any script. Alphabets with spaces are split by rules (fast); scripts written without spaces
// (Han, kana, Thai, Lao, Khmer, Myanmar) by Intl.Segmenter, whose dictionaries come with Node.
import { wholeCodePointsUntil } from '../tokens.ts';

const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const TOKEN =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]+|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}])[\p{L}\p{M}\p{N}])+(?:['’.-](?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}])[\p{L}\p{M}\p{N}])+)*/gu;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Words of a text in order, as written. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const token of text.match(TOKEN) ?? []) {
    if (UNSPACED.test(token)) {
      for (const part of segmenter.segment(token)) if (part.isWordLike) words.push(part.segment);
    } else words.push(token);
  }
  return words;
}

/** Words folded for comparing: lower case, compatibility forms unified. */
export function foldedWordsOf(text: string): string[] {
  return wordsOf(text.normalize('NFKC').toLowerCase());
}

/** True for a text written without spaces between words. */
export function isUnspaced(text: string): boolean {
  return UNSPACED.test(text.slice(0, 400));
}

// A full stop ends a sentence when space follows, unless it stands after an initial, a number or a common abbreviation.
const NO_END =
  /(?:\b\p{Lu}|\b(?:Mr|Mrs|Ms|Dr|St|Sr|Jr|vs|etc|No|Nr|Art|art|cf|e\.g|i\.e|z\.B|bzw|ca|U\.S))\.$/u;
const END =
  /[.!?…]+["'”’»)\]]*(?=\s)|[。！？｡]+[」』”’）]*|[।؟۔](?=\s|$)|\n\s*\n|\n(?=\s*(?:[-*•#]|\d{1,3}[.)])\s)/gu;

/** Sentences of a text in order, white space folded, markup of lists, quotes and headings taken off. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let from = 0;
  for (const match of text.matchAll(END)) {
    const to = match.index + match[0].length;
    if (match[0] === '.' && NO_END.test(text.slice(Math.max(from, to - 8), to))) continue;
    push(sentences, text.slice(from, to));
    from = to;
  }
  push(sentences, text.slice(from));
  return sentences;
}

/** Tables and lists have no full stops: what is longer than a sentence can be is broken at lines, else at clauses. */
const LONGEST_SENTENCE_UNITS = 700;

function push(sentences: string[], raw: string): void {
  if (raw.length > LONGEST_SENTENCE_UNITS) {
    const parts = raw.trim().includes('\n') ? raw.trim().split('\n') : clausesOf(raw);
    if (parts.length > 1 && raw.trim().replace(/\s+/gu, ' ').length > LONGEST_SENTENCE_UNITS) {
      for (const part of parts) push(sentences, part);
      return;
    }
  }
  const sentence = raw
    .replace(/^\s*(?:[-*•>]+|#{1,6}|\d{1,3}[.)])\s+/u, '')
    .replace(/\s+/gu, ' ')
    .trim();
  if (/[\p{L}\p{N}]/u.test(sentence)) sentences.push(sentence);
}

/** Pieces of at most `LONGEST_SENTENCE_UNITS`, each ending after a clause mark or a space where there is one. */
function clausesOf(text: string): string[] {
  const clauses: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + LONGEST_SENTENCE_UNITS);
    if (to < text.length) {
      const piece = text.slice(from, to);
      const mark = Math.max(...[';', '；', '，', '、', ', ', '. '].map((sign) => piece.lastIndexOf(sign)));
      const at = mark > 0 ? mark : piece.lastIndexOf(' ');
      to = at > 0 ? from + at + 1 : wholeCodePointsUntil(text, to);
    }
    clauses.push(text.slice(from, to));
    from = to;
  }
  return clauses;
}

/** True when a text ends like a sentence. */
export function endsLikeSentence(text: string): boolean {
  return /[.!?…。！？｡।؟۔]["'”’»)\]」』）]*$/u.test(text.trim());
}
