import type { Json } from '@pawl/dag-core';

// A field shows a value as text: a text as it is, everything else as JSON. A text that would read as JSON is shown in quotes.

/** The JSON that a text reads as; undefined when it reads as plain text. */
function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

export function textOf(value: Json | undefined): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  return jsonOf(value) === undefined ? value : JSON.stringify(value);
}

/** What was written; nothing written is no value. */
export function readText(text: string): Json | undefined {
  if (text === '') return undefined;
  const json = jsonOf(text);
  return json === undefined ? text : json;
}

const WHOLE = /^\{\{([\s\S]*)\}\}$/;

/** The expression of a value that is one expression and nothing else. */
export function expressionOf(value: Json | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  const inner = WHOLE.exec(value.trim())?.[1];
  return inner === undefined || inner.includes('{{') ? undefined : inner.trim();
}

export const templateOf = (expression: string): string => `{{ ${expression} }}`;
