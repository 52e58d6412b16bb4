import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { stringify } from 'yaml';
import { type ClientOptions, clientFor, newClientCommand, type Shell } from '../command.ts';
import { FileError } from '../errors.ts';

interface ExportOptions extends ClientOptions {
  readonly versionId?: string;
  readonly format?: 'yaml' | 'json';
  readonly output?: string;
}

/** `pawl flow export <flow>`: the document alone, so that it can be kept in git and published again. */
export const flowExport = (shell: Shell): Command =>
  newClientCommand('export', 'print the document of a flow, or write it to a file')
    .argument('<flow>')
    .option('--version-id <id>', 'a certain version instead of the draft')
    .addOption(
      new Option('--format <format>', 'default: by the name of the file, else yaml').choices([
        'yaml',
        'json',
      ]),
    )
    .option('-o, --output <file>')
    .action(async (flow: string, options: ExportOptions) => {
      const query = options.versionId ? { version: options.versionId } : {};
      const document = await clientFor(options, shell).exportFlow({ params: { flow }, query });
      const text = formatOf(options) === 'json' ? `${JSON.stringify(document, null, 2)}\n` : toYaml(document);
      if (!options.output) return shell.io.out(text);
      try {
        await writeFile(resolve(shell.io.cwd, options.output), text);
      } catch (cause) {
        throw new FileError('write', options.output, cause);
      }
    });

function formatOf(options: ExportOptions): 'yaml' | 'json' {
  if (options.format) return options.format;
  return options.json || options.output?.endsWith('.json') ? 'json' : 'yaml';
}

const toYaml = (document: unknown): string =>
  // No aliases: a flow is read by other tools too.
  stringify(document, { lineWidth: 110, aliasDuplicateObjects: false });
