import { Command } from 'commander';
import type { Shell } from '../command.ts';
import { artifactGet } from './artifact-get.ts';
import { artifactList } from './artifact-list.ts';
import { artifactPut } from './artifact-put.ts';

/** `pawl artifact`: results that last, and files for inputs of runs. */
export const artifactCommand = (shell: Shell): Command =>
  new Command('artifact')
    .description('artifacts: what runs leave behind, and files for them')
    .addCommand(artifactList(shell))
    .addCommand(artifactGet(shell))
    .addCommand(artifactPut(shell));
