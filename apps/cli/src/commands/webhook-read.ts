import type { Command } from 'commander';
import type { Webhook } from '../api-types.ts';
import { type ClientOptions, clientFor, newClientCommand, printJson, type Shell } from '../command.ts';
import { everyPage } from '../every-page.ts';
import type { Io } from '../io.ts';
import { pairs, table } from '../output/table.ts';
import { oneLine } from '../output/text-width.ts';
import { ago, duration } from '../output/values.ts';

/** `pawl webhook list` */
export const webhookList = (shell: Shell): Command =>
  newClientCommand('list', 'list webhooks by name')
    .option('--flow <flow>', 'webhooks of one flow')
    .action(async (options: ClientOptions & { flow?: string }) => {
      const client = clientFor(options, shell);
      const filter = options.flow === undefined ? {} : { flow: options.flow };
      const webhooks = await everyPage((cursor) =>
        client.listWebhooks({ query: { ...filter, cursor, limit: 200 } }),
      );
      if (options.json) return printJson(shell, webhooks);
      const { io } = shell;
      if (webhooks.length === 0) return io.out('No webhooks: make one with "pawl webhook create".\n');
      const columns = ['webhook', 'flow', 'address', 'signed as', 'last refusal'].map((head) => ({ head }));
      const rows = webhooks.map((webhook) => [
        io.colours.bold(webhook.name),
        webhook.flow,
        webhook.enabled ? webhook.url : io.colours.dim('off'),
        webhook.preset,
        refusalWords(webhook, io),
      ]);
      io.out(table(columns, rows, io.colours.dim));
    });

/** `pawl webhook show <name>` */
export const webhookShow = (shell: Shell): Command =>
  newClientCommand('show', 'show a webhook, without its secrets')
    .argument('<name>')
    .action(async (name: string, options: ClientOptions) => {
      const webhook = await clientFor(options, shell).getWebhook({ params: { webhook: name } });
      if (options.json) return printJson(shell, webhook);
      const { io } = shell;
      const { timestampHeader, lastRefusal } = webhook;
      io.out(
        pairs(
          [
            ['webhook', io.colours.bold(webhook.name)],
            ['flow', webhook.flow],
            ['address', webhook.enabled ? webhook.url : `${webhook.url} (off)`],
            ['signature', `${webhook.signatureHeader}, as ${webhook.preset} signs`],
            [
              'time',
              timestampHeader === null
                ? 'none'
                : `${timestampHeader}, within ${duration(webhook.toleranceMs)}`,
            ],
            ['delivery', webhook.deliveryHeader],
            [
              'input',
              webhook.inputFrom === 'body'
                ? 'the body'
                : `body, headers (${webhook.headers.join(', ')}), query`,
            ],
            ['secrets', webhook.secrets.map((secret) => secretWords(secret, io)).join(', ')],
            ['refused', lastRefusal && `${ago(lastRefusal.at, io.now())}: ${oneLine(lastRefusal.message)}`],
          ],
          io.colours.dim,
        ),
      );
    });

function secretWords({ createdAt, expiresAt }: Webhook['secrets'][number], io: Io): string {
  return `made ${ago(createdAt, io.now())}${expiresAt ? `, until ${expiresAt}` : ''}`;
}

const refusalWords = ({ lastRefusal }: Webhook, io: Io): string =>
  lastRefusal ? `${io.colours.red(lastRefusal.code)} ${io.colours.dim(ago(lastRefusal.at, io.now()))}` : '';
