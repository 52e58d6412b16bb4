import type { Hints } from './hints.ts';
import { readHints } from './hints.ts';
import { type Material, summaryOf, titleFor } from './material.ts';
import { textForPattern } from './pattern.ts';
import { keySentences, shorten } from './summarise.ts';
import { fitLength } from './text-size.ts';

/** A string property to be filled. */
export interface TextWish {
  /** Last property name on the way here; empty at the top. */
  readonly name: string;
  readonly description: string;
  readonly minLength: number;
  readonly maxLength: number;
  readonly pattern?: string;
  readonly format?: string;
  /** Null may be answered where the material says nothing. */
  readonly nullable: boolean;
}

/** Fills a text property by what its name, format and pattern say it holds. */
export function fillText(wish: TextWish & { nullable: false }, material: Material, hints: Hints): string;
export function fillText(wish: TextWish, material: Material, hints: Hints): string | null;
export function fillText(wish: TextWish, material: Material, hints: Hints): string | null {
  const found = foundText(wish, material);
  if (found !== undefined && fits(wish, found)) return found;
  if (wish.nullable && mustBeFound(wish)) return null;
  const formatted = wish.format === undefined ? undefined : placeholderOf(wish.format, material);
  if (formatted !== undefined) return formatted;
  if (wish.pattern !== undefined) {
    const matching = madeForPattern(wish, material);
    if (matching !== undefined) return matching;
  }
  return fitLength(textByName(wish, material, hints), wish.minLength, wish.maxLength);
}

const TITLE = /^(?:title|headline|heading|caption|topic|theme)$/i;
const NAME = /(?:^|_)name$|Name$/;
const KEYWORD = /^(?:keyword|tag|term|word|scope|component|area|module)$/i;
const LANGUAGE = /^(?:lang|language|locale)(?:code)?$/i;
const DATE = /^(?:date|year|day|when)$/i;
const SCOPE = /^(?:scope|component|area|module)$/i;
const REASON =
  /^(?:reason|reasoning|rationale|explanation|why|justification|evidence|quote|note|comment|subject)$/i;
const PROSE = /summary|text|content|body|description/i;

/** What the material itself holds for this property: a labelled line, a date, an address, a match of the pattern. */
function foundText(wish: TextWish, { text }: Material): string | undefined {
  const { name, format, pattern } = wish;
  if (format !== undefined) return foundFormat(format, text);
  if (pattern !== undefined) return foundPattern(pattern, text);
  if (DATE.test(name)) return /year/i.test(name) ? yearIn(text) : (dateIn(text) ?? yearIn(text));
  if (SCOPE.test(name))
    return /^\s*(?:\w+\(([^)\n]+)\)!?:|\[([^\]\n]+)\])/.exec(text)?.slice(1).find(Boolean);
  return PROSE.test(name) ? undefined : labelledLine(text, name);
}

function mustBeFound({ name, format }: TextWish): boolean {
  return format !== undefined || DATE.test(name) || SCOPE.test(name);
}

function textByName(wish: TextWish, material: Material, hints: Hints): string {
  const { name } = wish;
  const own = readHints(wish.description);
  if (TITLE.test(name) || NAME.test(name) || own.title) return titleFor(material, own);
  if (KEYWORD.test(name)) return material.read().keywords[0] ?? '';
  if (LANGUAGE.test(name)) return material.language();
  if (REASON.test(name))
    return shorten(withoutTag(keySentences(material.read(), 1)[0] ?? ''), own.words ?? 24);
  const one =
    own.sentences === undefined && /^(?:sentence|line|headline)$/i.test(name)
      ? { ...own, sentences: 1 }
      : own;
  const wished = one.sentences !== undefined || one.words !== undefined ? one : hints;
  return withoutTag(summaryOf(material, wished, wish.maxLength));
}

/** `fix(parser): handle null` and `[parser] handle null` → `handle null`. */
function withoutTag(text: string): string {
  return text.replace(/^(?:[a-z]+(?:\([^)]*\))?!?: |\[[\w./-]{1,40}\] )(?=\S)/, '');
}

function fits(wish: TextWish, text: string): boolean {
  const length = Array.from(text).length;
  return length >= wish.minLength && length <= wish.maxLength;
}

/** `Author: A. Lincoln` in the material answers for the property `author`. */
function labelledLine(text: string, name: string): string | undefined {
  if (!/^[A-Za-z][\w-]{1,40}$/.test(name)) return undefined;
  const label = name.replace(/[_-]/g, '[ _-]').replace(/([a-z])([A-Z])/g, '$1[ _-]?$2');
  return new RegExp(`^\\W{0,4}${label}\\W{0,3}:[ \\t]*(\\S[^\\n]{0,300})$`, 'im')
    .exec(text.slice(0, 4_000))?.[1]
    ?.trim();
}

function foundPattern(pattern: string, text: string): string | undefined {
  const bare = pattern.replace(/^\^/, '').replace(/\$$/, '');
  try {
    const found = new RegExp(bare, 'u').exec(text.slice(0, 2_000))?.[0];
    return found !== undefined && found !== '' && new RegExp(pattern, 'u').test(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

function madeForPattern(wish: TextWish, material: Material): string | undefined {
  for (let tries = 0; tries < 8; tries += 1) {
    const made = textForPattern(wish.pattern!, material.random);
    if (made !== undefined && fits(wish, made)) return made;
  }
  return undefined;
}

function foundFormat(format: string, text: string): string | undefined {
  switch (format) {
    case 'date':
      return dateIn(text);
    case 'date-time': {
      const date = dateIn(text);
      return date && `${date}T00:00:00Z`;
    }
    case 'time':
      return /\b(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ/.exec(text)?.[0];
    case 'email':
      return /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/.exec(text)?.[0];
    case 'uri':
    case 'url':
    case 'uri-reference':
      return /https?:\/\/[^\s"'<>)\]]{1,500}/.exec(text)?.[0];
    default:
      return undefined;
  }
}

function placeholderOf(format: string, material: Material): string | undefined {
  const year = yearIn(material.text) ?? '2000';
  switch (format) {
    case 'date':
      return `${year}-01-01`;
    case 'date-time':
      return `${year}-01-01T00:00:00Z`;
    case 'time':
      return '00:00:00Z';
    case 'email':
      return 'simulated@example.com';
    case 'uri':
    case 'url':
    case 'uri-reference':
      return 'https://example.com/simulated';
    case 'hostname':
      return 'example.com';
    case 'ipv4':
      return '192.0.2.1';
    case 'ipv6':
      return '2001:db8::1';
    case 'uuid':
      return uuidFrom(material);
    default:
      return undefined;
  }
}

function uuidFrom({ random }: Material): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16));
  hex[12] = '4';
  hex[16] = '8';
  const text = hex.join('');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
    '-',
  );
}

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);

/** The first date of a text as `YYYY-MM-DD`. */
function dateIn(text: string): string | undefined {
  const start = text.slice(0, 20_000);
  const iso = /\b(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?!\d)/.exec(start);
  if (iso !== null) return iso[0];
  const spoken = new RegExp(`\\b(${MONTHS.join('|')})\\s+(\\d{1,2}),?\\s+(\\d{4})\\b`, 'i').exec(start);
  if (spoken === null || Number(spoken[2]) > 28) return undefined;
  const month = MONTHS.indexOf(spoken[1]!.toLowerCase()) + 1;
  return `${spoken[3]}-${String(month).padStart(2, '0')}-${spoken[2]!.padStart(2, '0')}`;
}

/** The first year of a text. */
export function yearIn(text: string): string | undefined {
  return /\b(?:1[5-9]|20)\d\d\b/.exec(text.slice(0, 20_000))?.[0];
}
