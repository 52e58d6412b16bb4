import type { Command } from 'commander';
import { newCommand, type Shell, wholeNumber } from '../command.ts';
import { DEFAULT_PORT } from '../connection.ts';
import { type DevOptions, runDev } from './dev.ts';
import { realParts } from './dev-parts.ts';

/** `pawl dev`, which is also `npm start`. */
export const devCommand = (shell: Shell): Command =>
  newCommand(
    'dev',
    'everything on this machine: database, engine, workers, examples; the same as "npm start"',
  )
    .option('--once', 'end after the main example: exit code 0 when it succeeded, else 1')
    .option(
      '--port <port>',
      `port of the engine (default: ${DEFAULT_PORT}, or a free one)`,
      wholeNumber(0, 65_535),
    )
    .option('--data <folder>', 'where database, logs and output are kept', '.pawl')
    .option('--workers <count>', 'worker processes', wholeNumber(0, 64), 1)
    .option('--example <name>', 'the example to run, with the services it needs (default: document-digest)')
    .option('--no-demo', 'do not publish the examples nor run the main one')
    .addHelpText('after', '\nDATABASE_URL and REDIS_URL are used when they are set.')
    .action(async (options: DevOptions) => runDev(options, shell, await realParts()));
