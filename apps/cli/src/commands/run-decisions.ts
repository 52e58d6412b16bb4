import { type Command, Option } from 'commander';
import type { RunSummary } from '../api-types.ts';
import { type ClientOptions, clientFor, newClientCommand, printJson, type Shell } from '../command.ts';
import { UsageError } from '../errors.ts';
import { paintStatus } from '../output/statuses.ts';
import { waitingWords } from '../output/waiting.ts';
import { parseJsonText } from '../read-document.ts';
import { addBudgetOptions, type BudgetOptions, budgetOf } from './budget-options.ts';
import { RUN_ARGUMENT, resolveRunId } from './run-id.ts';
import { followAndPrint } from './run-watch.ts';

interface CancelOptions extends ClientOptions {
  readonly reason?: string;
  readonly compensate?: boolean;
  readonly watch?: boolean;
}

/** `pawl run cancel <run>`: asks; running effects end first. Asking twice is harmless. */
export const runCancel = (shell: Shell): Command =>
  newClientCommand('cancel', 'ask to cancel a run')
    .argument('<run>', RUN_ARGUMENT)
    .option('--reason <text>', 'recorded in the journal')
    .option('--compensate', 'undo completed effects, the last first')
    .option('-w, --watch', 'wait until it is cancelled')
    .action(async (named: string, options: CancelOptions) => {
      const client = clientFor(options, shell);
      const runId = await resolveRunId(client, named);
      const { reason, compensate } = options;
      const body = { ...(reason && { reason }), ...(compensate && { compensate }) };
      const run = await client.cancelRun({ params: { runId }, ...(reason || compensate ? { body } : {}) });
      if (options.watch) return followAndPrint(client, runId, shell, { ...options, until: 'end' });
      printRun(shell, run, options);
    });

interface SettleOptions extends ClientOptions {
  readonly path: string;
  readonly verdict: 'happened' | 'did_not_happen' | 'adopt' | 'compensate' | 'skip' | 'fail';
  readonly output?: string;
  readonly reason?: string;
}

/** `pawl run settle <run>`: decides about an effect that may have happened, or a paused failure. The first decision wins. */
export const runSettle = (shell: Shell): Command =>
  newClientCommand('settle', 'decide about an uncertain or paused node run')
    .argument('<run>', RUN_ARGUMENT)
    .requiredOption('-p, --path <path>', 'the node run')
    .addOption(
      new Option('--verdict <verdict>', 'what happened, or what to do')
        .choices(['happened', 'did_not_happen', 'adopt', 'compensate', 'skip', 'fail'])
        .makeOptionMandatory(),
    )
    .option('--output <JSON>', 'with "happened" or "compensate": what the effect answered')
    .option('--reason <text>', 'with "fail": recorded in the journal')
    .action(async (named: string, options: SettleOptions) => {
      const body = settlementOf(options);
      const client = clientFor(options, shell);
      const runId = await resolveRunId(client, named);
      const node = await client.settleNodeRun({ params: { runId }, query: { path: options.path }, body });
      if (options.json) return printJson(shell, node);
      shell.io.out(`${node.path} ${paintStatus(node.status, shell.io.colours)}\n`);
    });

function settlementOf({ verdict, output, reason }: SettleOptions) {
  if (output !== undefined && verdict !== 'happened' && verdict !== 'compensate')
    throw new UsageError('--output goes with --verdict happened and compensate only.');
  if (reason !== undefined && verdict !== 'fail')
    throw new UsageError('--reason goes with --verdict fail only.');
  switch (verdict) {
    case 'happened':
      if (output === undefined) {
        throw new UsageError(
          '--verdict happened needs --output with what the effect answered, as JSON ("null" if nothing).',
        );
      }
      return { verdict, output: parseJsonText('The output', output) };
    case 'fail':
      return { verdict, ...(reason ? { reason } : {}) };
    case 'compensate':
      return { verdict, ...(output === undefined ? {} : { output: parseJsonText('The output', output) }) };
    case 'did_not_happen':
    case 'adopt':
    case 'skip':
      return { verdict };
  }
}

/** `pawl run pause <run>`: nothing more starts until it is resumed. */
export const runPause = (shell: Shell): Command =>
  newClientCommand('pause', 'hold a run up: what is under way ends, nothing more starts')
    .argument('<run>', RUN_ARGUMENT)
    .option('--reason <text>', 'recorded in the journal')
    .action(async (named: string, options: ClientOptions & { reason?: string }) => {
      const client = clientFor(options, shell);
      const runId = await resolveRunId(client, named);
      const { reason } = options;
      const run = await client.pauseRun({ params: { runId }, ...(reason ? { body: { reason } } : {}) });
      printRun(shell, run, options);
    });

/** `pawl run resume <run>`: lets a paused run go on. */
export const runResume = (shell: Shell): Command =>
  newClientCommand('resume', 'let a run go on that was paused')
    .argument('<run>', RUN_ARGUMENT)
    .action(async (named: string, options: ClientOptions) => {
      const client = clientFor(options, shell);
      const runId = await resolveRunId(client, named);
      printRun(shell, await client.resumeRun({ params: { runId } }), options);
    });

interface RetryOptions extends ClientOptions {
  readonly path?: string;
  readonly args?: string;
  readonly watch?: boolean;
}

/** `pawl run retry <run>`: everything that is paused on a failure, or one node run. */
export const runRetry = (shell: Shell): Command =>
  newClientCommand('retry', 'retry what is paused on a failure')
    .argument('<run>', RUN_ARGUMENT)
    .option('-p, --path <path>', 'one node run only')
    .option('--args <JSON>', 'with --path: what to try it with, as a whole, instead of what it had')
    .option('-w, --watch', 'follow the run afterwards')
    .action(async (named: string, options: RetryOptions) => {
      const { path } = options;
      if (options.args !== undefined && path === undefined)
        throw new UsageError('--args are for one node run: name it with --path.');
      const args = options.args === undefined ? {} : { args: parseJsonText('The arguments', options.args) };
      const client = clientFor(options, shell);
      const runId = await resolveRunId(client, named);
      const run = await client.retryRun({ params: { runId }, ...(path ? { body: { path, ...args } } : {}) });
      if (options.watch) return followAndPrint(client, runId, shell, { ...options, until: 'waiting' });
      printRun(shell, run, options);
    });

/** `pawl run budget <run>`: raises limits; a recorded decision that continues a blocked run. */
export const runBudget = (shell: Shell): Command =>
  addBudgetOptions(
    newClientCommand('budget', 'raise limits of a run').argument('<run>', RUN_ARGUMENT),
  ).action(async (named: string, options: ClientOptions & BudgetOptions) => {
    const limits = budgetOf(options);
    if (!limits) throw new UsageError('Name at least one limit, for instance --cost-usd 5.');
    const client = clientFor(options, shell);
    const runId = await resolveRunId(client, named);
    printRun(shell, await client.raiseBudget({ params: { runId }, body: { limits } }), options);
  });

function printRun(shell: Shell, run: RunSummary, options: ClientOptions): void {
  const { io } = shell;
  if (options.json) {
    printJson(shell, run);
    return;
  }
  const waiting = run.waitingFor ? `, waits for ${waitingWords(run.waitingFor, io.now())}` : '';
  io.out(`${run.id} ${paintStatus(run.status, io.colours)}${waiting}\n`);
}
