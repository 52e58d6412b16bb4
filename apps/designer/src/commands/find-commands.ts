/** Something that can be found by what it is called. */
export interface Named {
  readonly words: string;
  /** What else it is known by: an id, a name in addresses. */
  readonly also?: string | undefined;
}

/**
 * What is called so, best first: all words that were typed are in its name, one after another from the beginning of words counts more. Of
 * equals the earlier one stays first. Nothing typed, everything.
 */
export function findNamed<T extends Named>(all: readonly T[], typed: string): T[] {
  const wanted = wordsIn(typed);
  if (wanted.length === 0) return [...all];
  return all
    .map((each) => ({
      each,
      rank: Math.max(rankOf(each.words, wanted), rankOf(each.also ?? '', wanted) - 1),
    }))
    .filter(({ rank }) => rank > 0)
    .toSorted((one, other) => other.rank - one.rank)
    .map(({ each }) => each);
}

const wordsIn = (text: string): string[] => text.toLowerCase().split(/\s+/u).filter(Boolean);

/** 4: begins so; 3: each begins a word; 2: each is in it; less: not. */
function rankOf(name: string, wanted: readonly string[]): number {
  const text = name.toLowerCase();
  if (!wanted.every((word) => text.includes(word))) return 0;
  if (text.startsWith(wanted.join(' '))) return 4;
  const words = text.split(/[^\p{L}\p{N}]+/u);
  return wanted.every((word) => words.some((each) => each.startsWith(word))) ? 3 : 2;
}

const RUN_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The id of a run, when what was typed or pasted is one. */
export function runIdIn(typed: string): string | undefined {
  const text = typed.trim().toLowerCase();
  return RUN_ID.test(text) ? text : undefined;
}
