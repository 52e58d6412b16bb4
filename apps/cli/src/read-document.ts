import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Json, parseJson } from '@pawl/dag-core';
import { type Document, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import { type DocumentIssue, DocumentUnreadableError, FileError } from './errors.ts';
import type { Io } from './io.ts';

/** A JSON or YAML text that was read, and where in it a JSON pointer points. */
export interface ReadDocument {
  /** As the user named it. */
  readonly source: string;
  readonly value: Json;
  /** `12:7` (line and column from 1); undefined where the format does not tell. */
  readonly placeOf: (pointer: string) => string | undefined;
}

/**
 * Reads a JSON or YAML file; `-` is standard input.
 *
 * @throws {FileError} {DocumentUnreadableError}
 */
export async function readDocument(file: string, io: Io): Promise<ReadDocument> {
  const text = file === '-' ? await io.readStdin() : await readText(resolve(io.cwd, file), file);
  const source = file === '-' ? 'Standard input' : file;
  return /[.]json$/i.test(file) || (file === '-' && /^\s*[[{"]/.test(text))
    ? { source, value: parseJsonText(source, text), placeOf: () => undefined }
    : parseYamlText(source, text);
}

/** Reads a JSON value given on the command line. @throws {DocumentUnreadableError} */
export function parseJsonText(source: string, text: string): Json {
  const parsed = parseJson(text, { bigIntegers: 'refuse' });
  if (parsed.issues) throw new DocumentUnreadableError(source, parsed.issues);
  return parsed.value;
}

async function readText(path: string, named: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new FileError('read', named, cause);
  }
}

function parseYamlText(source: string, text: string): ReadDocument {
  const lineCounter = new LineCounter();
  // Big integers stay whole until they are looked at, so that none is rounded before it is refused.
  const document = parseDocument(text, { lineCounter, intAsBigInt: true, uniqueKeys: true });
  const problems = [...document.errors, ...document.warnings].map(
    (error): DocumentIssue => ({ pointer: '', code: 'yaml_syntax', message: firstLine(error.message) }),
  );
  if (problems.length > 0) throw new DocumentUnreadableError(source, problems);
  const issues: DocumentIssue[] = [];
  const value = toJson(document.toJS({ maxAliasCount: 100 }), '', issues);
  if (issues.length > 0) throw new DocumentUnreadableError(source, issues);
  return { source, value, placeOf: (pointer) => placeIn(document, lineCounter, pointer) };
}

/** YAML knows values that JSON does not: whole numbers of any size, dates, not-a-number. */
function toJson(value: unknown, pointer: string, issues: DocumentIssue[]): Json {
  if (typeof value === 'bigint') {
    if (Number.isSafeInteger(Number(value))) return Number(value);
    const message = `unsafe_integer at ${pointer}: integers beyond ±9007199254740991 would be rounded; quote it to send it as text`;
    issues.push({ pointer, code: 'unsafe_integer', message });
    return null;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    issues.push({
      pointer,
      code: 'not_json',
      message: `${pointer} is ${value}, which JSON cannot hold; quote it`,
    });
    return null;
  }
  if (Array.isArray(value)) return value.map((item, index) => toJson(item, `${pointer}/${index}`, issues));
  if (typeof value !== 'object' || value === null) return (value ?? null) as Json;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const at = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      return [key, toJson(item, at, issues)];
    }),
  );
}

function placeIn(document: Document, lines: LineCounter, pointer: string): string | undefined {
  const keys = pointer.split('/').slice(1).map(unescapePart);
  // The nearest place that exists: a problem may name a member that is missing.
  for (let length = keys.length; length >= 0; length--) {
    const node = nodeAt(document, keys.slice(0, length));
    if (!node?.range) continue;
    const { line, col } = lines.linePos(node.range[0]);
    return `${line}:${col}`;
  }
  return undefined;

  function unescapePart(part: string): string {
    return part.replaceAll('~1', '/').replaceAll('~0', '~');
  }
}

function nodeAt(document: Document, keys: readonly string[]): Node | undefined {
  const path = keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key));
  const found = document.getIn(path, true) as unknown;
  return isScalar(found) || (typeof found === 'object' && found !== null && 'range' in found)
    ? (found as Node)
    : undefined;
}

const firstLine = (text: string): string => (text.split('\n')[0] ?? text).replace(/:$/, '');
