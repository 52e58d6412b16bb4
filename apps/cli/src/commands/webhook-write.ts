import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Webhook } from '../api-types.ts';
import {
  type ClientOptions,
  clientFor,
  collect,
  lengthOfTime,
  newClientCommand,
  printJson,
  type Shell,
} from '../command.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';

interface SettingOptions extends ClientOptions {
  readonly flow?: string;
  readonly signatureHeader?: string;
  readonly timestampHeader?: string;
  readonly deliveryHeader?: string;
  readonly tolerance?: number;
  readonly inputFrom?: 'body' | 'request';
  readonly header?: string[];
}

const addSettings = (command: Command): Command =>
  command
    .option('--delivery-header <name>', 'header that names one delivery (default: by preset)')
    .option('--signature-header <name>', 'header with the signature (default: by preset)')
    .option('--timestamp-header <name>', 'header with the time, or "none" (default: by preset)')
    .option('--tolerance <time>', 'how far that time may be from now (default: 5m)', lengthOfTime)
    .addOption(
      new Option(
        '--input-from <what>',
        'the input is the body, or body, headers and query (default: body)',
      ).choices(['body', 'request']),
    )
    .option(
      '--header <name>',
      'a header that the input holds with --input-from request (repeatable)',
      collect,
    );

function settingsOf(options: SettingOptions) {
  const { signatureHeader, timestampHeader, deliveryHeader, tolerance, inputFrom, header } = options;
  return {
    ...(signatureHeader !== undefined && { signatureHeader }),
    ...(timestampHeader !== undefined && {
      timestampHeader: timestampHeader === 'none' ? null : timestampHeader,
    }),
    ...(deliveryHeader !== undefined && { deliveryHeader }),
    ...(tolerance !== undefined && { toleranceMs: tolerance }),
    ...(inputFrom !== undefined && { inputFrom }),
    ...(header !== undefined && { headers: header }),
  };
}

/** Secrets come by standard input: on the command line every process of the machine could read them. */
const addSecret = (command: Command): Command =>
  command.option('--secret <->', 'a secret of your own, read from standard input: -', (text) => {
    if (text === '-') return text;
    throw new InvalidArgumentError(
      'Expected -: the secret is read from standard input, where nobody else sees it.',
    );
  });

const secretOf = async (options: { secret?: string }, io: Io): Promise<{ secret?: string }> =>
  options.secret === undefined ? {} : { secret: (await io.readStdin()).replace(/\r?\n$/, '') };

/** `pawl webhook create <name>`: prints the address and, once, the secret. */
export const webhookCreate = (shell: Shell): Command =>
  addSecret(
    addSettings(
      newClientCommand('create', 'make an address that starts runs of a flow; prints its secret, once')
        .argument('<name>')
        .requiredOption('--flow <flow>', 'the flow to run, in its published version')
        .addOption(
          new Option('--preset <preset>', 'how senders sign (default: pawl)').choices(['pawl', 'github']),
        ),
    ),
  ).action(
    async (
      name: string,
      options: SettingOptions & { flow: string; preset?: 'pawl' | 'github'; secret?: string },
    ) => {
      const { flow, preset } = options;
      const made = await clientFor(options, shell).createWebhook({
        body: {
          name,
          flow,
          ...(preset !== undefined && { preset }),
          ...(await secretOf(options, shell.io)),
          ...settingsOf(options),
        },
      });
      printSecret(shell, made, options);
    },
  );

/** `pawl webhook change <name>`: what is not named stays. */
export const webhookChange = (shell: Shell): Command =>
  addSettings(
    newClientCommand('change', 'change a webhook; what is not named stays')
      .argument('<name>')
      .option('--flow <flow>', 'the flow to run'),
  ).action(async (name: string, options: SettingOptions) => {
    const { flow } = options;
    const body = { ...(flow !== undefined && { flow }), ...settingsOf(options) };
    if (Object.keys(body).length === 0)
      throw new UsageError('Nothing to change was named; --help lists what can be.');
    print(shell, await clientFor(options, shell).changeWebhook({ params: { webhook: name }, body }), options);
  });

/** `pawl webhook pause <name>`: its address answers 404. */
export const webhookPause = (shell: Shell): Command => turn(shell, 'pause', 'take no deliveries', false);

/** `pawl webhook resume <name>` */
export const webhookResume = (shell: Shell): Command => turn(shell, 'resume', 'take deliveries again', true);

function turn(shell: Shell, name: string, description: string, enabled: boolean): Command {
  return newClientCommand(name, description)
    .argument('<name>')
    .action(async (webhook: string, options: ClientOptions) =>
      print(
        shell,
        await clientFor(options, shell).changeWebhook({ params: { webhook }, body: { enabled } }),
        options,
      ),
    );
}

/** `pawl webhook rotate <name>`: prints the new secret, once. */
export const webhookRotate = (shell: Shell): Command =>
  addSecret(
    newClientCommand('rotate', 'replace the secret; prints the new one, once')
      .argument('<name>')
      .option('--keep-old <time>', 'how long the one before stays in force (default: 1d)', lengthOfTime),
  ).action(async (name: string, options: ClientOptions & { keepOld?: number; secret?: string }) => {
    const { keepOld } = options;
    const rotated = await clientFor(options, shell).rotateWebhookSecret({
      params: { webhook: name },
      body: { ...(await secretOf(options, shell.io)), ...(keepOld !== undefined && { keepOldMs: keepOld }) },
    });
    printSecret(shell, rotated, options);
  });

/** `pawl webhook delete <name>` */
export const webhookDelete = (shell: Shell): Command =>
  newClientCommand('delete', 'remove a webhook; its runs stay')
    .argument('<name>')
    .action(async (name: string, options: ClientOptions) => {
      const webhook = await clientFor(options, shell).deleteWebhook({ params: { webhook: name } });
      if (options.json) return printJson(shell, webhook);
      shell.io.out(`deleted ${name}\n`);
    });

function printSecret(
  shell: Shell,
  made: { readonly webhook: Webhook; readonly secret: string },
  options: ClientOptions & { secret?: string },
): void {
  if (options.json) return void printJson(shell, made);
  shell.io.out(`${made.webhook.url}\n${options.secret === undefined ? `${made.secret}\n` : ''}`);
  if (options.secret === undefined) shell.io.err('The second line is the secret: it is shown this once.\n');
}

function print(shell: Shell, webhook: Webhook, options: ClientOptions): void {
  if (options.json) printJson(shell, webhook);
  else shell.io.out(`${webhook.name} ${webhook.enabled ? webhook.url : shell.io.colours.dim('off')}\n`);
}
