import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { stringify } from 'yaml';
import {
  type ClientOptions,
  clientFor,
  instant,
  newClientCommand,
  printJson,
  type Shell,
} from '../command.ts';
import { FileError } from '../errors.ts';
import { plural } from '../output/values.ts';
import { readDocument } from '../read-document.ts';

/** `pawl schedule backfill <name>`: the slots of a past range, each once. */
export const scheduleBackfill = (shell: Shell): Command =>
  newClientCommand('backfill', 'run the slots of a past range, each once')
    .argument('<name>')
    .requiredOption('--from <instant>', 'first instant of the range (ISO 8601)', instant)
    .requiredOption('--until <instant>', 'last instant of the range (ISO 8601)', instant)
    .action(async (name: string, options: ClientOptions & { from: string; until: string }) => {
      const { from, until } = options;
      const done = await clientFor(options, shell).backfillSchedule({
        params: { schedule: name },
        body: { from, until },
      });
      if (options.json) return printJson(shell, done);
      const there = done.alreadyThere > 0 ? `, ${done.alreadyThere} had run or were waiting` : '';
      shell.io.out(`${plural(done.queued, 'slot')} to run${there}\n`);
    });

interface ExportOptions extends ClientOptions {
  readonly flow?: string;
  readonly output?: string;
}

/** `pawl schedule export`: YAML, or JSON with `--json` or a file of that name. */
export const scheduleExport = (shell: Shell): Command =>
  newClientCommand('export', 'write schedules as a file that can be imported')
    .option('--flow <flow>', 'schedules of one flow')
    .option('-o, --output <file>')
    .action(async (options: ExportOptions) => {
      const query = options.flow === undefined ? {} : { flow: options.flow };
      const file = await clientFor(options, shell).exportSchedules({ query });
      const isJson = options.json || options.output?.endsWith('.json');
      const text = isJson
        ? `${JSON.stringify(file, null, 2)}\n`
        : stringify(file, { aliasDuplicateObjects: false });
      if (!options.output) return shell.io.out(text);
      try {
        await writeFile(resolve(shell.io.cwd, options.output), text);
      } catch (cause) {
        throw new FileError('write', options.output, cause);
      }
    });

/** `pawl schedule import <file>`: all or none, each switched off. */
export const scheduleImport = (shell: Shell): Command =>
  newClientCommand('import', 'make the schedules of a file, each switched off')
    .argument('<file>', 'as "schedule export" writes it; - is standard input')
    .action(async (file: string, options: ClientOptions) => {
      const { value } = await readDocument(file, shell.io);
      // The server checks it and names every place.
      const { items } = await clientFor(options, shell).importSchedules({ body: value as never });
      if (options.json) return printJson(shell, items);
      for (const { name } of items) shell.io.out(`${name} ${shell.io.colours.dim('off')}\n`);
      shell.io.err('They are switched off: "pawl schedule resume <name>" switches one on.\n');
    });
