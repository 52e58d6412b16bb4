import { type FilterQuery, raw } from '@mikro-orm/core';
import { isTerminalRun, RUN_STATUSES, type RunStatus } from '@pawl/dag-core';
import { firstIdAt } from '../ids.ts';
import type { RunFilter } from '../store-types.ts';
import { idOfCursor } from './cursor.ts';
import type { RunRow } from './run-shapes.ts';

/** How far the clock that made an id may be from the clock of the database. */
const CLOCK_MARGIN_MS = 24 * 3_600_000;
const NANO_PER_USD = 1e9;

const OPEN: readonly RunStatus[] = RUN_STATUSES.filter((status) => !isTerminalRun(status));

/** Whether only open runs are meant, which have an index of their own. */
export const isOfOpenRuns = ({ status }: RunFilter): boolean =>
  status?.every((word) => !isTerminalRun(word)) ?? false;

/**
 * What rows of `run` must hold to fit a filter, all but what they wait for.
 *
 * @throws {StoreError} `cursor_invalid`
 */
export function runConditions(filter: RunFilter & { readonly onlyOpen?: boolean }): FilterQuery<RunRow>[] {
  const all: FilterQuery<RunRow>[] = [];
  if (filter.cursor !== undefined) all.push({ id: { $lt: idOfCursor(filter.cursor) } });
  if (filter.runIds !== undefined) all.push({ id: { $in: [...filter.runIds] } });
  if (filter.flow !== undefined) all.push({ flowName: filter.flow });
  if (filter.version !== undefined) all.push({ versionId: filter.version });
  if (filter.parent !== undefined) all.push({ parentRunId: filter.parent });
  if (filter.mode !== undefined) all.push({ mode: filter.mode });
  if (filter.status !== undefined) all.push({ status: { $in: [...filter.status] } });
  if (filter.onlyOpen) all.push({ status: { $in: [...OPEN] } });
  if (filter.costAbove !== undefined)
    all.push({ spentCostNanoUsd: { $gt: Math.round(filter.costAbove * NANO_PER_USD) } });
  if (filter.createdAfter !== undefined) {
    const after = new Date(filter.createdAfter);
    all.push({ createdAt: { $gt: after }, id: { $gte: firstIdAt(boundMs(after, -CLOCK_MARGIN_MS)) } });
  }
  if (filter.createdBefore !== undefined) {
    const before = new Date(filter.createdBefore);
    all.push({ createdAt: { $lt: before }, id: { $lt: firstIdAt(boundMs(before, CLOCK_MARGIN_MS)) } });
  }
  if (filter.tag !== undefined) all.push(hasTag(filter.tag));
  if (filter.failedNode !== undefined) all.push(hasFailedNode(filter.failedNode));
  return all;
}

/** Index: the primary key of node_run, for its run. */
function hasFailedNode(nodeId: string): FilterQuery<RunRow> {
  return {
    [raw(
      (alias) =>
        `exists (select 1 from node_run n where n.run_id = ${alias}.id and n.node_id = ?::text and n.status = 'failed')`,
      [nodeId],
    )]: true,
  } as FilterQuery<RunRow>;
}

/**
 * PostgreSQL reads members of `json` only where no escape stands for NUL or half a character; tags with one are compared as
 * text instead, so that one odd run cannot break the list of all.
 */
function hasTag({ key, value }: { key: string; value: string }): FilterQuery<RunRow> {
  const member = `${JSON.stringify(key)}:${JSON.stringify(value)}`;
  // PostgreSQL text cannot hold NUL or half a character, so no ordinary tag equals one that does.
  const isPlain = !/\\u(0000|d[89a-f])/.test(member);
  const [plainKey, plainValue] = isPlain ? [key, value] : ['', '\u0001'];
  return {
    [raw(
      (alias) =>
        `case when ${alias}.tags::text ~* '\\\\u(0000|d[89a-f])'
           then strpos(${alias}.tags::text, '{' || ?::text) > 0 or strpos(${alias}.tags::text, ',' || ?::text) > 0
           else ${alias}.tags ->> ?::text = ?::text end`,
      [member, member, plainKey, plainValue],
    )]: true,
  } as FilterQuery<RunRow>;
}

function boundMs(instant: Date, marginMs: number): number {
  return Math.min(Math.max(instant.getTime() + marginMs, 0), 2 ** 48 - 1);
}
