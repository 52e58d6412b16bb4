import type { Json } from '@pawl/dag-core';
import { type Member, membersOfValue, sampleOf, type TypeWord, typeOfValue } from '../members.ts';

/** Longest text of a value that leaves the worker, in characters. */
const PREVIEW_LENGTH = 64 * 1_024;

/** As much of a value as a page shows: the whole stays in the worker. */
export interface Preview {
  readonly type: TypeWord;
  /** The text itself, or JSON; of a long one the beginning. */
  readonly text: string;
  /** How long the whole is, in characters. */
  readonly length: number;
  /** In one short line. */
  readonly sample: string;
  readonly members: readonly Member[];
}

export function previewOf(value: Json): Preview {
  const whole = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
  return {
    type: typeOfValue(value),
    text: whole.slice(0, PREVIEW_LENGTH),
    length: whole.length,
    sample: sampleOf(value),
    members: membersOfValue(value),
  };
}
