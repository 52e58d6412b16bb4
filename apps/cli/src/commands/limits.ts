import { Command } from 'commander';
import type { CallLimit } from '../api-types.ts';
import {
  type ClientOptions,
  clientFor,
  lengthOfTime,
  newClientCommand,
  printJson,
  type Shell,
  wholeNumber,
} from '../command.ts';
import type { Io } from '../io.ts';
import { table } from '../output/table.ts';
import { duration } from '../output/values.ts';

const TARGET = 'what is called: <provider>:<model>, <provider>:*, <tool>@<version> or <tool>@*';
const MOST = 1_000_000_000;

/** `pawl limits`: how often models and tools may be called. */
export const limitsCommand = (shell: Shell): Command =>
  new Command('limits')
    .description('limits: how often models and tools may be called')
    .addCommand(limitsSet(shell))
    .addCommand(limitsList(shell))
    .addCommand(limitsRemove(shell));

interface SetOptions extends ClientOptions {
  readonly requests?: number;
  readonly tokens?: number;
  readonly per?: number;
  readonly concurrency?: number;
}

const limitsSet = (shell: Shell): Command =>
  newClientCommand('set', 'set a limit, in the place of the one with the same target')
    .argument('<target>', TARGET)
    .option('--requests <count>', 'calls in any window', wholeNumber(1, MOST))
    .option('--tokens <count>', 'tokens in any window', wholeNumber(1, MOST))
    .option('--per <time>', 'length of the window (default: 1m)', lengthOfTime)
    .option('--concurrency <count>', 'calls under way at once', wholeNumber(1, 1_000_000))
    .action(async (target: string, options: SetOptions) => {
      const { requests, tokens, per, concurrency } = options;
      const { items } = await clientFor(options, shell).setLimit({
        body: {
          target,
          ...(requests !== undefined && { requests }),
          ...(tokens !== undefined && { tokens }),
          ...(per !== undefined && { windowMs: per }),
          ...(concurrency !== undefined && { concurrency }),
        },
      });
      print(shell, items, options);
    });

const limitsList = (shell: Shell): Command =>
  newClientCommand('list', 'list limits, what is under way and what waits').action(
    async (options: ClientOptions) =>
      print(shell, (await clientFor(options, shell).listLimits({})).items, options),
  );

const limitsRemove = (shell: Shell): Command =>
  newClientCommand('remove', 'remove a limit; what it held up goes on')
    .argument('<target>', 'exactly as the list shows it')
    .action(async (target: string, options: ClientOptions) =>
      print(shell, (await clientFor(options, shell).removeLimit({ query: { target } })).items, options),
    );

function print(shell: Shell, limits: readonly CallLimit[], options: ClientOptions): void {
  if (options.json) printJson(shell, limits);
  else shell.io.out(limits.length > 0 ? limitTable(limits, shell.io) : 'No limits.\n');
}

function limitTable(limits: readonly CallLimit[], io: Io): string {
  const columns = [
    { head: 'target' },
    { head: 'limit' },
    { head: 'of' },
    { head: 'under way', align: 'right' as const },
    { head: 'waiting', align: 'right' as const },
    { head: 'paused' },
  ];
  const rows = limits.map((limit) => [
    limit.target,
    wordsOf(limit),
    limit.scope,
    String(limit.underWay ?? ''),
    String(limit.waiting ?? ''),
    limit.pausedUntil ? `for ${duration(Date.parse(limit.pausedUntil) - io.now())}` : '',
  ]);
  return table(columns, rows, io.colours.dim);
}

/** `60 requests and 90000 tokens per 1m, 4 at once` */
function wordsOf({ requests, tokens, windowMs, concurrency }: CallLimit): string {
  const rates = [
    ...(requests === undefined ? [] : [`${requests} requests`]),
    ...(tokens === undefined ? [] : [`${tokens} tokens`]),
  ];
  return [
    ...(rates.length > 0 ? [`${rates.join(' and ')} per ${duration(windowMs ?? 60_000)}`] : []),
    ...(concurrency === undefined ? [] : [`${concurrency} at once`]),
  ].join(', ');
}
