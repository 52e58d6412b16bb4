import type { Command } from 'commander';
import { type ClientOptions, clientFor, newClientCommand, printJson, type Shell } from '../command.ts';

/** `pawl flow pause <flow>`: it starts no runs, whoever asks; runs that exist go on. */
export const flowPause = (shell: Shell): Command =>
  newClientCommand('pause', 'let a flow start no runs; those that exist go on')
    .argument('<flow>')
    .action(async (flow: string, options: ClientOptions) => {
      const paused = await clientFor(options, shell).pauseFlow({ params: { flow } });
      if (options.json) return printJson(shell, paused);
      shell.io.out(`${flow} starts no runs since ${paused.pausedAt} (${paused.pausedBy})\n`);
    });

/** `pawl flow resume <flow>`: it starts runs again. */
export const flowResume = (shell: Shell): Command =>
  newClientCommand('resume', 'let a flow start runs again')
    .argument('<flow>')
    .action(async (flow: string, options: ClientOptions) => {
      const resumed = await clientFor(options, shell).resumeFlow({ params: { flow } });
      if (options.json) return printJson(shell, resumed);
      shell.io.out(`${flow} starts runs again\n`);
    });
