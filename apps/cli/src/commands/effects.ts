import type { Client } from '@pawl/api';
import type { Command } from 'commander';
import type { Effect } from '../api-types.ts';
import {
  type ClientOptions,
  clientFor,
  collect,
  newClientCommand,
  printJson,
  type Shell,
  wholeNumber,
} from '../command.ts';
import { DownloadDamagedError, UsageError } from '../errors.ts';
import { everyPage } from '../every-page.ts';
import type { Io } from '../io.ts';
import { instantOption } from '../output/instants.ts';
import { table } from '../output/table.ts';
import { cut, oneLine } from '../output/text-width.ts';
import { ago } from '../output/values.ts';
import { writeFileWhole } from '../write-file.ts';
import { effectDetails } from './effect-details.ts';
import { resolveRunId } from './run-id.ts';

interface EffectsOptions extends ClientOptions {
  readonly flow?: string;
  readonly run?: string;
  readonly target?: string;
  readonly class?: string;
  readonly effectKey?: string;
  readonly status?: string[];
  readonly by?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit: number;
  readonly export?: string;
  readonly arguments?: boolean;
  readonly output?: string;
}

/** `pawl effects`: what was really sent, as the server recorded it. */
export const effectsCommand = (shell: Shell): Command =>
  newClientCommand('effects', 'the effect log: every effect that was sent, newest first; or one of them')
    .argument('[effect]', 'one effect, as "<run>/<number>" of the list: its arguments and what it gave')
    .option('--flow <flow>', 'of the runs of one flow')
    .option('--run <run>', 'of one run (id or "latest")')
    .option('--target <pattern>', 'of this tool or model; * stands for anything, as in shop.*')
    .option('--class <class>', 'idempotent, non_repeatable, model or pure')
    .option('--effect-key <key>', 'with this idempotency key')
    .option(
      '--status <status>',
      'sent, succeeded, failed, uncertain, lost, late, settled, cancelled (repeatable)',
      collect,
    )
    .option('--by <who>', 'of runs that this one started, or settled by it: user:<name> or key:<name>')
    .option('--since <instant>', 'sent at or after (ISO 8601)')
    .option('--until <instant>', 'sent before (ISO 8601)')
    .option('-n, --limit <count>', 'how many', wholeNumber(1, 10_000), 50)
    .option('--export <format>', 'all of them, as ndjson or csv')
    .option('--arguments', 'export the arguments too')
    .option('-o, --output <file>', 'file of the export (default: standard output)')
    .action(async (id: string | undefined, options: EffectsOptions) => {
      const client = clientFor(options, shell);
      if (id !== undefined) return showOne(client, id, options, shell);
      const filter = await filterOf(client, options);
      if (options.export !== undefined) return exportAll(client, filter, options, shell);
      if (options.output !== undefined || options.arguments)
        throw new UsageError(
          '--output and --arguments belong to an export: add --export ndjson or --export csv.',
        );
      const effects = await everyPage(
        (cursor) => client.listEffects({ query: { ...filter, cursor, limit: Math.min(options.limit, 200) } }),
        options.limit,
      );
      if (options.json) return printJson(shell, effects);
      shell.io.out(effects.length > 0 ? effectTable(effects, shell.io) : 'No such effects.\n');
    });

type Filter = Omit<
  NonNullable<Parameters<Client['exportEffects']>[0]>['query'] & object,
  'format' | 'arguments'
>;

async function filterOf(client: Client, options: EffectsOptions): Promise<Filter> {
  const { flow, run, target, effectKey, status, by, since, until } = options;
  return {
    ...(flow !== undefined && { flow }),
    ...(run !== undefined && { run: await resolveRunId(client, run) }),
    ...(target !== undefined && { target }),
    // The server checks the words and names those that exist.
    ...(options.class !== undefined && { effect: options.class as NonNullable<Filter['effect']> }),
    ...(effectKey !== undefined && { key: effectKey }),
    ...(status !== undefined && { status: status as NonNullable<Filter['status']> }),
    ...(by !== undefined && { by }),
    ...(since !== undefined && { after: instantOption(since) }),
    ...(until !== undefined && { before: instantOption(until) }),
  };
}

async function showOne(client: Client, id: string, options: EffectsOptions, shell: Shell): Promise<void> {
  const [, named, seq] = /^(.+)\/(\d{1,10})$/.exec(id) ?? [];
  if (named === undefined)
    throw new UsageError(`"${id}" is no effect: expected "<run>/<number>" as "pawl effects" lists it.`);
  const effect = await client.getEffect({
    params: { runId: await resolveRunId(client, named), seq: Number(seq) },
  });
  if (options.json) return printJson(shell, effect);
  shell.io.out(effectDetails(effect, shell.io));
}

async function exportAll(
  client: Client,
  filter: Filter,
  options: EffectsOptions,
  shell: Shell,
): Promise<void> {
  const { export: format } = options;
  if (format !== 'ndjson' && format !== 'csv')
    throw new UsageError(`--export ${format}: expected ndjson or csv.`);
  const { body } = await client.exportEffects({
    query: { ...filter, format, ...(options.arguments && { arguments: 'true' as const }) },
  });
  const bytes = whole(body ?? new ReadableStream());
  if (options.output !== undefined) return writeFileWhole(options.output, bytes, shell.io);
  for await (const chunk of bytes) await shell.io.outBytes(chunk);
}

/** The server cuts the connection when it cannot go on, so that a part does not pass for the whole. */
async function* whole(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw new DownloadDamagedError('The export', `the connection ended early: ${String(cause)}`);
  }
}

function effectTable(effects: readonly Effect[], io: Io): string {
  const columns = ['effect', 'sent', 'status', 'class', 'target', 'path', ''].map((head) => ({ head }));
  const rows = effects.map((effect) => [
    effect.id,
    ago(effect.at, io.now()),
    paint(effect, io),
    effect.effect,
    oneLine(effect.target),
    cut(oneLine(effect.attempt > 1 ? `${effect.path} (attempt ${effect.attempt})` : effect.path), 50),
    io.colours.dim(cut(oneLine(noteOf(effect)), 50)),
  ]);
  return table(columns, rows, io.colours.dim);
}

function paint({ status, doubt }: Effect, { colours }: Io): string {
  const hues: Partial<Record<Effect['status'], (text: string) => string>> = {
    succeeded: colours.green,
    failed: colours.red,
    uncertain: colours.magenta,
    lost: colours.yellow,
    late: colours.yellow,
  };
  return (hues[status] ?? ((text) => text))(doubt ? `${status}, in doubt` : status);
}

function noteOf(effect: Effect): string {
  if (effect.settledBy) return `${effect.settledAs} by ${effect.settledBy}`;
  if (effect.failure) return effect.failure.code;
  return effect.lateAt ? 'answered too late' : (effect.effectId ?? '');
}
