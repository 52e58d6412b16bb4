import { CommanderError } from 'commander';
import type { Outcome } from './command.ts';
import { EXIT, type ExitCode } from './errors.ts';
import type { Io } from './io.ts';
import { buildProgram } from './program.ts';
import { describeFailure, reportFailure } from './report-failure.ts';

/**
 * Runs one command line.
 *
 * @param words  without the name of the program
 * @returns the exit code; never throws
 */
export async function runCli(words: readonly string[], io: Io): Promise<ExitCode> {
  const outcome: Outcome = { exitCode: EXIT.ok };
  try {
    await buildProgram({ io, outcome }).parseAsync([...words], { from: 'user' });
    return outcome.exitCode;
  } catch (error) {
    const failed = describeFailure(error);
    if (!failed) return EXIT.ok;
    const json = words.includes('--json');
    // Commander has told its own errors already, in words.
    if (json || !(error instanceof CommanderError)) {
      reportFailure(failed, error, { io, json, verbose: words.includes('--verbose') });
    }
    return failed.exitCode;
  }
}
