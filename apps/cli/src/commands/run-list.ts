import { type Command, Option } from 'commander';
import type { RunSummary } from '../api-types.ts';
import {
  type ClientOptions,
  clientFor,
  collect,
  newClientCommand,
  printJson,
  type Shell,
  wholeNumber,
} from '../command.ts';
import { UsageError } from '../errors.ts';
import { everyPage } from '../every-page.ts';
import type { Io } from '../io.ts';
import { instantOption } from '../output/instants.ts';
import { paintStatus } from '../output/statuses.ts';
import { table } from '../output/table.ts';
import { cut, oneLine } from '../output/text-width.ts';
import { ago, count, duration, money } from '../output/values.ts';
import { waitingWords } from '../output/waiting.ts';
import { resolveRunId } from './run-id.ts';

interface ListOptions extends ClientOptions {
  readonly flow?: string;
  readonly mode?: 'live' | 'test';
  readonly parent?: string;
  readonly status?: string[];
  readonly tag?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit: number;
}

/** `pawl run list`: newest first. */
export const runList = (shell: Shell): Command =>
  newClientCommand('list', 'list runs, newest first')
    .option('--flow <flow>', 'runs of one flow')
    .addOption(new Option('--mode <mode>', 'only test runs, or none of them').choices(['live', 'test']))
    .option('--parent <run>', 'runs of the sub-flows of one run')
    .option('--status <status>', 'runs with this status (repeatable)', collect)
    .option('--tag <name=value>', 'runs with this tag')
    .option('--since <instant>', 'created at or after (ISO 8601)')
    .option('--until <instant>', 'created before (ISO 8601)')
    .option('-n, --limit <count>', 'how many', wholeNumber(1, 10_000), 20)
    .action(async (options: ListOptions) => {
      const client = clientFor(options, shell);
      const parent = options.parent && (await resolveRunId(client, options.parent));
      const filter = { ...filterOf(options), ...(parent && { parent }) };
      const runs = await everyPage(
        (cursor) => client.listRuns({ query: { ...filter, cursor, limit: Math.min(options.limit, 200) } }),
        options.limit,
      );
      if (options.json) return printJson(shell, runs);
      shell.io.out(runs.length > 0 ? runTable(runs, shell.io) : 'No such runs.\n');
    });

type Filter = NonNullable<Parameters<ReturnType<typeof clientFor>['listRuns']>[0]>['query'];

function filterOf(options: ListOptions): Filter {
  const { flow, mode, since, until, tag } = options;
  if (tag !== undefined && tag.indexOf('=') < 1) throw new UsageError(`--tag ${tag}: expected name=value.`);
  return {
    ...(flow ? { flow } : {}),
    ...(mode ? { mode } : {}),
    // The server checks the words and names those that exist.
    ...(options.status ? { status: options.status as NonNullable<Filter>['status'] } : {}),
    ...(since ? { createdAfter: instantOption(since) } : {}),
    ...(until ? { createdBefore: instantOption(until) } : {}),
    ...(tag ? { tag: tag.replace('=', ':') } : {}),
  };
}

function runTable(runs: readonly RunSummary[], io: Io): string {
  const columns = [
    { head: 'run' },
    { head: 'flow' },
    { head: 'status' },
    { head: 'created' },
    { head: 'took', align: 'right' as const },
    { head: 'cost', align: 'right' as const },
    { head: 'tokens', align: 'right' as const },
    { head: '' },
  ];
  const rows = runs.map((run) => [
    run.id,
    run.mode === 'test' ? `${run.flow} (test)` : run.flow,
    paintStatus(run.status, io.colours),
    ago(run.createdAt, io.now()),
    tookOf(run, io.now()),
    money(run.budget.spent.costNanoUsd),
    count(run.budget.spent.tokens),
    noteOf(run, io),
  ]);
  return table(columns, rows, io.colours.dim);
}

/** Time from the start of a run to its end, or to now. */
function tookOf(run: RunSummary, now: number): string {
  if (!run.startedAt) return '';
  return duration((run.finishedAt ? Date.parse(run.finishedAt) : now) - Date.parse(run.startedAt));
}

function noteOf(run: RunSummary, io: Io): string {
  if (run.failure) return io.colours.red(run.failure.code);
  const { waitingFor } = run;
  if (!waitingFor || waitingFor.kind === 'nodes') return '';
  return io.colours.dim(cut(oneLine(waitingWords(waitingFor, io.now())), 60));
}
