import type { ModelRequest } from '@pawl/tool-sdk';
import { fillSchema } from './fill-schema.ts';
import { readHints } from './hints.ts';
import { materialOf } from './material.ts';
import { readPrompt } from './prompt.ts';
import type { RandomSource } from './random.ts';
import { writeText } from './write-text.ts';

/** How far draws may move the score of a sentence, as a share, at temperature 1. */
const SPREAD_AT_ONE = 0.25;
const DEFAULT_TEMPERATURE = 0.4;

/**
 * The whole text of a simulated answer: JSON when the request has a schema, else prose.
 *
 * @param nonce  worked into the answer where the schema leaves room
 */
export function answerRequest(request: ModelRequest, random: RandomSource, nonce?: string): string {
  const { instruction, content, data } = readPrompt(request);
  const temperature = request.parameters.temperature ?? DEFAULT_TEMPERATURE;
  const spread = SPREAD_AT_ONE * Math.min(2, temperature);
  const material = materialOf({ text: content, data, instruction, random, spread });
  const hints = readHints(instruction);
  if (request.schema === undefined) {
    const text = writeText(instruction, material, hints);
    return nonce === undefined ? text : `${text} [sim ${nonce}]`;
  }
  const value = fillSchema(request.schema, material, hints);
  return JSON.stringify(nonce === undefined ? value : marked(value, request.schema, nonce));
}

/** Puts the nonce into the first text that has no bounds of its own; leaves the value alone when there is none. */
function marked(value: unknown, schema: unknown, nonce: string): unknown {
  const own = schema as Record<string, unknown>;
  if (typeof value === 'string') {
    return ['enum', 'const', 'pattern', 'format', 'maxLength'].some((key) => key in own)
      ? value
      : `${value} [sim ${nonce}]`;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const properties = (own.properties ?? {}) as Record<string, unknown>;
  for (const [name, inner] of Object.entries(value)) {
    const property = properties[name];
    if (typeof property !== 'object' || property === null) continue;
    const changed = marked(inner, property, nonce);
    if (changed !== inner) return { ...value, [name]: changed };
  }
  return value;
}
