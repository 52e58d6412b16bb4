import type { ReadText } from './summarise.ts';
import { endsLikeSentence, foldedWordsOf, isUnspaced, wordsOf } from './words.ts';

/**
 * How good a text is as material, 0 to 1, from its form alone: enough of it, varied words, sentences of readable
 * length that end as such. The same text always gives the same number.
 */
export function qualityOf(read: ReadText): number {
  const { sentences, wordCount } = read;
  if (sentences.length === 0 || wordCount === 0) return 0;
  const amount = Math.min(1, Math.log10(1 + wordCount) / 2.2);
  const sample = foldedWordsOf(read.text.slice(0, 20_000)).slice(0, 400);
  const variety = Math.min(1, new Set(sample).size / Math.max(1, Math.min(sample.length, 400)) / 0.5);
  const mean = wordCount / sentences.length;
  const length = mean < 4 ? mean / 4 : mean > 40 ? Math.max(0.4, 40 / mean) : 1;
  const closed = sentences.filter(({ text }) => endsLikeSentence(text)).length / sentences.length;
  return clamp(0.35 * amount + 0.2 * variety + 0.2 * length + 0.25 * closed);
}

/** Lean of a text, 0 (negative) to 1 (positive); 0.5 when nothing says. English words only. */
export function sentimentOf(text: string): number {
  let positive = 0;
  let negative = 0;
  for (const word of foldedWordsOf(text.slice(0, 20_000))) {
    if (POSITIVE.has(word)) positive += 1;
    else if (NEGATIVE.has(word)) negative += 1;
  }
  return positive + negative === 0 ? 0.5 : positive / (positive + negative);
}

const POSITIVE = new Set(
  `good great excellent happy love loved like wonderful best better perfect thanks thank pleased success successful improve
improved peace prosperity benefit hope strong recommend amazing fast easy helpful win`.split(/\s+/),
);
const NEGATIVE = new Set(
  `bad poor terrible hate hated worst worse angry broken fail failed failure error bug crash slow problem problems awful
disappointed refund wrong war loss weak difficult complaint never unusable`.split(/\s+/),
);

/** ISO 639-1 code of a text's language, from its script and commonest words; `und` when unsure. */
export function languageOf(text: string): string {
  const sample = text.slice(0, 8_000);
  for (const [code, script] of SCRIPTS) {
    if ((sample.match(script)?.length ?? 0) > sample.length * 0.08) return code;
  }
  const words = foldedWordsOf(sample);
  let best = 'und';
  let bestCount = Math.max(1, words.length * 0.03);
  for (const [code, common] of Object.entries(COMMON_WORDS)) {
    const count = words.filter((word) => common.has(word)).length;
    if (count > bestCount) {
      best = code;
      bestCount = count;
    }
  }
  return best;
}

// Japanese before Chinese: both use Han.
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['ja', /[\p{sc=Hiragana}\p{sc=Katakana}]/gu],
  ['ko', /\p{sc=Hangul}/gu],
  ['zh', /\p{sc=Han}/gu],
  ['ru', /\p{sc=Cyrillic}/gu],
  ['el', /\p{sc=Greek}/gu],
  ['ar', /\p{sc=Arabic}/gu],
  ['he', /\p{sc=Hebrew}/gu],
  ['hi', /\p{sc=Devanagari}/gu],
  ['th', /\p{sc=Thai}/gu],
];
const COMMON_WORDS: Record<string, ReadonlySet<string>> = {
  en: new Set('the and of to in is that for it with as was are be by this which or not have'.split(' ')),
  fr: new Set('le la les des du et un une dans que qui est pour sur pas au aux son sa droit'.split(' ')),
  de: new Set('der die das und den dem ist ein eine nicht mit von zu für auf auch sich oder hat'.split(' ')),
  es: new Set('el los las del y una que en por con para no su se al lo es derecho persona'.split(' ')),
  pt: new Set('o os das dos e uma que em por com para não sua ao à é direito pessoa todo'.split(' ')),
  it: new Set('il gli della delle che di e un una per con non nel sono diritto ogni individuo ha'.split(' ')),
  nl: new Set('de het een en van is op te dat met voor niet zijn aan heeft recht door'.split(' ')),
  sv: new Set('och att det som en på är av för med till den inte har rätt envar'.split(' ')),
};

/** Length of a text in words, or in characters where words are not separated. */
export function sizeOf(text: string): number {
  return isUnspaced(text) ? Array.from(text).length : wordsOf(text).length;
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
