import type { LocalCopy } from './draft-saver.ts';

const keyOf = (flow: string): string => `pawl.draft.${flow}`;

/** Keeps what is not saved yet. A browser that has no room for it is no reason to stop drawing. */
export function keepCopy(flow: string, copy: LocalCopy): void {
  try {
    localStorage.setItem(keyOf(flow), JSON.stringify(copy));
  } catch {
    localStorage.removeItem(keyOf(flow));
  }
}

export const forgetCopy = (flow: string): void => localStorage.removeItem(keyOf(flow));

/** What an earlier tab could not save; undefined when there is nothing, or nothing that can be read. */
export function readCopy(flow: string): LocalCopy | undefined {
  try {
    const copy = JSON.parse(localStorage.getItem(keyOf(flow)) ?? 'null') as Partial<LocalCopy> | null;
    const isCopy = copy?.base && copy.document && typeof copy.revision === 'number';
    return isCopy ? (copy as LocalCopy) : undefined;
  } catch {
    return undefined;
  }
}
