import { languageOf, qualityOf, sizeOf } from './features.ts';
import type { Hints } from './hints.ts';
import { textsInside } from './prompt.ts';
import type { RandomSource } from './random.ts';
import { joinSentences, keySentences, type ReadText, readText, shorten, titleOf } from './summarise.ts';
import { cutToSize } from './text-size.ts';
import { isUnspaced } from './words.ts';

/** What an answer is made from: the material of a prompt, or one element of it. */
export interface Material {
  readonly text: string;
  readonly data: unknown;
  readonly random: RandomSource;
  readonly spread: number;
  read(): ReadText;
  quality(): number;
  language(): string;
}

/** Wraps a text; reading it is put off until something asks, and done once. */
export function materialOf(text: string, data: unknown, random: RandomSource, spread: number): Material {
  let read: ReadText | undefined;
  const material: Material = {
    text,
    data,
    random,
    spread,
    read: () => (read ??= readText(text, random, spread)),
    quality: () => qualityOf(material.read()),
    language: () => languageOf(text),
  };
  return material;
}

/** The material of one element of JSON material. */
export function elementOf(parent: Material, element: unknown): Material {
  return materialOf(textsInside(element).join('\n\n'), element, parent.random, parent.spread);
}

/** The elements to go through one by one: JSON material that is a list, or holds exactly one list. */
export function elementsOf(data: unknown): readonly unknown[] | undefined {
  if (Array.isArray(data)) return data;
  if (typeof data !== 'object' || data === null) return undefined;
  const lists = Object.values(data).filter((value) => Array.isArray(value));
  return lists.length === 1 ? lists[0] : undefined;
}

const DEFAULT_SENTENCES = 3;

/** A summary in the length that was wished for; three sentences without a wish. */
export function summaryOf(material: Material, hints: Hints): string {
  const read = material.read();
  const sentences =
    hints.sentences ?? (hints.words === undefined ? DEFAULT_SENTENCES : sentencesForWords(hints.words, read));
  const summary = joinSentences(keySentences(read, sentences));
  return hints.words === undefined ? summary : cutToSize(summary, hints.words);
}

function sentencesForWords(words: number, read: ReadText): number {
  const size = isUnspaced(read.text) ? sizeOf(read.text.slice(0, 20_000)) : Math.min(read.wordCount, 1e9);
  const sampled = isUnspaced(read.text) ? Math.min(read.sentences.length, 200) : read.sentences.length;
  return Math.max(1, Math.floor(words / Math.max(1, size / Math.max(1, sampled))));
}

/** A title of the material; of a list of things, what they have in common. */
export function titleFor(material: Material, hints: Hints): string {
  const read = material.read();
  const elements = Array.isArray(material.data) ? material.data.length : 0;
  const title = elements > 1 ? capitalised(read.keywords.slice(0, 3).join(', ')) : titleOf(read);
  return hints.words === undefined ? title : shorten(title, hints.words);
}

function capitalised(text: string): string {
  const first = text.codePointAt(0);
  if (first === undefined) return text;
  const letter = String.fromCodePoint(first);
  return letter.toUpperCase() + text.slice(letter.length);
}
