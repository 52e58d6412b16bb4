import { Command } from 'commander';
import type { Shell } from '../command.ts';
import { inboxAnswer } from './inbox-answer.ts';
import { inboxList } from './inbox-list.ts';
import { inboxShow } from './inbox-show.ts';

/** `pawl inbox`: what waits for a person. */
export const inboxCommand = (shell: Shell): Command =>
  new Command('inbox')
    .description('questions to people: approvals, uncertain effects, failures')
    .addCommand(inboxList(shell))
    .addCommand(inboxShow(shell))
    .addCommand(inboxAnswer(shell));
