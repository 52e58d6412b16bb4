import type { RandomSource } from './random.ts';
import { endsLikeSentence, isUnspaced, sentencesOf, wordsOf } from './words.ts';

// An extractive summariser: sentences are scored by the weight of their words in the whole text, chosen one by one with
// a discount for what was already said (maximal marginal relevance), and given back in the order of the text.

/** A text read once, for any number of questions about it. */
export interface ReadText {
  readonly text: string;
  readonly sentences: readonly ScoredSentence[];
  /** Distinct content words with their weight, heaviest first, as they are most often written. */
  readonly keywords: readonly string[];
  readonly wordCount: number;
}

interface ScoredSentence {
  readonly text: string;
  readonly score: number;
  readonly terms: ReadonlySet<string>;
}

const MAX_TEXT_UNITS = 400_000;
const MOST_TERMS = 400;

/** Scores a text. `random` moves scores by up to `spread` (a share), so that seeds give different choices. */
export function readText(source: string, random: RandomSource, spread: number): ReadText {
  const text = source.slice(0, MAX_TEXT_UNITS);
  const sentences = sentencesOf(text);
  // Splitting into words is the costly part for scripts without spaces: once per sentence.
  const words = sentences.map((sentence) => wordsOf(sentence));
  const termsOf = words.map((list) => list.map(fold).filter(isContentWord));
  const { weights, spelling } = weigh(words, termsOf);
  const scored = sentences.map((sentence, index) => {
    const terms = termsOf[index]!;
    const jitter = 1 + spread * (random() - 0.5);
    return {
      text: sentence,
      terms: new Set(terms),
      score: scoreOf(sentence, terms, weights, index, sentences.length) * jitter,
    };
  });
  return {
    text,
    sentences: scored,
    keywords: rankKeywords(weights, spelling),
    wordCount: words.reduce((sum, list) => sum + list.length, 0),
  };
}

/** Frequent words first; names (capitals inside a sentence) and longer words say more than short common ones. */
function rankKeywords(weights: ReadonlyMap<string, number>, spelling: ReadonlyMap<string, string>): string[] {
  const ranked = [...weights].map(([term, count]) => {
    const written = spelling.get(term) ?? term;
    const named = /^\p{Lu}/u.test(written) ? 1.5 : 1;
    const length = isUnspaced(term) ? 1 : Math.min(1.3, 0.5 + term.length / 10);
    return { written, weight: count * named * length };
  });
  ranked.sort((a, b) => b.weight - a.weight || (a.written < b.written ? -1 : 1));
  return ranked.map(({ written }) => written);
}

/** The `count` best sentences that say different things, in the order of the text. */
export function keySentences(read: ReadText, count: number): string[] {
  const left = new Set(read.sentences.keys());
  const said = new Set<string>();
  const taken: number[] = [];
  const seen = new Set<string>();
  while (taken.length < count && left.size > 0) {
    let best = -1;
    let bestScore = Number.NEGATIVE_INFINITY;
    for (const index of left) {
      const sentence = read.sentences[index]!;
      const score = sentence.score * (1 - 0.8 * overlap(sentence.terms, said));
      if (score > bestScore) {
        best = index;
        bestScore = score;
      }
    }
    const { text, terms } = read.sentences[best]!;
    left.delete(best);
    if (seen.has(text)) continue;
    seen.add(text);
    taken.push(best);
    for (const term of terms) said.add(term);
  }
  return taken.sort((a, b) => a - b).map((index) => read.sentences[index]!.text);
}

/** Joins sentences the way their script does. */
export function joinSentences(sentences: readonly string[]): string {
  return sentences.reduce((joined, sentence) => {
    if (joined === '') return sentence;
    const closed = endsLikeSentence(joined) ? joined : `${joined}${isUnspaced(joined) ? '。' : '.'}`;
    return isUnspaced(closed) ? closed + sentence : `${closed} ${sentence}`;
  }, '');
}

/** A title: the heading or short first line of the text, else the beginning of its best sentence. */
export function titleOf(read: ReadText): string {
  const lines = read.text.split('\n').map((line) => line.trim());
  const heading = lines.slice(0, 40).find((line) => /^#{1,6}\s+\S/.test(line));
  if (heading !== undefined) return heading.replace(/^#+\s+/, '').replace(/\s*#+$/, '');
  const first = lines.find((line) => line !== '') ?? '';
  const labelled = /^(?:title|subject|titel|titre|título)\s*:\s*(.+)$/i.exec(first);
  if (labelled !== null) return labelled[1]!;
  const short = Array.from(first).length <= (isUnspaced(first) ? 40 : 90);
  if (short && !/[.!?。！？;；,，]$/.test(first) && first !== '') return first;
  // Among the best sentences a short one is a better title than the beginning of a long one.
  const best = [...read.sentences].sort((a, b) => b.score - a.score).slice(0, 6);
  const shortest = best.sort((a, b) => a.text.length - b.text.length)[0];
  return shorten(shortest?.text ?? first, 10);
}

/** The first words of a sentence, without a dangling end. */
export function shorten(sentence: string, wordCount: number): string {
  const words = wordsOf(sentence);
  if (words.length <= wordCount) return sentence.replace(/[.。]$/u, '');
  let to = 0;
  for (const word of words.slice(0, wordCount)) to = sentence.indexOf(word, to) + word.length;
  const clause = sentence.slice(0, to);
  const comma = clause.search(/[,;:，；：—](?!.*[,;:，；：—])/u);
  return (comma > clause.length / 2 ? clause.slice(0, comma) : clause).trim();
}

function weigh(
  words: readonly (readonly string[])[],
  termsOf: readonly (readonly string[])[],
): { weights: Map<string, number>; spelling: Map<string, string> } {
  const counts = new Map<string, number>();
  for (const terms of termsOf) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const heaviest = [...counts].sort((a, b) => b[1] - a[1]).slice(0, MOST_TERMS);
  const wanted = new Set(heaviest.map(([term]) => term));
  const spelling = new Map<string, string>();
  for (const list of words) {
    if (spelling.size === wanted.size) break;
    // The first word of a sentence is capitalised for another reason.
    for (const word of list.slice(1)) {
      const folded = fold(word);
      if (wanted.has(folded) && !spelling.has(folded)) spelling.set(folded, word);
    }
  }
  return { weights: new Map(heaviest), spelling };
}

function scoreOf(
  sentence: string,
  terms: readonly string[],
  weights: ReadonlyMap<string, number>,
  index: number,
  total: number,
): number {
  if (terms.length === 0) return 0;
  let sum = 0;
  for (const term of new Set(terms)) sum += Math.sqrt(weights.get(term) ?? 0);
  // The root keeps long sentences from winning by length alone; fragments and walls of text are not worth quoting.
  const density = sum / Math.sqrt(terms.length + 4);
  const early = 1 + 0.35 / (1 + (8 * index) / Math.max(total, 1));
  const form =
    (endsLikeSentence(sentence) ? 1 : 0.6) * (terms.length < 3 ? 0.5 : 1) * (terms.length > 45 ? 0.5 : 1);
  return density * early * form;
}

function overlap(terms: ReadonlySet<string>, said: ReadonlySet<string>): number {
  if (terms.size === 0 || said.size === 0) return 0;
  let shared = 0;
  for (const term of terms) if (said.has(term)) shared += 1;
  return shared / terms.size;
}

function fold(word: string): string {
  return word.normalize('NFKC').toLowerCase();
}

/** True for folded words that carry meaning: no numbers, no function words of the common languages, no single letters. */
function isContentWord(word: string): boolean {
  if (STOP_WORDS.has(word) || /^[\p{N}.,'’-]+$/u.test(word)) return false;
  return word.length > 2 || (word.length > 1 && isUnspaced(word) && !/^\p{sc=Hiragana}+$/u.test(word));
}

const STOP_WORDS = new Set(
  `the and that for with this from are was were have has had been will shall would could should can may might must not but they
their them there these those which who whom what when where why how all any some such than then its it's his her our your you
our out into upon over under about after before between through during also only other more most much many very same each every
both few own too just because while until against again once here now one two per via within without him she did does done being
do be of to in on by an as at is it if or so we us my me no up he
und der die das den dem des ein eine einer eines einem einen ist sind war waren nicht mit von für auf aus bei nach über auch
sich wird werden hat haben oder als durch wie zur zum dass sein seine seiner ihre ihrer jeder jede kann soll vor unter
les des une dans pour par sur avec est sont que qui pas plus aux ses son leur leurs cette ces ont être dont sans tout toute tous
ou il elle nous vous mais comme
los las del una uno con por para que sus como más pero este esta estos estas son ser han sin sobre entre todo toda todos todas
tiene cuando también
dos das uma com não que para por mais como seu sua seus suas pelo pela aos nas nos ser são foi
gli della delle dei degli nel nella con per che non una sono suo sua loro anche come più
het een van voor met niet zijn dat die aan ook door naar wordt
och att det som för med den inte har till
и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по её ее мне было вот от меня о из ему`.split(
    /\s+/,
  ),
);
