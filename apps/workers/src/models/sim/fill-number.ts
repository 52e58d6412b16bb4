import { sentimentOf, sizeOf } from './features.ts';
import { yearIn } from './fill-text.ts';
import type { Material } from './material.ts';

/** A number property to be filled; the bounds are inclusive. */
export interface NumberWish {
  readonly name: string;
  readonly integer: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
}

/** Fills a number from the material: real counts and years where the name asks for them, else its quality in the bounds. */
export function fillNumber(wish: NumberWish, material: Material): number {
  const step = wish.multipleOf ?? (wish.integer ? 1 : undefined);
  const { low, high } = boundsOf(wish, step);
  const value = Math.min(
    high,
    Math.max(low, measure(wish.name, material) ?? low + (high - low) * share(wish.name, material)),
  );
  if (step === undefined) return Math.min(high, Math.max(low, Number(value.toFixed(4))));
  const stepped = Math.floor(value / step + 1e-9) * step;
  return Number((stepped < low ? Math.ceil(low / step - 1e-9) * step : stepped).toFixed(10));
}

/** Fills a boolean: true when the words of its name are in the material, or its quality is enough. */
export function fillBoolean(name: string, material: Material): boolean {
  if (
    /quality|good|valid|complete|pass|ok$|approved|accept|readable|relevant|useful|sufficient/i.test(name)
  ) {
    return material.quality() >= 0.5;
  }
  if (/positive/i.test(name)) return sentimentOf(material.text) > 0.5;
  if (/negative/i.test(name)) return sentimentOf(material.text) < 0.5;
  if (/breaking/i.test(name)) return /^\s*\w+(?:\([^)]*\))?!:|\bBREAKING\b/m.test(material.text);
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_-]+/)
    .filter(
      (word) =>
        word.length > 2 && !['has', 'contains', 'mentions', 'needs', 'should', 'includes'].includes(word),
    );
  const text = material.text.toLowerCase();
  return words.some((word) => text.includes(word));
}

function measure(name: string, material: Material): number | undefined {
  if (/sentence.*(?:count|number)|(?:count|number).*sentence/i.test(name))
    return material.read().sentences.length;
  if (/word.*(?:count|number)|(?:count|number).*word|^words$/i.test(name)) return sizeOf(material.text);
  if (/^(?:length|size|characters)$/i.test(name)) return material.text.length;
  if (/^year$/i.test(name)) return Number(yearIn(material.text) ?? 2000);
  if (/^(?:count|total)$/i.test(name) && Array.isArray(material.data)) return material.data.length;
  return undefined;
}

function share(name: string, material: Material): number {
  if (/sentiment|polarity/i.test(name)) return sentimentOf(material.text);
  if (/quality|score|confidence|rating|relevance|grade|probability|certainty|clarity/i.test(name))
    return material.quality();
  return material.random();
}

function boundsOf(wish: NumberWish, step: number | undefined): { low: number; high: number } {
  const edge = step ?? 1e-4;
  const low = Math.max(
    wish.minimum ?? Number.NEGATIVE_INFINITY,
    wish.exclusiveMinimum === undefined ? Number.NEGATIVE_INFINITY : wish.exclusiveMinimum + edge,
  );
  const high = Math.min(
    wish.maximum ?? Number.POSITIVE_INFINITY,
    wish.exclusiveMaximum === undefined ? Number.POSITIVE_INFINITY : wish.exclusiveMaximum - edge,
  );
  const usual = measuresWithoutEnd(wish.name) ? 1e9 : wish.integer ? 10 : 1;
  if (Number.isFinite(low))
    return { low, high: Number.isFinite(high) ? high : Math.max(low, usual, low + usual) };
  return { low: Math.min(0, high), high: Number.isFinite(high) ? high : usual };
}

function measuresWithoutEnd(name: string): boolean {
  return /count|number|total|length|size|characters|words|year/i.test(name);
}
