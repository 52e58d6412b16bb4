import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { Shell } from './command.ts';
import { artifactCommand } from './commands/artifact.ts';
import { effectsCommand } from './commands/effects.ts';
import { flowCommand } from './commands/flow.ts';
import { inboxCommand } from './commands/inbox.ts';
import { limitsCommand } from './commands/limits.ts';
import { runCommand } from './commands/run.ts';
import { scheduleCommand } from './commands/schedule.ts';
import { signalCommand } from './commands/signal.ts';
import { modelCommand, toolCommand } from './commands/tool.ts';
import { webhookCommand } from './commands/webhook.ts';
import { whoamiCommand } from './commands/whoami.ts';
import { devCommand } from './dev/dev-command.ts';
import { appCommand } from './server-side/app-command.ts';
import { doctorCommand } from './server-side/doctor.ts';
import { keyCommand } from './server-side/key.ts';
import { migrateCommand } from './server-side/migrate.ts';
import { userCommand } from './server-side/user.ts';

const HELP_END = `
Exit codes: 0 well · 1 failed · 2 usage · 3 no engine answers · 4 not found · 5 refused · 6 key · 7 conflict
8 waits for a person · 130 interrupted. More in docs/guide/cli.md.`;

/** The whole command line. */
export function buildProgram(shell: Shell): Command {
  const program = new Command('pawl')
    .description('Durable flows that mix language models with tools that change the world.')
    .version(releaseOf(), '-V, --version')
    .addHelpText('after', HELP_END)
    .showHelpAfterError('(add --help for the options)')
    .addCommand(devCommand(shell))
    .addCommand(appCommand('engine', shell))
    .addCommand(appCommand('worker', shell))
    .addCommand(migrateCommand(shell))
    .addCommand(flowCommand(shell))
    .addCommand(runCommand(shell))
    .addCommand(scheduleCommand(shell))
    .addCommand(webhookCommand(shell))
    .addCommand(artifactCommand(shell))
    .addCommand(effectsCommand(shell))
    .addCommand(inboxCommand(shell))
    .addCommand(signalCommand(shell))
    .addCommand(limitsCommand(shell))
    .addCommand(toolCommand(shell))
    .addCommand(modelCommand(shell))
    .addCommand(whoamiCommand(shell))
    .addCommand(userCommand(shell))
    .addCommand(keyCommand(shell))
    .addCommand(doctorCommand(shell));
  settle(program, shell);
  return program;
}

/** Commander prints and ends the process by itself unless told otherwise, for each command. */
function settle(command: Command, shell: Shell): void {
  const { io } = shell;
  command.exitOverride();
  command.configureOutput({
    writeOut: io.out,
    writeErr: io.err,
    getOutHelpWidth: io.columns,
    getErrHelpWidth: io.columns,
    outputError: (text, write) => write(text.replace(/^error: /, `${io.colours.red('error')} `)),
  });
  for (const child of command.commands) settle(child, shell);
}

function releaseOf(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
