import { runUntilSignal } from './main-process.ts';
import { runCli } from './run-cli.ts';

/** Resolves when the command is done; the process then ends with its exit code. */
export const main = (): Promise<void> => runUntilSignal((io) => runCli(process.argv.slice(2), io));
