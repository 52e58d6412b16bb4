import { pointerTo } from '../canonical/json-pointer.ts';
import { MAX_JSON_DEPTH } from '../canonical/json-scanner.ts';
import { errorAt, type Issue } from './issue.ts';

/** Deepest nesting of a document, graphs and templates together. */
const MAX_DOCUMENT_DEPTH = Math.min(400, MAX_JSON_DEPTH);

/**
 * Checks that a value is plain JSON that can be walked: no reserved keys, no functions, no bottomless nesting.
 * Documents come from YAML and from callers in the same process too, so this cannot be left to the JSON parser.
 */
export function checkPlainJson(document: unknown): Issue[] {
  const issues: Issue[] = [];
  const open: { value: unknown; pointer: string; depth: number }[] = [
    { value: document, pointer: '', depth: 0 },
  ];
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const { value, pointer, depth } = entry;
    const fault = faultOf(value, depth);
    if (fault) issues.push(errorAt(fault.code, pointer, `${pointer || 'The document'} ${fault.message}`));
    if (fault || typeof value !== 'object' || value === null) continue;
    for (const key of Object.keys(value)) {
      const inner = (value as Record<string, unknown>)[key];
      const place = pointerTo(pointer, key);
      if (key === '__proto__')
        issues.push(errorAt('reserved_key', place, 'The key "__proto__" is reserved; rename it'));
      // A field that is undefined is absent, as it is for JSON.stringify and for the name of the version.
      else if (inner === undefined && !Array.isArray(value)) continue;
      else if (typeof inner !== 'string' && typeof inner !== 'boolean' && inner !== null) {
        open.push({ value: inner, pointer: place, depth: depth + 1 });
      }
    }
  }
  return issues;
}

function faultOf(value: unknown, depth: number): { code: string; message: string } | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      if (!Number.isFinite(value))
        return { code: 'not_json', message: `is ${value}, which is no JSON number` };
      if (Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21) {
        return {
          code: 'unsafe_integer',
          message: 'is an integer beyond ±9007199254740991; write it as text',
        };
      }
      return undefined;
    case 'object':
      if (value === null) return undefined;
      if (depth > MAX_DOCUMENT_DEPTH) {
        return { code: 'nesting_too_deep', message: `is nested deeper than ${MAX_DOCUMENT_DEPTH} levels` };
      }
      return isPlain(value) ? undefined : { code: 'not_json', message: 'is no JSON value' };
    default:
      return { code: 'not_json', message: `is a ${typeof value}, which is no JSON value` };
  }
}

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
