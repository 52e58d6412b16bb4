import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { type CommonOptions, collect, newCommand, printJson, type Shell } from '../command.ts';
import { AppEndedError, EXIT } from '../errors.ts';
import { table } from '../output/table.ts';
import { nodeArguments, REPOSITORY } from '../repository.ts';
import { type DatabaseOptions, databaseUrlOf } from './database-url.ts';

/** One thing that was looked at. */
interface Finding {
  readonly check: string;
  readonly ok: boolean;
  /** What was found; what is wrong and the way out. */
  readonly detail: string;
  readonly differences?: readonly Difference[];
}
/** A fact that a row and its journal told differently. */
interface Difference {
  readonly runId: string;
  readonly path: string;
  readonly fact: string;
  readonly row?: unknown;
  readonly fold?: unknown;
}

/**
 * `pawl doctor`: looks at configuration, time constants, database, schema, queue, and whether rows are the fold of the
 * journal; changes nothing, unless it is to repair. The looking is done by the engine's own code, in a process of its own, so
 * that what is checked is what an engine with this environment would use. Exit code 1 when something is wrong.
 */
export const doctorCommand = (shell: Shell): Command =>
  newCommand('doctor', 'look for what is wrong: configuration, time constants, database, schema, queue, rows')
    .option('--database-url <url>', 'PostgreSQL (DATABASE_URL)')
    .option('--redis-url <url>', 'Redis for the queue (REDIS_URL)')
    .option('--repair', 'write rows anew from their journals where they differ, and ring forgotten doorbells')
    .option('--run <id>', 'look at the rows of this run only (may be repeated)', collect)
    .action(async (options: DoctorOptions) => {
      const env = {
        DATABASE_URL: await databaseUrlOf('doctor', options, shell.io),
        ...(options.redisUrl ? { REDIS_URL: options.redisUrl } : {}),
      };
      const words = [
        ...(options.repair ? ['--repair'] : []),
        ...(options.run ?? []).flatMap((runId) => ['--run', runId]),
      ];
      const findings = await examine(env, words);
      if (findings.some((finding) => !finding.ok)) shell.outcome.exitCode = EXIT.failed;
      if (options.json) return printJson(shell, findings);
      const { colours, out } = shell.io;
      const rows = findings.map(({ check, ok, detail }) => [
        ok ? colours.green('well') : colours.red('wrong'),
        check,
        detail,
      ]);
      out(table([{ head: '' }, { head: 'check' }, { head: 'found' }], rows, colours.dim));
      const differences = findings.flatMap((finding) => finding.differences ?? []);
      if (differences.length > 0) out(`\n${differenceTable(differences, colours.dim)}`);
    });

type DoctorOptions = CommonOptions &
  DatabaseOptions & { redisUrl?: string; repair?: boolean; run?: string[] };

/** What the rows said, and what the journal says; after a repair both say the latter. */
function differenceTable(differences: readonly Difference[], dim: (text: string) => string): string {
  return table(
    ['run', 'path', 'fact', 'in the row', 'by the journal'].map((head) => ({ head })),
    differences.map(({ runId, path, fact, row, fold }) => [runId, path, fact, shown(row), shown(fold)]),
    dim,
  );
}

const MOST_CHARACTERS = 60;

function shown(value: unknown): string {
  const text = value === undefined ? '–' : JSON.stringify(value);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text;
}

async function examine(env: Record<string, string>, words: readonly string[]): Promise<Finding[]> {
  const main = join(REPOSITORY, 'apps', 'engine', 'src', 'doctor-main.ts');
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [...nodeArguments(main), ...words], {
      env: { ...process.env, ...env },
      maxBuffer: 64 * 1024 * 1024,
    });
    return JSON.parse(stdout) as Finding[];
  } catch (cause) {
    const { stderr, message } = cause as { stderr?: string; message: string };
    throw new AppEndedError('doctor', (stderr || message).trim());
  }
}
