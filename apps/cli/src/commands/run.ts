import { Command } from 'commander';
import type { Shell } from '../command.ts';
import { runBulk } from './run-bulk.ts';
import { runBudget, runCancel, runPause, runResume, runRetry, runSettle } from './run-decisions.ts';
import { runList } from './run-list.ts';
import { runShow } from './run-show.ts';
import { runStart } from './run-start.ts';
import { runWatch } from './run-watch.ts';

/** `pawl run`: executions of flows. */
export const runCommand = (shell: Shell): Command =>
  new Command('run')
    .description('runs: start, look at, decide')
    .addCommand(runStart(shell))
    .addCommand(runList(shell))
    .addCommand(runShow(shell))
    .addCommand(runWatch(shell))
    .addCommand(runBulk(shell))
    .addCommand(runCancel(shell))
    .addCommand(runPause(shell))
    .addCommand(runResume(shell))
    .addCommand(runSettle(shell))
    .addCommand(runRetry(shell))
    .addCommand(runBudget(shell));
