import type { Client } from '@pawl/api';
import type { RunStatus } from '@pawl/dag-core';
import type { RunFilters } from '../app/addresses.ts';
import { runQueryOf } from './run-query.ts';

type BulkRequest = NonNullable<Parameters<Client['bulkRuns']>[0]>['body'];

export type BulkAction = BulkRequest['action'];
export type BulkFilter = BulkRequest['filter'];
export type BulkAnswer = Awaited<ReturnType<Client['bulkRuns']>>;

/** The runs that an action is for: those that were ticked, or all that a filter finds up to the newest one on screen. */
export type ChosenRuns =
  | { readonly kind: 'ticked'; readonly runIds: readonly string[] }
  | { readonly kind: 'all'; readonly filter: RunFilters; readonly newestAt: string };

/** To which runs an action can mean something. What a run of these still refuses, the engine tells of each. */
const REACHES: Readonly<Record<BulkAction, readonly RunStatus[]>> = {
  cancel: ['pending', 'running', 'waiting', 'paused', 'compensating'],
  pause: ['pending', 'running', 'waiting'],
  resume: ['paused'],
  retry: ['running', 'waiting', 'paused'],
};

export const BULK_ACTIONS: readonly BulkAction[] = ['cancel', 'pause', 'resume', 'retry'];

/** The filter of the request; undefined: the action means nothing to any of them. Runs that start meanwhile are none of them. */
export function bulkFilterOf(action: BulkAction, chosen: ChosenRuns): BulkFilter | undefined {
  if (chosen.kind === 'ticked') return { runIds: [...chosen.runIds], status: [...REACHES[action]] };
  const { status: filtered, tag, ...rest } = runQueryOf(chosen.filter);
  const status = REACHES[action].filter((word) => filtered?.includes(word) ?? true);
  if (status.length === 0) return undefined;
  const colon = tag?.indexOf(':') ?? -1;
  // Instants are told in milliseconds and kept in finer ones.
  const until = new Date(Date.parse(chosen.newestAt) + 1).toISOString();
  const { createdBefore = until } = rest;
  return {
    ...rest,
    status,
    ...(tag !== undefined && { tag: { key: tag.slice(0, colon), value: tag.slice(colon + 1) } }),
    createdBefore: Date.parse(createdBefore) < Date.parse(until) ? createdBefore : until,
  };
}
