import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of this repository; apps and examples are found from here. */
export const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

/** Arguments of `node` that run a TypeScript main of ours, from any working folder. */
export const nodeArguments = (main: string): string[] => [
  // Room for what lives for one commit only; with Node's default a fifth of a busy worker's time goes into collecting it.
  '--max-semi-space-size=64',
  join(REPOSITORY, 'scripts', 'run.js'),
  main,
];
