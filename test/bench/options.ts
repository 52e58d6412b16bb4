import { parseArgs } from 'node:util';
import { BACKENDS, type Backend } from './result.ts';

/** How a benchmark run was asked for. */
export interface BenchOptions {
  /** One JSON object on standard output instead of a table. */
  readonly json: boolean;
  /** Short rounds and small stores: the whole benchmark in less than a minute. */
  readonly quick: boolean;
  /** Names of workloads; empty: all. `raw` stands for the limits of the machine. */
  readonly only: readonly string[];
  readonly backends: readonly Backend[];
  readonly rounds: number;
}

/** Says in one sentence what is wrong with the arguments. */
export class BenchOptionsError extends Error {
  readonly code = 'bench_options_invalid';
}

/** @throws {BenchOptionsError} for an unknown argument, workload or backend */
export function readOptions(args: readonly string[], workloads: readonly string[]): BenchOptions {
  const { values } = parse(args);
  const only = list(values.only);
  const known = [...workloads, 'raw'];
  for (const name of only) {
    if (!known.includes(name))
      throw new BenchOptionsError(`--only: there is no workload ${name}; there are ${known.join(', ')}.`);
  }
  const backends = list(values.backend) as Backend[];
  for (const backend of backends) {
    if (!BACKENDS.includes(backend))
      throw new BenchOptionsError(`--backend is ${backend}; expected ${BACKENDS.join(' or ')}.`);
  }
  const rounds = Number(values.rounds ?? 3);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new BenchOptionsError(`--rounds is ${values.rounds}; expected a whole number from 1.`);
  return {
    json: values.json ?? false,
    quick: values.quick ?? false,
    only,
    backends: backends.length > 0 ? backends : BACKENDS,
    rounds,
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
        backend: { type: 'string' },
        rounds: { type: 'string' },
      },
    });
  } catch (error) {
    throw new BenchOptionsError((error as Error).message);
  }
}

const list = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
