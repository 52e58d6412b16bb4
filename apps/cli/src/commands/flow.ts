import { Command } from 'commander';
import type { Shell } from '../command.ts';
import { flowExport } from './flow-export.ts';
import { flowList } from './flow-list.ts';
import { flowPause, flowResume } from './flow-pause.ts';
import { flowPublish } from './flow-publish.ts';
import { flowShow } from './flow-show.ts';
import { flowTest } from './flow-test.ts';
import { flowValidate } from './flow-validate.ts';

/** `pawl flow`: drawn graphs and their versions. */
export const flowCommand = (shell: Shell): Command =>
  new Command('flow')
    .description('flows and their versions')
    .addCommand(flowValidate(shell))
    .addCommand(flowPublish(shell))
    .addCommand(flowList(shell))
    .addCommand(flowShow(shell))
    .addCommand(flowPause(shell))
    .addCommand(flowResume(shell))
    .addCommand(flowExport(shell))
    .addCommand(flowTest(shell));
