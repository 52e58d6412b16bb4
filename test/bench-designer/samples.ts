import { median, spread } from '../bench/result.ts';

/** `ours`: the designer. `bare`: a page with React Flow alone, and the same graph. */
export const SIDES = ['ours', 'bare'] as const;
export type Side = (typeof SIDES)[number];

/** What one side of one round gave. Milliseconds; `details` are figures behind it, with the unit in their names. */
export interface Sample {
  readonly value: number;
  readonly details?: Readonly<Record<string, number>>;
}

/** What is aimed at: at most so many times what bare React Flow takes, or at most so many milliseconds. */
export type Aim = { readonly ratio: number } | { readonly ms: number };

/** Something that is measured, in plain words. */
export interface Measured {
  readonly name: string;
  /** Absent: of no generated flow. */
  readonly size?: number;
  readonly what: string;
  readonly aim?: Aim | undefined;
}

/** The figure of one measure: the medians of all rounds, and how they compare. */
export interface Figure extends Measured {
  readonly ours: Spread;
  /** Absent: bare React Flow has nothing like it. */
  readonly bare?: Spread;
  /** Median of the ratios of the rounds; absent without `bare`. */
  readonly ratio?: number;
  /** Absent: nothing is aimed at. */
  readonly isMet?: boolean;
}

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly rounds: number;
  /** Medians. */
  readonly details?: Readonly<Record<string, number>>;
}

/** Gathers samples round by round, and makes figures of them. */
export class Samples {
  readonly #all = new Map<string, { readonly measured: Measured; readonly of: Record<Side, Sample[]> }>();

  add(measured: Measured, side: Side, sample: Sample): void {
    if (!Number.isFinite(sample.value)) throw new Error(`${measured.name} gave ${sample.value} on ${side}.`);
    const key = `${measured.name} ${measured.size ?? ''}`;
    let known = this.#all.get(key);
    if (!known) {
      known = { measured, of: { ours: [], bare: [] } };
      this.#all.set(key, known);
    }
    known.of[side].push(sample);
  }

  figures(): Figure[] {
    return [...this.#all.values()].map(({ measured, of }) => figureOf(measured, of));
  }
}

/**
 * @param of the samples of each side, in the order of the rounds
 * @returns the figure; its ratio compares what was measured side by side, so that what disturbed a whole round disturbs it less
 */
export function figureOf(
  measured: Measured,
  { ours, bare }: Readonly<Record<Side, readonly Sample[]>>,
): Figure {
  const figure = { ...measured, ours: spreadOf(ours) };
  const ratio =
    bare.length > 0 ? median(ours.map(({ value }, round) => value / bare[round]!.value)) : undefined;
  const { aim } = measured;
  return {
    ...figure,
    ...(ratio !== undefined && { bare: spreadOf(bare), ratio }),
    ...(aim && {
      isMet: 'ms' in aim ? figure.ours.median <= aim.ms : ratio !== undefined && ratio <= aim.ratio,
    }),
  };
}

function spreadOf(samples: readonly Sample[]): Spread {
  const names = Object.keys(samples[0]?.details ?? {});
  const details = Object.fromEntries(
    names.map((name) => [name, median(samples.map((sample) => sample.details?.[name] ?? Number.NaN))]),
  );
  return { ...spread(samples.map(({ value }) => value)), ...(names.length > 0 && { details }) };
}

/** The value that `share` of all values do not pass; 0 without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
