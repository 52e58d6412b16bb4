import { type Json, type JsonObject, parseJson, pointerTo } from '@pawl/dag-core';

/** A problem of a text: where it is, by pointer or by line. */
interface TextIssue {
  readonly place: string;
  readonly message: string;
}

export type ReadFlow =
  | { readonly document: JsonObject; readonly issues?: never }
  | { readonly document?: never; readonly issues: readonly TextIssue[] };

/** Most problems that are told at once. */
const MOST = 20;

/**
 * Reads the text of a flow, YAML or JSON, as far as that it is an object: drafts may be unfinished. YAML, whose parser is loaded
 * when it is first needed, may use neither aliases that grow nor keys that are no texts.
 */
export async function readFlowText(text: string): Promise<ReadFlow> {
  const trimmed = text.trim();
  if (trimmed === '')
    return { issues: [{ place: '', message: 'The text is empty: expected a flow in YAML or JSON.' }] };
  if (!trimmed.startsWith('{')) return readYaml(text);
  const { value, issues } = parseJson(text, { bigIntegers: 'refuse' });
  if (issues)
    return { issues: issues.slice(0, MOST).map(({ pointer, message }) => ({ place: pointer, message })) };
  return objectOf(value);
}

async function readYaml(text: string): Promise<ReadFlow> {
  const { LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  // Big integers stay whole until they are looked at, so that none is rounded.
  const parsed = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    intAsBigInt: true,
  });
  if (parsed.errors.length > 0)
    return {
      issues: parsed.errors.slice(0, MOST).map(({ pos, message }) => {
        const { line, col } = lines.linePos(pos[0]);
        return { place: `${line}:${col}`, message };
      }),
    };
  try {
    const issues: TextIssue[] = [];
    const value = toJson(parsed.toJS({ maxAliasCount: 100 }), '', issues);
    return issues.length > 0 ? { issues: issues.slice(0, MOST) } : objectOf(value);
  } catch (error) {
    return { issues: [{ place: '', message: (error as Error).message }] };
  }
}

/** YAML knows numbers that JSON does not. */
function toJson(value: unknown, pointer: string, issues: TextIssue[]): Json {
  if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) return Number(value);
  if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))) {
    issues.push({
      place: pointer,
      message: `${value} does not fit a number of JSON; quote it to keep it as text.`,
    });
    return null;
  }
  if (Array.isArray(value)) return value.map((item, at) => toJson(item, pointerTo(pointer, at), issues));
  if (typeof value !== 'object' || value === null) return (value ?? null) as Json;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, toJson(item, pointerTo(pointer, key), issues)]),
  );
}

function objectOf(value: unknown): ReadFlow {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { issues: [{ place: '', message: 'Expected an object with format, name, nodes and edges.' }] };
  return { document: value as JsonObject };
}
