import { Command } from 'commander';
import type { Shell } from '../command.ts';
import { webhookList, webhookShow } from './webhook-read.ts';
import {
  webhookChange,
  webhookCreate,
  webhookDelete,
  webhookPause,
  webhookResume,
  webhookRotate,
} from './webhook-write.ts';

/** `pawl webhook`: addresses that start runs for whoever can sign. */
export const webhookCommand = (shell: Shell): Command =>
  new Command('webhook')
    .description('webhooks: runs for signed deliveries')
    .addCommand(webhookCreate(shell))
    .addCommand(webhookChange(shell))
    .addCommand(webhookList(shell))
    .addCommand(webhookShow(shell))
    .addCommand(webhookPause(shell))
    .addCommand(webhookResume(shell))
    .addCommand(webhookRotate(shell))
    .addCommand(webhookDelete(shell));
