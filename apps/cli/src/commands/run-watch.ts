import type { Client } from '@pawl/api';
import type { Command } from 'commander';
import type { Run } from '../api-types.ts';
import { type ClientOptions, clientFor, newClientCommand, printJson, type Shell } from '../command.ts';
import { jsonText } from '../output/json-text.ts';
import { runDetails } from '../output/run-details.ts';
import { exitCodeOf } from '../output/statuses.ts';
import { openProgressView, SILENT_VIEW } from '../watch/progress-view.ts';
import { watchRun } from '../watch/watch-run.ts';
import { RUN_ARGUMENT, resolveRunId } from './run-id.ts';

/** `pawl run watch <run>`: exits by the status of the run. */
export const runWatch = (shell: Shell): Command =>
  newClientCommand('watch', 'follow a run until it ends')
    .argument('<run>', RUN_ARGUMENT)
    .option('--until-waiting', 'stop too when the run waits for a person (exit code 8)')
    .action(async (named: string, options: ClientOptions & { untilWaiting?: boolean }) => {
      const client = clientFor(options, shell);
      const runId = await resolveRunId(client, named);
      return followAndPrint(client, runId, shell, {
        ...options,
        until: options.untilWaiting ? 'waiting' : 'end',
      });
    });

/** Follows a run with live progress, prints what came of it and sets the exit code. */
export async function followAndPrint(
  client: Client,
  runId: string,
  shell: Shell,
  options: { readonly json?: boolean; readonly until: 'end' | 'waiting' },
): Promise<void> {
  const { io } = shell;
  const view = options.json ? SILENT_VIEW : openProgressView(io);
  const run = await watchRun(client, runId, io, { until: options.until, view });
  shell.outcome.exitCode = exitCodeOf(run.status);
  if (options.json) return printJson(shell, run);
  io.out(`\n${runDetails(run, io)}${wayOut(run)}`);
  if (run.output !== undefined) io.out(`\n${io.colours.dim('output')}\n${jsonText(run.output)}\n`);
}

/** What the user can type when nothing goes on without them. */
export function wayOut(run: Run): string {
  if (run.waitingFor?.kind === 'budget')
    return `\nRaise its budget: pawl run budget ${run.id} with --cost-usd, --tokens, --model-calls or --wall-clock-ms\n`;
  if (run.waitingFor?.kind !== 'person') return '';
  return `\nSee what is asked: pawl inbox list --run ${run.id}\nThen: pawl inbox show <question>, and pawl inbox answer <question> <decision>\n`;
}
