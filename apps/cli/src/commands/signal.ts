import { Command } from 'commander';
import type { KeptSignal } from '../api-types.ts';
import {
  type ClientOptions,
  clientFor,
  collect,
  newClientCommand,
  printJson,
  type Shell,
  wholeNumber,
} from '../command.ts';
import { everyPage } from '../every-page.ts';
import type { Io } from '../io.ts';
import { table } from '../output/table.ts';
import { cut, oneLine } from '../output/text-width.ts';
import { ago, duration } from '../output/values.ts';
import { type InputOptions, inputOf } from './input-options.ts';
import { resolveRunId } from './run-id.ts';

/** `pawl signal`: messages to runs that wait for them. */
export const signalCommand = (shell: Shell): Command =>
  new Command('signal')
    .description('signals: messages to runs that wait for them')
    .addCommand(signalSend(shell))
    .addCommand(signalList(shell));

interface SendOptions extends ClientOptions {
  readonly payload?: string;
  readonly set?: string[];
  readonly id?: string;
  readonly run?: string;
}

/** `pawl signal send <name>`: to whoever waits for it, or will. */
const signalSend = (shell: Shell): Command =>
  newClientCommand('send', 'send a signal to whoever waits for it, or will')
    .argument('<name>')
    .argument('[of]', 'its key: tells apart who is meant, for instance an order number')
    .option('-p, --payload <file or JSON>', 'what it carries: a file, - for standard input, or JSON itself')
    .option('-s, --set <name=value>', 'one member of the payload (repeatable)', collect)
    .option('--id <id>', 'sent twice under one id, it is one signal')
    .option('--run <run>', 'the only run that may take it')
    .action(async (name: string, key: string | undefined, options: SendOptions) => {
      const client = clientFor(options, shell);
      const { id, run } = options;
      const payload = await payloadOf(options, shell.io);
      const sent = await client.sendSignal({
        body: {
          name,
          ...(key === undefined ? {} : { key }),
          ...(payload === undefined ? {} : { payload }),
          ...(id === undefined ? {} : { id }),
          ...(run === undefined ? {} : { runId: await resolveRunId(client, run) }),
        },
      });
      if (options.json) return printJson(shell, sent);
      const { takenBy } = sent;
      shell.io.out(
        takenBy ? `taken by ${takenBy.path} of run ${takenBy.runId}\n` : 'kept until somebody waits for it\n',
      );
      if (sent.result === 'duplicate') shell.io.err('This id was sent before.\n');
    });

async function payloadOf({ payload, set }: SendOptions, io: Io) {
  if (payload === undefined && set === undefined) return undefined;
  const input: InputOptions = {
    ...(payload === undefined ? {} : { input: payload }),
    ...(set ? { set } : {}),
  };
  return inputOf(input, io);
}

/** `pawl signal list`: those that nobody has taken yet. */
const signalList = (shell: Shell): Command =>
  newClientCommand('list', 'list signals that nobody has taken yet, oldest first')
    .option('--name <name>', 'signals of one name')
    .option('-n, --limit <count>', 'how many', wholeNumber(1, 10_000), 50)
    .action(async (options: ClientOptions & { name?: string; limit: number }) => {
      const client = clientFor(options, shell);
      const { name, limit } = options;
      const signals = await everyPage(
        (cursor) =>
          client.listSignals({ query: { ...(name ? { name } : {}), cursor, limit: Math.min(limit, 200) } }),
        limit,
      );
      if (options.json) return printJson(shell, signals);
      shell.io.out(signals.length > 0 ? signalTable(signals, shell.io) : 'No signal is kept.\n');
    });

function signalTable(signals: readonly KeptSignal[], io: Io): string {
  const columns = [
    { head: 'signal' },
    { head: 'key' },
    { head: 'id' },
    { head: 'by' },
    { head: 'sent' },
    { head: 'left', align: 'right' as const },
  ];
  const rows = signals.map(({ name, key, id, by, sentAt, expiresAt }) => [
    name,
    cut(oneLine(key), 40),
    cut(oneLine(id), 40),
    by,
    ago(sentAt, io.now()),
    duration(Date.parse(expiresAt) - io.now()),
  ]);
  return table(columns, rows, io.colours.dim);
}
