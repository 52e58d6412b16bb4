import type { Command } from 'commander';
import { type CommonOptions, newCommand, printJson, type Shell } from '../command.ts';
import { type DatabaseOptions, databaseUrlOf } from './database-url.ts';

/** `pawl migrate`: brings the schema of the database to this release. Safe to start several times at once. */
export const migrateCommand = (shell: Shell): Command =>
  newCommand('migrate', 'bring the schema of the database to this release')
    .option('--database-url <url>', 'PostgreSQL (DATABASE_URL)')
    .action(async (options: CommonOptions & DatabaseOptions) => {
      const url = await databaseUrlOf('migrate', options, shell.io);
      // Loaded when needed: the mapper behind it takes longer to load than most commands take.
      const { migrate } = await import('@pawl/run-store');
      const { applied } = await migrate(url, {
        log: (line) => options.json || shell.io.out(`${line}\n`),
      });
      if (options.json) return printJson(shell, { applied });
      shell.io.out(applied.length > 0 ? `Schema is up to date.\n` : `Schema was up to date already.\n`);
    });
