import { type FilterQuery, raw } from '@mikro-orm/core';
import type { Orm } from '../entities/orm.ts';
import { RunEntity } from '../entities/run.ts';
import { firstIdAt } from '../ids.ts';
import type { Page, RunFilter, RunSummary } from '../store-types.ts';
import { cursorAfterId, idOfCursor, pageOf, pageSize } from './cursor.ts';
import { type RunRow, runSummary } from './run-shapes.ts';
import { waitsOf } from './run-waits.ts';

const SIZES = { usual: 50, most: 200 };
/** How far the clock that made an id may be from the clock of the database. */
const CLOCK_MARGIN_MS = 24 * 3_600_000;

/**
 * Runs of a workspace, newest first, page by page. A page costs the rows it holds: it starts at the last id of the one
 * before (index `run_by_workspace`), and instants narrow the ids, so that old partitions are not looked at.
 *
 * @throws {StoreError} `cursor_invalid`
 */
export async function listRuns(
  orm: Orm,
  workspaceId: string,
  filter: RunFilter = {},
): Promise<Page<RunSummary>> {
  const size = pageSize(filter.limit, SIZES);
  const rows = await orm
    .fork()
    .find(
      RunEntity,
      { workspaceId, $and: conditions(filter) },
      { orderBy: { id: 'desc' }, limit: size + 1, disableIdentityMap: true },
    );
  const waits = await waitsOf(orm, rows);
  const summaries = rows.map((row) => runSummary(row, waits(row.id)));
  return pageOf(summaries, size, (last) => cursorAfterId(last.id));
}

function conditions(filter: RunFilter): FilterQuery<RunRow>[] {
  const all: FilterQuery<RunRow>[] = [];
  if (filter.cursor !== undefined) all.push({ id: { $lt: idOfCursor(filter.cursor) } });
  if (filter.runIds !== undefined) all.push({ id: { $in: [...filter.runIds] } });
  if (filter.flow !== undefined) all.push({ flowName: filter.flow });
  if (filter.parent !== undefined) all.push({ parentRunId: filter.parent });
  if (filter.mode !== undefined) all.push({ mode: filter.mode });
  if (filter.status !== undefined) all.push({ status: { $in: [...filter.status] } });
  if (filter.createdAfter !== undefined) {
    const after = new Date(filter.createdAfter);
    all.push({ createdAt: { $gt: after }, id: { $gte: firstIdAt(boundMs(after, -CLOCK_MARGIN_MS)) } });
  }
  if (filter.createdBefore !== undefined) {
    const before = new Date(filter.createdBefore);
    all.push({ createdAt: { $lt: before }, id: { $lt: firstIdAt(boundMs(before, CLOCK_MARGIN_MS)) } });
  }
  if (filter.tag !== undefined) all.push(hasTag(filter.tag));
  return all;
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
