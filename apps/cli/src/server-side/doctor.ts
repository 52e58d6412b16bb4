import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { type CommonOptions, newCommand, printJson, type Shell } from '../command.ts';
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
}

/**
 * `pawl doctor`: looks at configuration, time constants, database, schema, queue, and whether rows are the fold of the
 * journal; changes nothing. The looking is done by the engine's own code, in a process of its own, so that what is checked
 * is what an engine with this environment would use. Exit code 1 when something is wrong.
 */
export const doctorCommand = (shell: Shell): Command =>
  newCommand('doctor', 'look for what is wrong: configuration, time constants, database, schema, queue, rows')
    .option('--database-url <url>', 'PostgreSQL (DATABASE_URL)')
    .option('--redis-url <url>', 'Redis for the queue (REDIS_URL)')
    .action(async (options: CommonOptions & DatabaseOptions & { redisUrl?: string }) => {
      const findings = await examine({
        DATABASE_URL: await databaseUrlOf('doctor', options, shell.io),
        ...(options.redisUrl ? { REDIS_URL: options.redisUrl } : {}),
      });
      if (findings.some((finding) => !finding.ok)) shell.outcome.exitCode = EXIT.failed;
      if (options.json) return printJson(shell, findings);
      const { colours, out } = shell.io;
      const rows = findings.map(({ check, ok, detail }) => [
        ok ? colours.green('well') : colours.red('wrong'),
        check,
        detail,
      ]);
      out(table([{ head: '' }, { head: 'check' }, { head: 'found' }], rows, colours.dim));
    });

async function examine(env: Record<string, string>): Promise<Finding[]> {
  const main = join(REPOSITORY, 'apps', 'engine', 'src', 'doctor-main.ts');
  try {
    const { stdout } = await promisify(execFile)(process.execPath, nodeArguments(main), {
      env: { ...process.env, ...env },
      maxBuffer: 64 * 1024 * 1024,
    });
    return JSON.parse(stdout) as Finding[];
  } catch (cause) {
    const { stderr, message } = cause as { stderr?: string; message: string };
    throw new AppEndedError('doctor', (stderr || message).trim());
  }
}
