// Rules kept here: Z1 what a cron expression says.

/** A cron expression that was read: the values that each field lets through, in order. */
export interface CronRule {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: readonly number[];
  readonly months: readonly number[];
  /** 0 is Sunday. */
  readonly weekdays: readonly number[];
}

interface Field {
  readonly key: keyof CronRule;
  readonly called: string;
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const FIELDS: readonly Field[] = [
  { key: 'minutes', called: 'minute', least: 0, most: 59 },
  { key: 'hours', called: 'hour', least: 0, most: 23 },
  { key: 'days', called: 'day of the month', least: 1, most: 31 },
  { key: 'months', called: 'month', least: 1, most: 12, names: MONTHS },
  { key: 'weekdays', called: 'day of the week', least: 0, most: 7, names: WEEKDAYS },
];

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

/** Longest expression that is read. */
const MOST_CHARACTERS = 500;
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Reads a cron expression (Z1).
 *
 * @returns the rule, or the problem as a sentence that names the field
 * @example parseCron('30 2 * * mon-fri') // { rule: { minutes: [30], hours: [2], … } }
 */
export function parseCron(
  text: string,
):
  | { readonly rule: CronRule; readonly problem?: undefined }
  | { readonly rule?: undefined; readonly problem: string } {
  if (text.length > MOST_CHARACTERS)
    return { problem: `A cron expression has at most ${MOST_CHARACTERS} characters` };
  const plain = text.trim().toLowerCase();
  if (plain.startsWith('@') && !ALIASES.has(plain))
    return {
      problem: `There is no ${plain}; expected one of ${[...ALIASES.keys()].join(', ')}, or five fields`,
    };
  const words = (ALIASES.get(plain) ?? plain).split(/\s+/);
  if (words.length !== FIELDS.length || words[0] === '') {
    const count = words[0] === '' ? 0 : words.length;
    const hint = count === 6 ? '; seconds cannot be given' : '';
    return {
      problem: `Expected five fields (minute, hour, day of the month, month, day of the week), not ${count}${hint}`,
    };
  }
  const read: Partial<Record<keyof CronRule, readonly number[]>> = {};
  for (const [at, field] of FIELDS.entries()) {
    const values = parseField(words[at]!, field);
    if (typeof values === 'string') return { problem: values };
    read[field.key] = values;
  }
  const rule = read as CronRule;
  return canFire(rule) ? { rule } : { problem: 'No year has such a day, so it would never fire' };
}

function parseField(word: string, field: Field): readonly number[] | string {
  const values = new Set<number>();
  for (const part of word.split(',')) {
    const range = parsePart(part, field);
    if (!range) return `"${part}" is no ${field.called}: expected ${expected(field)}`;
    for (let value = range.from; value <= range.to; value += range.step)
      values.add(field.key === 'weekdays' ? value % 7 : value);
  }
  return [...values].sort((a, b) => a - b);
}

/** `*`, `5`, `1-5`, each also with a step: `*` `/15`, `1-30/2`, `5/10` (from 5 to the end). */
function parsePart(part: string, field: Field): { from: number; to: number; step: number } | undefined {
  const [, first, last, step] = /^(\*|\w+)(?:-(\w+))?(?:\/(\d{1,4}))?$/.exec(part) ?? [];
  if (first === undefined || (first === '*' && last !== undefined)) return undefined;
  const stepBy = step === undefined ? 1 : Number(step);
  const end = field.key === 'weekdays' && first === '*' ? 6 : field.most;
  const from = first === '*' ? field.least : numberOf(first, field);
  const to =
    first === '*' || (last === undefined && step !== undefined) ? end : numberOf(last ?? first, field);
  if (from === undefined || to === undefined || stepBy < 1) return undefined;
  // Friday to Sunday: the week may end with its other name, 7.
  const until = field.key === 'weekdays' && to === 0 && from > 0 && last !== undefined ? 7 : to;
  return from <= until ? { from, to: until, step: stepBy } : undefined;
}

function numberOf(word: string, { least, most, names }: Field): number | undefined {
  const named = names?.indexOf(word) ?? -1;
  if (named >= 0) return named + least;
  if (!/^\d{1,2}$/.test(word)) return undefined;
  const value = Number(word);
  return value >= least && value <= most ? value : undefined;
}

function expected({ least, most, names }: Field): string {
  const words = names ? ` or ${names[0]} to ${names.at(-1)}` : '';
  return `${least} to ${most}${words}, a range such as ${least}-${most}, * for all, any of them with a step such as */${least + 2}, or several with commas`;
}

const isWhole = (values: readonly number[], count: number): boolean => values.length === count;

/** True when the hours are not restricted: the rule then goes by the running clock, and not by the date (Z3). */
export const isEveryHour = ({ hours }: CronRule): boolean => isWhole(hours, 24);

/** True when a rule names a local date, given as UTC would show it at midnight (Z2). */
export function isOnDate(rule: CronRule, localDay: number): boolean {
  const date = new Date(localDay);
  if (!rule.months.includes(date.getUTCMonth() + 1)) return false;
  const isDay = rule.days.includes(date.getUTCDate());
  const isWeekday = rule.weekdays.includes(date.getUTCDay());
  if (isWhole(rule.days, 31)) return isWeekday;
  if (isWhole(rule.weekdays, 7)) return isDay;
  return isDay || isWeekday;
}

function canFire({ days, months, weekdays }: CronRule): boolean {
  if (!isWhole(weekdays, 7)) return true; // every month has every day of the week
  return months.some((month) => days[0]! <= DAYS_IN_MONTH[month - 1]!);
}
