/** What was found in a text that is not JSON as a whole. */
export type FoundJson =
  | { readonly kind: 'one'; readonly text: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly count: number }
  /** Something that begins like JSON is not: `text` is that part. */
  | { readonly kind: 'broken'; readonly text: string }
  /** The text ends inside a value or before it began. */
  | { readonly kind: 'cut' };

/**
 * The one JSON object or list in a model's text: what stands around it (a sentence, a code fence, reasoning in tags) is
 * passed over (C61). Never picks a part of a larger value, and never one of several.
 */
export function findJson(text: string): FoundJson {
  const visible = withoutReasoning(text);
  if (visible === undefined) return { kind: 'cut' };
  const values: string[] = [];
  let broken: string | undefined;
  let openEnds = 0;
  for (let at = nextOpening(visible, 0); at >= 0; ) {
    const end = endOfValue(visible, at);
    if (end === undefined) {
      openEnds += 1;
      if (looksLikeJson(visible.slice(at, at + 200)) || openEnds > MOST_OPEN_ENDS) return { kind: 'cut' };
      at = nextOpening(visible, at + 1);
      continue;
    }
    const candidate = visible.slice(at, end);
    if (isJson(candidate)) values.push(candidate);
    else if (looksLikeJson(candidate)) broken ??= candidate;
    // The inside of a candidate is never looked at: a part of a broken value is no answer.
    at = nextOpening(visible, end);
  }
  if (broken !== undefined) return { kind: 'broken', text: broken };
  // A citation like [1] in the sentence before is no second answer.
  const objects = values.filter((value) => value.startsWith('{'));
  const chosen = objects.length > 0 ? objects : values;
  if (chosen.length > 1) return { kind: 'several', count: chosen.length };
  return chosen.length === 1 ? { kind: 'one', text: chosen[0]! } : { kind: 'none' };
}

/** Brackets in prose that never close; each costs a walk to the end of the text. */
const MOST_OPEN_ENDS = 40;

const REASONING = /^\s*<(think|thinking|reasoning|reflection)>/i;

/** The text after its reasoning block; undefined when the block never ends. Some servers leave out the opening tag. */
function withoutReasoning(text: string): string | undefined {
  const name = REASONING.exec(text)?.[1]?.toLowerCase();
  const closings = [...text.matchAll(/<\/(think|thinking|reasoning|reflection)>/gi)].filter(
    (match) => name === undefined || match[1]!.toLowerCase() === name,
  );
  const first = closings[0];
  if (name === undefined && (first === undefined || hasOpening(text.slice(0, first.index)))) return text;
  if (first === undefined) return undefined;
  let end = first.index + first[0].length;
  // Several blocks in a row; a tag after the answer began may be part of it.
  for (const next of closings.slice(1)) {
    if (hasOpening(text.slice(end, next.index))) break;
    end = next.index + next[0].length;
  }
  return text.slice(end);
}

function hasOpening(text: string): boolean {
  return nextOpening(text, 0) >= 0;
}

function nextOpening(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) if (text[at] === '{' || text[at] === '[') return at;
  return -1;
}

/** Where the object or list that opens at `start` closes; undefined when it does not. */
function endOfValue(text: string, start: number): number | undefined {
  let depth = 0;
  let inText = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (inText) {
      if (character === '\\') at += 1;
      else if (character === '"') inText = false;
    } else if (character === '"') inText = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** `{"`, `{}`, `["`, `[{`, `[[`, `[1,`: prose in brackets does not begin like this. */
function looksLikeJson(text: string): boolean {
  return /^(?:\{\s*(?:"|\}|$)|\[\s*(?:["{[]|-?\d+\s*,|$))/.test(text);
}
