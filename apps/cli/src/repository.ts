import { fileURLToPath } from 'node:url';

/** The root folder of this repository; apps and examples are found from here. */
export const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

/** Arguments of `node` that run a TypeScript main of ours, from any working folder. */
export const nodeArguments = (main: string): string[] => ['--import', import.meta.resolve('tsx'), main];
