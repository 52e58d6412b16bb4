import { parseArgs } from 'node:util';

/** Numbers of nodes of the generated flows. */
const SIZES = [50, 200, 1_000] as const;
export type FlowSize = (typeof SIZES)[number];

/** How the benchmark of the designer was asked for. */
export interface DesignerBenchOptions {
  /** One JSON object on standard output instead of tables. */
  readonly json: boolean;
  /** One round with fewer movements. */
  readonly quick: boolean;
  /** Names of measures; empty: all. */
  readonly only: readonly string[];
  readonly sizes: readonly FlowSize[];
  readonly rounds: number;
}

/** Says in one sentence what is wrong with the arguments. */
export class DesignerBenchOptionsError extends Error {
  readonly code = 'bench_options_invalid';
}

/** @throws {DesignerBenchOptionsError} for an unknown argument, measure or size */
export function readOptions(args: readonly string[], measures: readonly string[]): DesignerBenchOptions {
  const { only, sizes, rounds, json = false, quick = false } = parse(args);
  const chosen = list(only);
  for (const name of chosen)
    if (!measures.includes(name))
      throw new DesignerBenchOptionsError(
        `--only: there is no measure ${name}; there are ${measures.join(', ')}.`,
      );
  const wanted = list(sizes).map(Number);
  const unknown = wanted.find((size) => !SIZES.includes(size as FlowSize));
  if (unknown !== undefined)
    throw new DesignerBenchOptionsError(`--sizes names ${unknown}; expected ${SIZES.join(', ')}.`);
  const count = Number(rounds ?? (quick ? 1 : 3));
  if (!Number.isInteger(count) || count < 1)
    throw new DesignerBenchOptionsError(`--rounds is ${rounds}; expected a whole number from 1.`);
  return {
    json,
    quick,
    only: chosen,
    sizes: wanted.length > 0 ? (wanted as FlowSize[]) : SIZES,
    rounds: count,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        json: { type: 'boolean' },
        quick: { type: 'boolean' },
        only: { type: 'string' },
        sizes: { type: 'string' },
        rounds: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new DesignerBenchOptionsError((error as Error).message);
  }
}

const list = (text = ''): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
