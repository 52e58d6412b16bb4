import { canonicalJson, type Json, type RecordedEvent } from '@pawl/dag-core';

/** Members of an event's data that may be long. */
export type ValueName = 'input' | 'output' | 'request' | 'fallback';

/** Stands for a value that is too long to come with its event: how it begins, and where the rest is. */
export class LongValue {
  /** Place of the event in the journal, and which of its values it is. */
  readonly seq: number;
  readonly name: ValueName;
  /** SHA-256 (hex) of its JSON text. */
  readonly hash: string;
  /** Length of its JSON text in UTF-8. */
  readonly bytes: number;
  /** How its JSON text begins. */
  readonly preview: string;

  constructor(seq: number, name: ValueName, about: Pick<LongValue, 'hash' | 'bytes' | 'preview'>) {
    this.seq = seq;
    this.name = name;
    this.hash = about.hash;
    this.bytes = about.bytes;
    this.preview = about.preview;
  }
}

/** A value as a reader of the journal has it. */
export type Value = Json | LongValue;

/** What an event says under a name; undefined where it says nothing. */
export function valueIn({ seq, data }: RecordedEvent, name: ValueName): Value | undefined {
  const members = data as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(members, name)) return members[name] as Json;
  const ref = members[`${name}Ref`];
  return ref === undefined ? undefined : new LongValue(seq, name, ref as LongValue);
}

/** A text that is the same for values that say the same, and for no others. */
export const identityOf = (value: Value | undefined): string =>
  value === undefined ? '' : value instanceof LongValue ? `#${value.hash}` : canonicalJson(value);

/** What the expression of a path such as `output.items` reads of a value; lists and long values count as a whole. */
export function partOf(value: Value | undefined, names: readonly string[]): Value | undefined {
  let found = value;
  for (let at = 0; at < names.length; at += 1) {
    if (found === undefined || found === null || typeof found !== 'object') return undefined;
    if (found instanceof LongValue || Array.isArray(found)) return found;
    const members = found as Readonly<Record<string, Json>>;
    // A member whose name holds dots was joined with the others.
    const whole = names.slice(at).join('.');
    if (Object.hasOwn(members, whole)) return members[whole];
    const name = names[at]!;
    found = Object.hasOwn(members, name) ? members[name] : undefined;
  }
  return found;
}
