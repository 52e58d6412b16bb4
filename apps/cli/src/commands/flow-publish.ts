import { ApiError, type Client } from '@pawl/api';
import type { Command } from 'commander';
import { type ClientOptions, clientFor, newClientCommand, printJson, type Shell } from '../command.ts';
import { shortVersion } from '../output/values.ts';
import { type FlowFile, printIssues, readFlowFile } from './flow-document.ts';

/** `pawl flow publish <files…>`: makes the flow when it is new; the same graph twice is the same version. */
export const flowPublish = (shell: Shell): Command =>
  newClientCommand('publish', 'publish flow files (YAML or JSON)')
    .argument('<files...>', 'flow files; - is standard input')
    .action(async (files: string[], options: ClientOptions) => {
      const client = clientFor(options, shell);
      const results = [];
      for (const name of files) {
        const file = await readFlowFile(name, shell.io);
        const published = await publishFile(client, file, shell, options);
        results.push({ file: name, ...published });
        if (options.json) continue;
        const { version, created } = published;
        const what = created ? shell.io.colours.green('published') : shell.io.colours.dim('unchanged');
        shell.io.out(`${what} ${version.flow} version ${version.number} (${shortVersion(version.id)})\n`);
      }
      if (options.json) printJson(shell, results);
    });

async function publishFile(client: Client, file: FlowFile, shell: Shell, options: ClientOptions) {
  try {
    return await client.publishFlow({ params: { flow: file.value.name }, body: file.value });
  } catch (error) {
    if (!options.json && error instanceof ApiError && error.code === 'flow_invalid') {
      printIssues(file, error.problem.issues ?? [], shell.io);
      delete error.problem.issues;
    }
    throw error;
  }
}
