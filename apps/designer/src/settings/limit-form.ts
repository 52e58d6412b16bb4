import { isLimitTarget } from '@pawl/dag-core';

/** Units of the window that a person chooses from, in milliseconds. */
export const WINDOW_UNITS = { second: 1_000, minute: 60_000, hour: 3_600_000 } as const;
export type WindowUnit = keyof typeof WINDOW_UNITS;

/** A limit as it stands in the fields of its form: texts as they were typed. */
export interface LimitFields {
  readonly target: string;
  readonly concurrency: string;
  readonly requests: string;
  readonly tokens: string;
  readonly window: string;
  readonly unit: WindowUnit;
}

/** What the API has of a limit. */
interface SetLimit {
  readonly target: string;
  readonly concurrency?: number | undefined;
  readonly requests?: number | undefined;
  readonly tokens?: number | undefined;
  readonly windowMs?: number | undefined;
}

type Count = 'concurrency' | 'requests' | 'tokens';
export const COUNTS = ['concurrency', 'requests', 'tokens'] as const satisfies readonly Count[];

/** What is wrong, by field; `nothing`: no number is given at all. */
export type LimitProblem = { readonly field: keyof LimitFields | 'nothing' };

export const NEW_LIMIT: LimitFields = {
  target: '',
  concurrency: '',
  requests: '',
  tokens: '',
  window: '1',
  unit: 'minute',
};

/** A limit in the fields of its form, its window in the largest unit that is whole. */
export function fieldsOf({
  target,
  concurrency,
  requests,
  tokens,
  windowMs = 60_000,
}: SetLimit): LimitFields {
  const text = (count: number | undefined) => (count === undefined ? '' : String(count));
  const unit = (['hour', 'minute', 'second'] as const).find((each) => windowMs % WINDOW_UNITS[each] === 0);
  const chosen = unit ?? 'second';
  return {
    target,
    concurrency: text(concurrency),
    requests: text(requests),
    tokens: text(tokens),
    window: String(windowMs / WINDOW_UNITS[chosen]),
    unit: chosen,
  };
}

/** The limit that fields say, or what of them is wrong. The API has the last word. */
export function limitOf(
  fields: LimitFields,
): { readonly limit: SetLimit } | { readonly problems: LimitProblem[] } {
  const target = fields.target.trim();
  const counts = COUNTS.map((name) => [name, countOf(fields[name])] as const);
  const windowMs = Number(fields.window) * WINDOW_UNITS[fields.unit];
  const isPerWindow = fields.requests.trim() !== '' || fields.tokens.trim() !== '';
  const problems: LimitProblem[] = [
    ...(isLimitTarget(target) ? [] : [{ field: 'target' as const }]),
    ...counts.flatMap(([field, count]) => (count === 'wrong' ? [{ field }] : [])),
    ...(isPerWindow && !(windowMs >= 100 && windowMs <= 86_400_000) ? [{ field: 'window' as const }] : []),
    ...(counts.every(([, count]) => count === undefined) ? [{ field: 'nothing' as const }] : []),
  ];
  if (problems.length > 0) return { problems };
  return {
    limit: {
      target,
      ...Object.fromEntries(counts.filter(([, count]) => count !== undefined)),
      ...(isPerWindow && { windowMs: Math.round(windowMs) }),
    },
  };
}

function countOf(text: string): number | undefined | 'wrong' {
  if (text.trim() === '') return undefined;
  const count = Number(text);
  return Number.isInteger(count) && count >= 1 && count <= 1_000_000_000 ? count : 'wrong';
}
