import type { Command } from 'commander';
import type { InboxItem } from '../api-types.ts';
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
import { resolveRunId } from './run-id.ts';

interface ListOptions extends ClientOptions {
  readonly kind?: string[];
  readonly flow?: string;
  readonly run?: string;
  readonly limit: number;
}

/** `pawl inbox list`: oldest first. */
export const inboxList = (shell: Shell): Command =>
  newClientCommand('list', 'list what waits for a person, oldest first')
    .option('--kind <kind>', 'approval, uncertain or failure (repeatable)', collect)
    .option('--flow <flow>', 'questions of one flow')
    .option('--run <run>', 'questions of one run')
    .option('-n, --limit <count>', 'how many', wholeNumber(1, 10_000), 50)
    .action(async (options: ListOptions) => {
      const client = clientFor(options, shell);
      const filter = {
        ...(options.kind ? { kind: options.kind as InboxItem['kind'][] } : {}),
        ...(options.flow ? { flow: options.flow } : {}),
        ...(options.run ? { runId: await resolveRunId(client, options.run) } : {}),
      };
      const items = await everyPage(
        (cursor) => client.listInbox({ query: { ...filter, cursor, limit: Math.min(options.limit, 200) } }),
        options.limit,
      );
      if (options.json) return printJson(shell, items);
      shell.io.out(items.length > 0 ? itemTable(items, shell.io) : 'Nothing waits for a person.\n');
    });

function itemTable(items: readonly InboxItem[], io: Io): string {
  const columns = [
    { head: 'question' },
    { head: 'kind' },
    { head: 'flow' },
    { head: 'node run' },
    { head: 'asked' },
    { head: 'left', align: 'right' as const },
    { head: '' },
  ];
  const rows = items.map((item) => [
    item.question,
    io.colours[item.kind === 'approval' ? 'cyan' : item.kind === 'uncertain' ? 'magenta' : 'yellow'](
      item.kind,
    ),
    item.flow,
    item.path,
    ago(item.since, io.now()),
    item.until ? duration(Date.parse(item.until) - io.now()) : '',
    cut(oneLine(item.subject), 60),
  ]);
  return table(columns, rows, io.colours.dim);
}
