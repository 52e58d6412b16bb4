import type { Command } from 'commander';
import { type ClientOptions, clientFor, newClientCommand, printJson, type Shell } from '../command.ts';
import { table } from '../output/table.ts';
import { cut, oneLine } from '../output/text-width.ts';
import { ago, count, shortVersion } from '../output/values.ts';

/** `pawl flow list` */
export const flowList = (shell: Shell): Command =>
  newClientCommand('list', 'list flows').action(async (options: ClientOptions) => {
    const { items: flows } = await clientFor(options, shell).listFlows();
    if (options.json) return printJson(shell, flows);
    const { io } = shell;
    if (flows.length === 0) {
      io.out('No flows yet: publish one with "pawl flow publish <file>".\n');
      return;
    }
    const columns = [
      { head: 'flow' },
      { head: 'versions', align: 'right' as const },
      { head: 'published' },
      { head: 'changed' },
      { head: 'title' },
    ];
    const rows = flows.map((flow) => [
      io.colours.bold(flow.name),
      count(flow.versionCount),
      flow.publishedVersion ? shortVersion(flow.publishedVersion) : io.colours.dim('draft only'),
      ago(flow.updatedAt, io.now()),
      cut(oneLine(flow.title ?? ''), 60),
    ]);
    io.out(table(columns, rows, io.colours.dim));
  });
