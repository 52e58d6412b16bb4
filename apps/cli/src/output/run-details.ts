import type { NodeRunStatus } from '@pawl/dag-core';
import type { Run } from '../api-types.ts';
import type { Io } from '../io.ts';
import { paintStatus } from './statuses.ts';
import { pairs } from './table.ts';
import { oneLine } from './text-width.ts';
import { ago, count, duration, money, plural, shortVersion } from './values.ts';
import { waitingWords } from './waiting.ts';

/** What a run is and how it stands, one fact per line. */
export function runDetails(run: Run, io: Io): string {
  const { colours } = io;
  const end = run.finishedAt ? Date.parse(run.finishedAt) : io.now();
  return pairs(
    [
      ['run', colours.bold(run.id)],
      ['flow', `${run.flow} (${run.mode === 'test' ? 'test of its draft' : shortVersion(run.version)})`],
      ['part of', run.parent && `${run.parent.runId} (${run.parent.path})`],
      ['undoes', run.undoes],
      ['status', paintStatus(run.status, colours)],
      ['waits for', run.waitingFor && waitingWords(run.waitingFor, io.now())],
      ['failure', run.failure && `${colours.red(run.failure.code)} ${oneLine(run.failure.message)}`],
      ['partial by', run.degraded.map(({ path, reason }) => `${path} (${reason})`).join(', ')],
      ['undoing', run.compensation && undoingWords(run.compensation)],
      ['created', `${run.createdAt} (${ago(run.createdAt, io.now())})`],
      ['took', run.startedAt && duration(end - Date.parse(run.startedAt))],
      ['spent', spentWords(run)],
      ['node runs', countWords(run.nodeRuns, io)],
      [
        'tags',
        Object.entries(run.tags)
          .map(([name, value]) => `${name}=${value}`)
          .join(', '),
      ],
    ],
    colours.dim,
  );
}

function undoingWords({ planned, left }: NonNullable<Run['compensation']>): string {
  const stays = left.length > 0 ? `; not undone: ${left.join(', ')}` : '';
  return `${planned} effect${planned === 1 ? '' : 's'} planned to be undone${stays}`;
}

function spentWords({ budget: { spent, reserved, limits, warned } }: Run): string | undefined {
  const { costNanoUsd, tokens, modelCalls } = spent;
  const of = (limit: string | undefined): string => (limit === undefined ? '' : ` of ${limit}`);
  const words = [
    `${money(costNanoUsd)}${of(limits.costUsd === undefined ? undefined : money(limits.costUsd * 1e9))}`,
    `${count(tokens)}${of(limits.tokens === undefined ? undefined : count(limits.tokens))} tokens`,
    `${plural(modelCalls, 'model call')}${of(limits.modelCalls === undefined ? undefined : count(limits.modelCalls))}`,
    ...(warned && warned.length > 0 ? [`80 % or more of ${warned.join(', ')} spent`] : []),
    ...(reserved.costNanoUsd > 0 ? [`${money(reserved.costNanoUsd)} reserved`] : []),
  ];
  return modelCalls > 0 || Object.keys(limits).length > 0 ? words.join(', ') : undefined;
}

function countWords(counts: Run['nodeRuns'], io: Io): string {
  return Object.entries(counts)
    .filter(([, number]) => number)
    .map(([status, number]) => `${count(number ?? 0)} ${paintStatus(status as NodeRunStatus, io.colours)}`)
    .join(', ');
}
