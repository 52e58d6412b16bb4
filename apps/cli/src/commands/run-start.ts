import type { Command } from 'commander';
import {
  type ClientOptions,
  clientFor,
  collect,
  newClientCommand,
  printJson,
  type Shell,
} from '../command.ts';
import { UsageError } from '../errors.ts';
import { addBudgetOptions, type BudgetOptions, budgetOf } from './budget-options.ts';
import { addInputOptions, type InputOptions, inputOf, pairsOf } from './input-options.ts';
import { followAndPrint } from './run-watch.ts';

interface StartOptions extends ClientOptions, BudgetOptions, InputOptions {
  readonly versionId?: string;
  readonly dedupeKey?: string;
  readonly tag?: string[];
  readonly watch?: boolean;
  readonly priority?: number;
}

/** `pawl run start <flow>`: prints the id of the run; with `--watch` follows it and exits by its status. */
export const runStart = (shell: Shell): Command =>
  addBudgetOptions(
    addInputOptions(newClientCommand('start', 'start a run of a published flow').argument('<flow>'))
      .option('--version-id <id>', 'a certain version instead of the published one')
      .option('--dedupe-key <key>', 'the same key and input start one run only')
      .option('-t, --tag <name=value>', 'a tag to find the run by (repeatable)', collect)
      .option('-p, --priority <1-9>', 'how urgent it is: 1 is first, 9 last, 5 the usual', priorityOf)
      .option('-w, --watch', 'follow the run until it ends or waits for a person'),
  ).action(async (flow: string, options: StartOptions) => {
    const client = clientFor(options, shell);
    const budget = budgetOf(options);
    const tags = pairsOf(options.tag ?? [], '--tag', (text) => text);
    const { TRACEPARENT: traceparent, TRACESTATE: tracestate } = shell.io.env;
    const started = await client.startRun({
      // The convention of OpenTelemetry for command lines: whoever traces a script finds the run below it.
      ...(traceparent && { headers: { traceparent, ...(tracestate && { tracestate }) } }),
      body: {
        flow,
        input: await inputOf(options, shell.io),
        trigger: 'cli',
        ...(options.versionId ? { version: options.versionId } : {}),
        ...(options.dedupeKey ? { dedupeKey: options.dedupeKey } : {}),
        ...(options.tag ? { tags } : {}),
        ...(budget ? { budget } : {}),
        ...(options.priority !== undefined ? { priority: options.priority } : {}),
      },
    });
    if (options.watch) return followAndPrint(client, started.runId, shell, { ...options, until: 'waiting' });
    if (options.json) return printJson(shell, started);
    shell.io.out(`${started.runId}\n`);
    if (started.result === 'duplicate') shell.io.err('This key and input started that run before.\n');
  });

function priorityOf(text: string): number {
  if (!/^[1-9]$/.test(text))
    throw new UsageError(`--priority ${text}: expected a number from 1 (first) to 9 (last).`);
  return Number(text);
}
