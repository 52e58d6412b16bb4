import type { Command } from 'commander';
import { type ClientOptions, clientFor, newClientCommand, printJson, type Shell } from '../command.ts';

/** `pawl whoami`: whom the engine takes this command line for. */
export const whoamiCommand = (shell: Shell): Command =>
  newClientCommand('whoami', 'tell as whom the engine knows you, and what you may').action(
    async (options: ClientOptions) => {
      const me = await clientFor(options, shell).whoAmI();
      if (options.json) return printJson(shell, me);
      shell.io.out(`${me.by}: ${me.role} of workspace ${me.workspace.name}\n`);
    },
  );
