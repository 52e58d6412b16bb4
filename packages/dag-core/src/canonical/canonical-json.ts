import type { Json, JsonObject } from '../json.ts';

/**
 * The one text of a JSON value (RFC 8785): keys in UTF-16 order, no space, ECMAScript numbers.
 *
 * Lone surrogates, which the RFC leaves out, are written as `\udXXX`, so every value has a text and it is ASCII-safe there (G9).
 *
 * @throws {TypeError} for a value that is no JSON: `undefined`, NaN, an infinity, a function
 */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return numberText(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object') return objectText(value);
  throw new TypeError(
    `A ${typeof value} has no JSON text; only null, booleans, numbers, text, lists and objects do`,
  );
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`${value} has no JSON text; only finite numbers do`);
  return JSON.stringify(value);
}

function objectText(value: JsonObject): string {
  let text = '{';
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member === undefined) continue;
    text += `${text.length > 1 ? ',' : ''}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `${text}}`;
}
