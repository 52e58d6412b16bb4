import { NODE_ID_PATTERN, RESERVED_IDS } from '@pawl/dag-core';

/** Why an id cannot be given: SPEC G3. */
export function idFault(id: string): 'id_malformed' | 'id_reserved' | undefined {
  if (RESERVED_IDS.has(id)) return 'id_reserved';
  return new RegExp(NODE_ID_PATTERN).test(id) ? undefined : 'id_malformed';
}

/** The wished id, or the first of `wish2`, `wish3`, … that is free. */
export function freeId(wish: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wish)) return wish;
  const stem = wish.replace(/\d+$/, '').slice(0, 56) || wish;
  let number = 2;
  while (taken.has(`${stem}${number}`)) number += 1;
  return `${stem}${number}`;
}
