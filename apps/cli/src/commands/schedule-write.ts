import type { Client } from '@pawl/api';
import { CATCH_UPS, type CatchUp, OVERLAPS, type Overlap } from '@pawl/dag-core';
import { type Command, Option } from 'commander';
import type { Schedule } from '../api-types.ts';
import {
  type ClientOptions,
  clientFor,
  lengthOfTime,
  newClientCommand,
  printJson,
  type Shell,
} from '../command.ts';
import { UsageError } from '../errors.ts';
import { addInputOptions, type InputOptions, inputOf } from './input-options.ts';

interface SettingOptions extends ClientOptions, InputOptions {
  readonly flow?: string;
  readonly cron?: string;
  readonly zone?: string;
  readonly overlap?: Overlap;
  readonly catchUp?: CatchUp;
  readonly catchUpWindow?: number;
  readonly jitter?: number;
}

const addSettings = (command: Command): Command =>
  addInputOptions(command)
    .option('--zone <name>', 'time zone, a name of the IANA database (default: UTC)')
    .addOption(
      new Option(
        '--overlap <policy>',
        'what a slot does while an earlier run is open (default: skip)',
      ).choices(OVERLAPS),
    )
    .addOption(
      new Option('--catch-up <policy>', 'what happens to slots nobody ran in time (default: last)').choices(
        CATCH_UPS,
      ),
    )
    .option('--catch-up-window <time>', 'how far back catch-up reaches (default: 1d)', lengthOfTime)
    .option('--jitter <time>', 'put each slot off by up to this much', lengthOfTime);

async function settingsOf(options: SettingOptions, shell: Shell) {
  const { zone, overlap, catchUp, catchUpWindow, jitter } = options;
  const hasInput = options.input !== undefined || options.set !== undefined;
  return {
    ...(zone !== undefined && { timeZone: zone }),
    ...(hasInput && { input: await inputOf(options, shell.io) }),
    ...(overlap !== undefined && { overlap }),
    ...(catchUp !== undefined && { catchUp }),
    ...(catchUpWindow !== undefined && { catchUpWindowMs: catchUpWindow }),
    ...(jitter !== undefined && { jitterMs: jitter }),
  };
}

/** `pawl schedule create <name>` */
export const scheduleCreate = (shell: Shell): Command =>
  addSettings(
    newClientCommand('create', 'make a schedule that starts runs of a flow')
      .argument('<name>')
      .requiredOption('--flow <flow>', 'the flow to run, in its published version')
      .requiredOption('--cron <expression>', 'five fields: minute, hour, day, month, day of the week'),
  )
    .option('--off', 'make it switched off')
    .action(async (name: string, options: SettingOptions & { flow: string; cron: string; off?: boolean }) => {
      const { flow, cron, off } = options;
      const schedule = await clientFor(options, shell).createSchedule({
        body: { name, flow, cron, ...(await settingsOf(options, shell)), ...(off && { enabled: false }) },
      });
      printSchedule(shell, schedule, options);
    });

/** `pawl schedule change <name>`: what is not named stays. */
export const scheduleChange = (shell: Shell): Command =>
  addSettings(
    newClientCommand('change', 'change a schedule; what is not named stays')
      .argument('<name>')
      .option('--flow <flow>', 'the flow to run')
      .option('--cron <expression>', 'when it fires'),
  ).action(async (name: string, options: SettingOptions) => {
    const { flow, cron } = options;
    const body = {
      ...(flow !== undefined && { flow }),
      ...(cron !== undefined && { cron }),
      ...(await settingsOf(options, shell)),
    };
    if (Object.keys(body).length === 0)
      throw new UsageError('Nothing to change was named; --help lists what can be.');
    const schedule = await clientFor(options, shell).changeSchedule({ params: { schedule: name }, body });
    printSchedule(shell, schedule, options);
  });

/** `pawl schedule pause <name>` */
export const schedulePause = (shell: Shell): Command =>
  act(shell, 'pause', 'switch a schedule off', (client, params) => client.pauseSchedule({ params }));

/** `pawl schedule resume <name>` */
export const scheduleResume = (shell: Shell): Command =>
  act(shell, 'resume', 'switch a schedule on, from its next slot', (client, params) =>
    client.resumeSchedule({ params }),
  );

/** `pawl schedule delete <name>` */
export const scheduleDelete = (shell: Shell): Command =>
  newClientCommand('delete', 'remove a schedule; its runs stay')
    .argument('<name>')
    .action(async (name: string, options: ClientOptions) => {
      const schedule = await clientFor(options, shell).deleteSchedule({ params: { schedule: name } });
      if (options.json) return printJson(shell, schedule);
      shell.io.out(`deleted ${name}\n`);
    });

function act(
  shell: Shell,
  name: string,
  description: string,
  work: (client: Client, params: { schedule: string }) => Promise<Schedule>,
): Command {
  return newClientCommand(name, description)
    .argument('<name>')
    .action(async (schedule: string, options: ClientOptions) =>
      printSchedule(shell, await work(clientFor(options, shell), { schedule }), options),
    );
}

function printSchedule(shell: Shell, schedule: Schedule, options: ClientOptions): void {
  const when = schedule.nextSlot ? `next ${schedule.nextSlot}` : shell.io.colours.dim('off');
  if (options.json) printJson(shell, schedule);
  else shell.io.out(`${schedule.name} ${when}\n`);
}
