import type { Json } from '@pawl/dag-core';

const UNSAFE = /[\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A value as indented JSON that is safe to print: control and direction characters are escaped. */
export const jsonText = (value: Json): string =>
  JSON.stringify(value, null, 2).replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
