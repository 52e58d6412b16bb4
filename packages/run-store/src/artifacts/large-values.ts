import { createHash } from 'node:crypto';
import type { Json } from '@pawl/dag-core';
import { StoreError } from '../errors.ts';
import { type ContentRef, cutChunks, type Queryable, readContent, writeChunks } from './chunks.ts';

/** Values whose JSON text is longer than this many bytes leave the journal (semantics §6). */
export const INLINE_LIMIT_BYTES = 256 * 1024;
/** Longer values are refused (semantics §8). */
export const VALUE_LIMIT_BYTES = 64 * 1024 * 1024;
/** Chunks written by one statement, so that 64 MB do not become one parameter. */
const CHUNKS_PER_STATEMENT = 16;

/** Stands for a value that lies outside the journal: `{ "outputRef": ref }` instead of `{ "output": value }`; of its JSON text. */
export type ValueRef = ContentRef;

/**
 * Stores the JSON text of a value outside the journal when it is too long to stay inside. Call it before the event that
 * names the value is committed, on a connection of its own or in that event's transaction. From here on the run holds the
 * value, whether or not the event is ever committed: it goes with the run.
 *
 * @returns undefined when the text may stay where it is
 * @throws {StoreError} `value_too_large` above 64 MB
 */
export async function offloadValue(
  db: Queryable,
  runId: string,
  jsonText: string,
): Promise<ValueRef | undefined> {
  // A UTF-16 unit takes at most three bytes in UTF-8: short texts need no counting.
  if (jsonText.length * 3 <= INLINE_LIMIT_BYTES) return undefined;
  const size = Buffer.byteLength(jsonText);
  if (size <= INLINE_LIMIT_BYTES) return undefined;
  if (size > VALUE_LIMIT_BYTES) {
    throw new StoreError('value_too_large', { bytes: size, limitBytes: VALUE_LIMIT_BYTES });
  }
  const bytes = Buffer.from(jsonText);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const chunks = cutChunks(bytes);
  for (let index = 0; index < chunks.length; index += CHUNKS_PER_STATEMENT) {
    const some = chunks.slice(index, index + CHUNKS_PER_STATEMENT);
    await writeChunks(db, { hash, bytes: size, index, chunks: some, heldBy: runId });
  }
  return { hash, bytes: size };
}

/** Lets another run hold a value that some run holds: it stays as long as one of them does. */
export async function holdValue(db: Queryable, runId: string, { hash }: ValueRef): Promise<void> {
  await db.query(
    `with touched as (update content set touched_at = now() where hash = $2 returning hash)
     insert into held_value (run_id, hash) select $1::uuid, hash from touched on conflict do nothing`,
    [runId, hash],
  );
}

/**
 * The JSON text a reference stands for.
 *
 * @throws {StoreError} `value_lost` when bytes are missing
 */
export async function resolveValue(db: Queryable, ref: ValueRef): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of readContent(db, ref)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Members of event data that may be long. */
export const VALUE_NAMES = ['input', 'output', 'request', 'fallback'] as const;
export type ValueName = (typeof VALUE_NAMES)[number];

/** Members of event data that may be replaced by a reference: the name with `Ref` behind it. */
export const REPLACEABLE = VALUE_NAMES.map((name) => ({ name, refName: `${name}Ref` }));

/** References that event data holds, so that a reader can count bytes before it loads them. */
export function valueRefs(data: object): ValueRef[] {
  const members = data as Readonly<Record<string, unknown>>;
  return REPLACEABLE.map(({ refName }) => members[refName]).filter(
    (value) => value !== undefined,
  ) as ValueRef[];
}

/** Event data with every reference replaced by the value it stands for; data without references comes back as it is. */
export async function resolveEventData<D extends object>(db: Queryable, data: D): Promise<D> {
  const refs = REPLACEABLE.filter(({ refName }) => Object.hasOwn(data, refName));
  if (refs.length === 0) return data;
  const resolved = { ...data } as Record<string, unknown>;
  for (const { name, refName } of refs) {
    resolved[name] = JSON.parse(await resolveValue(db, resolved[refName] as ValueRef)) as Json;
    delete resolved[refName];
  }
  return resolved as D;
}
