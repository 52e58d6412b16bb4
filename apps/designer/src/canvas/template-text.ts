import { type Json, splitTemplate } from '@pawl/dag-core';

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

/** An expression that gives what a template gives; of none the whole input, to begin with. */
export function expressionFor(template: Json | undefined): string {
  if (template === undefined || template === '') return 'input';
  return partFor(template);
}

function partFor(template: Json): string {
  if (typeof template === 'string') return textFor(template);
  if (Array.isArray(template)) return `[${template.map(partFor).join(', ')}]`;
  if (typeof template !== 'object' || template === null) return JSON.stringify(template);
  const members = Object.entries(template).map(
    ([name, inner]) => `${JSON.stringify(name)}: ${partFor(inner as Json)}`,
  );
  return `{${members.join(', ')}}`;
}

/** A text that is one expression is that expression; others are put together. */
function textFor(text: string): string {
  const { parts } = splitTemplate(text);
  const [only] = parts;
  if (parts.length === 1 && typeof only === 'object') return only.source.trim();
  if (parts.length === 0) return '""';
  return parts
    .map((part) => (typeof part === 'string' ? JSON.stringify(part) : `$string(${part.source.trim()})`))
    .join(' & ');
}
