import type { ProblemCode } from '@pawl/api';

/** A refusal as the store throws it: told by its name, with a code of the catalogue and the values behind it. */
export function refusal(code: ProblemCode, sentence: string, values: Record<string, unknown> = {}): Error {
  return Object.assign(new Error(sentence), { name: 'StoreError', code, values });
}
