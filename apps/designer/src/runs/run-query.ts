import type { Client } from '@pawl/api';
import type { RunFilters } from '../app/addresses.ts';

type RunQuery = NonNullable<NonNullable<Parameters<Client['listRuns']>[0]>['query']>;

/** The filters as the list of runs is asked with them. */
export function runQueryOf({ from, to, waitingFor, ...rest }: RunFilters): RunQuery {
  return {
    ...present(rest),
    ...(waitingFor && { waitingFor: [waitingFor] }),
    ...(from !== undefined && { createdAfter: from }),
    ...(to !== undefined && { createdBefore: to }),
  };
}

/** Whether anything is filtered. */
export const isFiltered = (filters: RunFilters): boolean => Object.keys(present(filters)).length > 0;

/** What is there of it: an absent filter is not sent. */
const present = <T extends object>(filters: T) =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
