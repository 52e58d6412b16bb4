import type { Command } from 'commander';
import { type ClientOptions, clientFor, newClientCommand, printJson, type Shell } from '../command.ts';
import { EXIT } from '../errors.ts';
import { plural, shortVersion } from '../output/values.ts';
import { printIssues, readFlowFile } from './flow-document.ts';

/** `pawl flow validate <files…>`: every problem of each file; exit code 5 when there is one. */
export const flowValidate = (shell: Shell): Command =>
  newClientCommand('validate', 'list every problem of flow files (YAML or JSON) without storing them')
    .argument('<files...>', 'flow files; - is standard input')
    .action(async (files: string[], options: ClientOptions) => {
      const client = clientFor(options, shell);
      const results = [];
      for (const name of files) {
        const file = await readFlowFile(name, shell.io);
        const { valid, issues, versionId } = await client.validateFlow({ body: file.value });
        const placed = issues.map((issue) => ({ ...issue, place: file.placeOf(issue.pointer) }));
        results.push({ file: name, valid, issues: placed, ...(versionId ? { versionId } : {}) });
        if (!valid) shell.outcome.exitCode = EXIT.refused;
        if (options.json) continue;
        printIssues(file, issues, shell.io);
        const { green, red } = shell.io.colours;
        const verdict = versionId
          ? `${green('valid')} ${name} (version ${shortVersion(versionId)})`
          : `${red('invalid')} ${name}: ${plural(issues.length, 'problem')}`;
        shell.io.out(`${verdict}\n`);
      }
      if (options.json) printJson(shell, results);
    });
