import type { ModelRequest, ModelToolCall } from '@pawl/tool-sdk';

// The rule: a code point of the Latin block counts 1/4 token, one of another alphabet (Greek, Cyrillic, Arabic,
// Devanagari, …) 1/2, one of a script written without spaces (Han, kana, Hangul, Thai, …) or an emoji 1; the sum is
// rounded up. Each message adds 4 for its frame; a schema, the tools and tool calls count as their JSON text.

const MESSAGE_FRAME_TOKENS = 4;

/** Approximate number of tokens of a text; 0 for an empty one. */
export function countTokens(text: string): number {
  let quarters = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x250) quarters += 1;
    else if (unit >= 0xd800 && unit <= 0xdfff) quarters += 2;
    else if (isDense(unit)) quarters += 4;
    else quarters += 2;
  }
  return Math.ceil(quarters / 4);
}

/** Approximate number of input tokens of a request. */
export function countInputTokens(request: ModelRequest): number {
  const { schema, tools, messages } = request;
  let tokens = schema === undefined ? 0 : countTokens(JSON.stringify(schema));
  if (tools !== undefined) tokens += countTokens(JSON.stringify(tools));
  for (const message of messages) {
    tokens += countTokens(message.content) + MESSAGE_FRAME_TOKENS;
    if (message.role === 'assistant' && message.toolCalls) tokens += countToolCalls(message.toolCalls);
  }
  return tokens;
}

/** Approximate number of tokens of tool calls, as a model writes them. */
export const countToolCalls = (calls: readonly ModelToolCall[]): number => countTokens(JSON.stringify(calls));

/** An upper bound of the input tokens of a request: real tokenisers need up to about half as many again. */
export function upperInputTokens(request: ModelRequest): number {
  return Math.ceil(countInputTokens(request) * 1.5) + 16;
}

/** The longest beginning of `text` that has at most `limit` tokens; never half a code point. */
export function cutToTokens(text: string, limit: number): string {
  if (countTokens(text) <= limit) return text;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (countTokens(text.slice(0, middle)) <= limit) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, wholeCodePointsUntil(text, low));
}

/** `end`, moved back by one when it would cut a surrogate pair. */
export function wholeCodePointsUntil(text: string, end: number): number {
  const before = text.charCodeAt(end - 1);
  const cutsPair = end > 0 && end < text.length && before >= 0xd800 && before <= 0xdbff;
  return cutsPair ? end - 1 : end;
}

function isDense(unit: number): boolean {
  return (
    (unit >= 0x0e00 && unit <= 0x0eff) || // Thai, Lao
    (unit >= 0x1000 && unit <= 0x109f) || // Myanmar
    (unit >= 0x1100 && unit <= 0x11ff) || // Hangul jamo
    (unit >= 0x1780 && unit <= 0x17ff) || // Khmer
    (unit >= 0x2e80 && unit <= 0xd7ff) || // CJK, kana, Hangul
    (unit >= 0xf900 && unit <= 0xfaff) ||
    (unit >= 0xff00 && unit <= 0xffef)
  );
}
