import { createHash } from 'node:crypto';
import { type ByteRange, type Queryable, readContent } from './chunks.ts';
import { REPLACEABLE, type ValueName, type ValueRef } from './large-values.ts';

/** Values whose JSON text is longer than this many bytes are told by how they begin, where short ones are asked for. */
export const SHORT_BYTES = 64 * 1024;

/** Stands for a value that was asked for in short: `{ "outputRef": … }` instead of `{ "output": … }`. */
interface ShortValue extends ValueRef {
  /** How its JSON text begins, at most {@link SHORT_BYTES} bytes of it. */
  readonly preview: string;
}

/** A value's JSON text, in UTF-8, or a part of it. */
export interface OpenValue extends ValueRef {
  readonly read: (range?: ByteRange) => AsyncIterable<Uint8Array>;
}

/** Event data in which every long value, inside or outside the journal, is told in short. */
export async function shortenEventData<D extends object>(db: Queryable, data: D): Promise<D> {
  const shortened = { ...data } as Record<string, unknown>;
  for (const { name, refName } of REPLACEABLE) {
    const value = openMember(db, data, name);
    if (!value) continue;
    if (value.bytes <= SHORT_BYTES && Object.hasOwn(data, name)) continue;
    delete shortened[name];
    shortened[refName] = {
      hash: value.hash,
      bytes: value.bytes,
      preview: await beginOf(value),
    } satisfies ShortValue;
  }
  return shortened as D;
}

/** A value of event data as its JSON text, wherever it lies; undefined when the data has none of that name. */
export function openMember(db: Queryable, data: object, name: ValueName): OpenValue | undefined {
  const members = data as Readonly<Record<string, unknown>>;
  const ref = members[`${name}Ref`] as ValueRef | undefined;
  if (ref) return { hash: ref.hash, bytes: ref.bytes, read: (range) => readContent(db, ref, range) };
  if (!Object.hasOwn(members, name)) return undefined;
  const bytes = Buffer.from(JSON.stringify(members[name]));
  return {
    hash: createHash('sha256').update(bytes).digest('hex'),
    bytes: bytes.length,
    read: async function* ({ start, end } = { start: 0, end: bytes.length }) {
      yield bytes.subarray(start, end);
    },
  };
}

/** A character that is cut in half is left to who reads on. */
async function beginOf(value: OpenValue): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of value.read({ start: 0, end: Math.min(value.bytes, SHORT_BYTES) }))
    text += decoder.decode(part, { stream: true });
  return text;
}
