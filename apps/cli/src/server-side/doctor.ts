import type { Command } from 'commander';
import { type CommonOptions, newCommand, type Shell } from '../command.ts';
import { type DatabaseOptions, databaseUrlOf } from './database-url.ts';

export const doctorCommand = (shell: Shell): Command =>
  newCommand('doctor', 'check')
    .option('--database-url <url>', 'PostgreSQL (DATABASE_URL)')
    .action(async (options: CommonOptions & DatabaseOptions) => {
      databaseUrlOf('doctor', options, shell.io);
    });
