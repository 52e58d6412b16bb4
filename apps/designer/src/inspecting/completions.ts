import { quoteName } from '@pawl/dag-core';
import {
  joinMembers,
  type Member,
  membersOfSchema,
  schemaAt,
  type TypeWord,
  typeOfSchema,
} from './members.ts';
import { type Readable, writtenPath } from './readable.ts';
import type { Wanted, Written } from './wanted.ts';

/** One thing that can be written next. */
export interface Completion {
  /** What is written. */
  readonly text: string;
  /** A node is called so on the canvas. */
  readonly title?: string | undefined;
  readonly type?: TypeWord | undefined;
  readonly about?: string | undefined;
  readonly sample?: string | undefined;
  readonly is: 'value' | 'member' | 'function';
}

/** What a recorded run says of some paths: of each its value in one line, and its members. */
export type Seen = (
  paths: readonly (readonly string[])[],
) => Promise<
  readonly (
    | { readonly sample?: string | undefined; readonly type?: TypeWord; readonly members: readonly Member[] }
    | undefined
  )[]
>;

/** Most nodes whose samples are asked for at once. */
const MOST_SAMPLES = 30;

/** What can be written where something is wanted, with what the recorded run says of it. */
export async function completionsFor(
  { path }: Wanted,
  written: Written,
  readable: readonly Readable[],
  seen: Seen,
): Promise<Completion[]> {
  if (path.length === 0) return [...(await values(readable, seen)), ...(written === 'code' ? [] : FUNCTIONS)];
  const [root, node, member] = path;
  if (root === 'nodes' && node === undefined) return nodeNames(readable, seen);
  if (root === 'nodes' && member === undefined) return (await nodeMembers(node!, readable, seen)) ?? [];
  const holder = readable.find((each) => each.path.every((name, at) => path[at] === name));
  if (!holder) return [];
  const [found] = await seen([path]);
  const known = membersOfSchema(schemaAt(holder.schema, path.slice(holder.path.length)));
  return joinMembers(known, found?.members ?? []).map((each) => ({
    ...each,
    text: quoteName(each.name),
    is: 'member',
  }));
}

async function values(readable: readonly Readable[], seen: Seen): Promise<Completion[]> {
  const found = await seen(readable.slice(0, MOST_SAMPLES).map(({ path }) => path));
  return readable.map(({ path, title, schema }, at) => ({
    text: writtenPath(path),
    title,
    type: typeOfSchema(schema) ?? found[at]?.type,
    sample: found[at]?.sample,
    is: 'value',
  }));
}

async function nodeNames(readable: readonly Readable[], seen: Seen): Promise<Completion[]> {
  const nodes = readable.filter(({ path }) => path[0] === 'nodes');
  return (await values(nodes, seen)).map((each, at) => ({ ...each, text: quoteName(nodes[at]!.path[1]!) }));
}

async function nodeMembers(
  id: string,
  readable: readonly Readable[],
  seen: Seen,
): Promise<Completion[] | undefined> {
  const node = readable.find(({ path }) => path[0] === 'nodes' && path[1] === id);
  if (!node) return undefined;
  const paths = ['output', 'status', 'failure'].map((member) => ['nodes', id, member]);
  const found = await seen(paths);
  const types = [typeOfSchema(node.schema), 'string', 'object'] as const;
  return paths.map((path, at) => ({
    text: path[2]!,
    type: types[at] ?? found[at]?.type,
    sample: found[at]?.sample,
    is: 'member',
  }));
}

/** Functions of the expression language that people use most; it knows more, and all of them are understood. */
const FUNCTIONS: readonly Completion[] = [
  ['$sum', 'array → number'],
  ['$count', 'array → number'],
  ['$average', 'array → number'],
  ['$max', 'array → number'],
  ['$min', 'array → number'],
  ['$round', 'number, precision → number'],
  ['$floor', 'number → number'],
  ['$abs', 'number → number'],
  ['$number', 'text → number'],
  ['$string', 'value → text'],
  ['$length', 'text → number'],
  ['$substring', 'text, start, length → text'],
  ['$uppercase', 'text → text'],
  ['$lowercase', 'text → text'],
  ['$trim', 'text → text'],
  ['$split', 'text, separator → array'],
  ['$join', 'array, separator → text'],
  ['$contains', 'text, pattern → boolean'],
  ['$replace', 'text, pattern, by → text'],
  ['$match', 'text, pattern → array'],
  ['$map', 'array, function → array'],
  ['$filter', 'array, function → array'],
  ['$reduce', 'array, function, first → value'],
  ['$sort', 'array, function → array'],
  ['$distinct', 'array → array'],
  ['$append', 'array, array → array'],
  ['$reverse', 'array → array'],
  ['$keys', 'object → array'],
  ['$lookup', 'object, key → value'],
  ['$merge', 'array → object'],
  ['$exists', 'value → boolean'],
  ['$not', 'value → boolean'],
  ['$type', 'value → text'],
  ['$now', '→ text'],
  ['$millis', '→ number'],
  ['$fromMillis', 'number, picture → text'],
  ['$toMillis', 'text, picture → number'],
  ['$formatNumber', 'number, picture → text'],
].map(([text, about]) => ({ text: text!, about, is: 'function' as const }));
