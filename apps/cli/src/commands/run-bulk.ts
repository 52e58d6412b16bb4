import { type Command, Option } from 'commander';
import {
  type ClientOptions,
  clientFor,
  collect,
  newClientCommand,
  printJson,
  type Shell,
} from '../command.ts';
import { UsageError } from '../errors.ts';

interface BulkOptions extends ClientOptions {
  readonly flow?: string;
  readonly mode?: 'live' | 'test';
  readonly status?: string[];
  readonly tag?: string;
  readonly since?: string;
  readonly until?: string;
  readonly reason?: string;
  readonly yes?: boolean;
}

type Body = NonNullable<Parameters<ReturnType<typeof clientFor>['bulkRuns']>[0]>['body'];

/** `pawl run bulk <action>`: counts first; does it with --yes, until no run is left that the filter finds. */
export const runBulk = (shell: Shell): Command =>
  newClientCommand(
    'bulk',
    'cancel, pause, resume or retry every open run that a filter finds; without --yes it counts',
  )
    .argument('<action>', 'cancel, pause, resume or retry')
    .option('--flow <flow>', 'runs of one flow')
    .addOption(new Option('--mode <mode>', 'only test runs, or none of them').choices(['live', 'test']))
    .option('--status <status>', 'runs with this status (repeatable)', collect)
    .option('--tag <name=value>', 'runs with this tag')
    .option('--since <instant>', 'created after (ISO 8601)')
    .option('--until <instant>', 'created before (ISO 8601)')
    .option('--reason <text>', 'recorded in each journal')
    .addOption(new Option('-y, --yes', 'do it'))
    .action(async (action: string, options: BulkOptions) => {
      const client = clientFor(options, shell);
      const body = { ...bodyOf(action, options), preview: !options.yes };
      const answer = await client.bulkRuns({ body });
      if (options.json) return printJson(shell, answer);
      const { matched, hasMore, done, refused } = answer;
      const many = `${hasMore ? 'the first ' : ''}${matched} open run${matched === 1 ? '' : 's'}`;
      if (!options.yes) {
        shell.io.out(`${many} would be asked to ${action}. Add --yes to do it.\n`);
        return;
      }
      shell.io.out(`${done} of ${many}: ${action}\n`);
      for (const { runId, code } of refused) shell.io.out(`  ${runId} ${code}\n`);
      if (hasMore) shell.io.out('There are more; run the same again.\n');
    });

function bodyOf(action: string, { flow, mode, status, tag, since, until, reason }: BulkOptions): Body {
  if (!['cancel', 'pause', 'resume', 'retry'].includes(action))
    throw new UsageError(`${action}: expected cancel, pause, resume or retry.`);
  const equals = tag?.indexOf('=') ?? 1;
  if (equals < 1) throw new UsageError(`--tag ${tag}: expected name=value.`);
  return {
    action: action as Body['action'],
    filter: {
      ...(flow ? { flow } : {}),
      ...(mode ? { mode } : {}),
      ...(status ? { status: status as NonNullable<Body['filter']['status']> } : {}),
      ...(tag ? { tag: { key: tag.slice(0, equals), value: tag.slice(equals + 1) } } : {}),
      ...(since ? { createdAfter: since } : {}),
      ...(until ? { createdBefore: until } : {}),
    },
    ...(reason ? { reason } : {}),
  } as Body;
}
