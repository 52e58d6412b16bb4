import type { LabelEvidence } from './choose-label.ts';
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
  /** What the prompt asks for. */
  readonly instruction: string;
  readonly random: RandomSource;
  readonly spread: number;
  read(): ReadText;
  quality(): number;
  language(): string;
}

/** What a material is made of. */
export type MaterialSource = Pick<Material, 'text' | 'data' | 'instruction' | 'random' | 'spread'>;

/** Wraps a text; reading it is put off until something asks, and done once. */
export function materialOf(source: MaterialSource): Material {
  let read: ReadText | undefined;
  const material: Material = {
    ...source,
    read: () => {
      read ??= readText(source.text, source.random, source.spread);
      return read;
    },
    quality: () => qualityOf(material.read()),
    language: () => languageOf(source.text),
  };
  return material;
}

/** The material of one element of JSON material. */
export function elementOf(parent: Material, element: unknown): Material {
  const { instruction, random, spread } = parent;
  return materialOf({ text: textsInside(element).join('\n\n'), data: element, instruction, random, spread });
}

/** What speaks for one label or another. */
export function evidenceOf(material: Material): LabelEvidence {
  return {
    text: material.text,
    quality: material.quality,
    language: material.language,
    definition: (label) => definitionIn(material.instruction, label),
    draw: material.random(),
  };
}

/** `fix: something wrong is now right.` in the instruction says what the label `fix` means. */
function definitionIn(instruction: string, label: string): string {
  for (let at = instruction.indexOf(label); at >= 0; at = instruction.indexOf(label, at + 1)) {
    const before = instruction[at - 1] ?? ' ';
    const after = instruction.slice(at + label.length, at + label.length + 220);
    const definition = /^\W?\s*[:=–-]\s+([^.;\n]{1,200})/.exec(after)?.[1];
    if (definition !== undefined && !/[\w-]/.test(before)) return definition;
  }
  return '';
}

/** The elements to go through one by one: JSON material that is a list, or holds exactly one list. */
export function elementsOf(data: unknown): readonly unknown[] | undefined {
  if (Array.isArray(data)) return data;
  if (typeof data !== 'object' || data === null) return undefined;
  const lists = Object.values(data).filter((value) => Array.isArray(value));
  return lists.length === 1 ? lists[0] : undefined;
}

const DEFAULT_SENTENCES = 3;

/** A summary in the length that was wished for (three sentences without a wish), in whole sentences if `maxLength` lets it. */
export function summaryOf(material: Material, hints: Hints, maxLength = Number.POSITIVE_INFINITY): string {
  const read = material.read();
  let count =
    hints.sentences ?? (hints.words === undefined ? DEFAULT_SENTENCES : sentencesForWords(hints.words, read));
  let summary = joinSentences(keySentences(read, count));
  while (summary.length > maxLength && count > 1) {
    count -= 1;
    summary = joinSentences(keySentences(read, count));
  }
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
