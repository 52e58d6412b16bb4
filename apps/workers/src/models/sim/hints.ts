/** Wishes about length and form that were found in an instruction. */
export interface Hints {
  readonly sentences?: number;
  readonly words?: number;
  readonly items?: number;
  readonly bullets: boolean;
  readonly title: boolean;
}

const NUMBER_WORDS: Record<string, number> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  a: 1,
  single: 1,
};
const COUNT = `(\\d{1,4}|${Object.keys(NUMBER_WORDS).join('|')})`;
// "2 to 3 sentences" and "2-3 sentences": the upper number counts.
const SENTENCES = new RegExp(`(?:\\d+\\s*(?:-|–|to)\\s*)?\\b${COUNT}\\s+(?:\\w+\\s+)?sentences?\\b`, 'i');
const WORDS = new RegExp(`(?:\\d+\\s*(?:-|–|to)\\s*)?\\b${COUNT}\\s+words?\\b`, 'i');
const ITEMS = new RegExp(
  `(?:\\d+\\s*(?:-|–|to)\\s*)?\\b${COUNT}\\s+(?:\\w+\\s+)?(?:bullet|point|item|keyword|highlight|fact|tag|topic|line)`,
  'i',
);

/** Reads the hints of an instruction such as "Summarise in two sentences" or "at most 50 words". */
export function readHints(instruction: string): Hints {
  const sentences = countIn(SENTENCES, instruction);
  const words = countIn(WORDS, instruction);
  const items = countIn(ITEMS, instruction);
  return {
    ...(sentences === undefined ? {} : { sentences }),
    ...(words === undefined ? {} : { words }),
    ...(items === undefined ? {} : { items }),
    bullets: /\bbullet|\bbulleted\b|\blist of\b|\bas a list\b/i.test(instruction),
    title:
      /\b(?:write|give|suggest|return|create|find|invent)\b[^.\n]{0,30}\b(?:title|headline)\b/i.test(
        instruction,
      ) &&
      !/\b(?:summary|summari[sz]e|report|digest|notes|paragraph|bullets?|sentences?)\b/i.test(instruction),
  };
}

function countIn(pattern: RegExp, text: string): number | undefined {
  const found = pattern.exec(text)?.[1]?.toLowerCase();
  if (found === undefined) return undefined;
  const count = NUMBER_WORDS[found] ?? Number(found);
  return count > 0 ? count : undefined;
}
