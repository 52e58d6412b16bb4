import type { ToolInfo } from '@pawl/api';
import { Command } from 'commander';
import { type ClientOptions, clientFor, newClientCommand, printJson, type Shell } from '../command.ts';
import { table } from '../output/table.ts';
import { cut, oneLine } from '../output/text-width.ts';

/** How a tool of an MCP server came to its class, where nobody has confirmed one. */
function classOf({ mcp }: ToolInfo): string | undefined {
  if (!mcp || mcp.confirmed) return undefined;
  return mcp.lapsed ? `${mcp.lapsed} has lapsed` : `${mcp.proposed} proposed`;
}

/** `pawl tool list` */
export const toolCommand = (shell: Shell): Command =>
  new Command('tool').description('registered tools').addCommand(
    newClientCommand('list', 'list the tools that flows can name, with what repeating them does').action(
      async (options: ClientOptions) => {
        const { items } = await clientFor(options, shell).listTools();
        if (options.json) return printJson(shell, items);
        const { colours, out } = shell.io;
        const hue = { pure: colours.green, idempotent: colours.yellow, non_repeatable: colours.red };
        const rows = items.map((tool) => [
          colours.bold(`${tool.name}@${tool.version}`),
          hue[tool.effect](tool.effect),
          [tool.compensates && 'compensates', tool.probes && 'probes', tool.polls && 'polls', classOf(tool)]
            .filter(Boolean)
            .join(', '),
          cut(oneLine(tool.description ?? ''), 70),
        ]);
        out(
          table(
            [{ head: 'tool' }, { head: 'effect' }, { head: 'also' }, { head: 'does' }],
            rows,
            colours.dim,
          ),
        );
      },
    ),
  );

/** `pawl model list` */
export const modelCommand = (shell: Shell): Command =>
  new Command('model').description('models of the providers').addCommand(
    newClientCommand('list', 'list the models that flows can name, with prices').action(
      async (options: ClientOptions) => {
        const { items } = await clientFor(options, shell).listModels();
        if (options.json) return printJson(shell, items);
        const { colours, out } = shell.io;
        const price = (usd: number | undefined): string => (usd === undefined ? '' : `$${usd}`);
        const rows = items.map((model) => [
          colours.bold(model.id),
          price(model.inputUsdPerMillion),
          price(model.outputUsdPerMillion),
          [model.simulated && 'simulated', oneLine(model.title ?? '')].filter(Boolean).join(', '),
        ]);
        const columns = [
          { head: 'model' },
          { head: 'in / 1M tokens', align: 'right' as const },
          { head: 'out / 1M tokens', align: 'right' as const },
          { head: 'note' },
        ];
        out(table(columns, rows, colours.dim));
      },
    ),
  );
