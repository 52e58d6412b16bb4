import { Command } from 'commander';
import type { Shell } from '../command.ts';
import { scheduleBackfill, scheduleExport, scheduleImport } from './schedule-move.ts';
import { scheduleList, scheduleNext, scheduleShow, scheduleSlots } from './schedule-read.ts';
import {
  scheduleChange,
  scheduleCreate,
  scheduleDelete,
  schedulePause,
  scheduleResume,
} from './schedule-write.ts';

/** `pawl schedule`: what starts runs at the instants of a clock. */
export const scheduleCommand = (shell: Shell): Command =>
  new Command('schedule')
    .description('schedules: runs at the instants of a clock')
    .addCommand(scheduleCreate(shell))
    .addCommand(scheduleChange(shell))
    .addCommand(scheduleList(shell))
    .addCommand(scheduleShow(shell))
    .addCommand(scheduleNext(shell))
    .addCommand(scheduleSlots(shell))
    .addCommand(schedulePause(shell))
    .addCommand(scheduleResume(shell))
    .addCommand(scheduleBackfill(shell))
    .addCommand(scheduleExport(shell))
    .addCommand(scheduleImport(shell))
    .addCommand(scheduleDelete(shell));
