import type { Json } from '@pawl/tool-sdk';

/** What a pointer leads to: a value, or the place up to which there was something. */
export type Found = { readonly value: Json } | { readonly missingAt: string };

const INDEX = /^(0|[1-9][0-9]*)$/;

/**
 * The steps of a JSON pointer (RFC 6901), unescaped; `''` is the whole value and has none.
 *
 * @returns undefined when the text is no pointer: it must be empty or begin with `/`, and `~` is followed by 0 or 1
 */
export function pointerSteps(pointer: string): string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** One step into a value; undefined when there is nothing. Only own members count. */
export function member(value: Json, step: string): Json | undefined {
  if (Array.isArray(value)) return INDEX.test(step) ? value[Number(step)] : undefined;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return value[step];
}

/** Follows the steps of a pointer. */
export function follow(value: Json, steps: readonly string[]): Found {
  let at = value;
  for (const [index, step] of steps.entries()) {
    const next = member(at, step);
    if (next === undefined) return { missingAt: pointerOf(steps.slice(0, index + 1)) };
    at = next;
  }
  return { value: at };
}

/** Steps as a JSON pointer. */
export const pointerOf = (steps: readonly string[]): string =>
  steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The index that a step names in a list of `length`, 0 … `last`; undefined when it names none. */
export function listIndex(step: string, last: number): number | undefined {
  if (!INDEX.test(step)) return undefined;
  const index = Number(step);
  return index <= last ? index : undefined;
}
