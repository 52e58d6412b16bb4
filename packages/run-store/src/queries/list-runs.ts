import type { Orm } from '../entities/orm.ts';
import { RunEntity } from '../entities/run.ts';
import type { Page, RunFilter, RunSummary } from '../store-types.ts';
import { cursorAfterId, idOfCursor, pageOf, pageSize } from './cursor.ts';
import { isOfOpenRuns, runConditions } from './run-conditions.ts';
import { type RunRow, runSummary } from './run-shapes.ts';
import { waitsOf } from './run-waits.ts';

const SIZES = { usual: 50, most: 200 };
/** Runs that one page looks at, at most: by what their rows say, by their node runs, and by what they wait for. */
const MOST_LOOKED_AT = { rows: 50_000, nodeRuns: 2_000, waits: 1_000 };
type Bounds = Readonly<Record<keyof typeof MOST_LOOKED_AT, number>>;
/** Runs whose waits are read at once. */
const WAITS_AT_ONCE = 200;

/**
 * Runs of a workspace, newest first, page by page. A page costs the rows it holds and those it looks at, of which there are at most 50,000:
 * it starts at the last id of the one before (index `run_by_workspace`; `run_open` where only open runs are meant), and instants narrow the
 * ids, so that old partitions are not looked at. A page may thus be short, or empty, and have one after it.
 *
 * @throws {StoreError} `cursor_invalid`
 */
export async function listRuns(
  orm: Orm,
  workspaceId: string,
  filter: RunFilter = {},
  bounds: Bounds = MOST_LOOKED_AT,
): Promise<Page<RunSummary>> {
  if (filter.waitingFor !== undefined) return listWaitingRuns(orm, workspaceId, filter, bounds);
  const size = pageSize(filter.limit, SIZES);
  const lowest = await lowestLookedAt(orm, workspaceId, filter, bounds);
  const rows = await findRuns(orm, workspaceId, filter, { size: size + 1, lowest });
  const summaries = await summariesOf(orm, rows);
  const page = pageOf(summaries, size, (last) => cursorAfterId(last.id));
  if (page.nextCursor !== undefined || lowest === undefined) return page;
  return { ...page, nextCursor: cursorAfterId(lowest) };
}

/** What a run waits for is derived, so it is compared after it was read, some open runs at a time. */
async function listWaitingRuns(
  orm: Orm,
  workspaceId: string,
  { waitingFor = [], cursor, limit, ...filter }: RunFilter,
  bounds: Bounds,
): Promise<Page<RunSummary>> {
  const size = pageSize(limit, SIZES);
  const found: RunSummary[] = [];
  let last = cursor;
  for (let lookedAt = 0; lookedAt < bounds.waits; lookedAt += WAITS_AT_ONCE) {
    const wish = { ...filter, onlyOpen: true, ...(last !== undefined && { cursor: last }) };
    const rows = await findRuns(orm, workspaceId, wish, { size: WAITS_AT_ONCE });
    const summaries = await summariesOf(orm, rows);
    found.push(...summaries.filter((run) => run.waitingFor && waitingFor.includes(run.waitingFor.kind)));
    if (found.length > size) return pageOf(found, size, (run) => cursorAfterId(run.id));
    if (rows.length < WAITS_AT_ONCE) return { items: found };
    last = cursorAfterId(rows.at(-1)!.id);
  }
  return { items: found, ...(last !== undefined && { nextCursor: last }) };
}

async function findRuns(
  orm: Orm,
  workspaceId: string,
  filter: RunFilter & { readonly onlyOpen?: boolean },
  { size, lowest }: { readonly size: number; readonly lowest?: string | undefined },
): Promise<RunRow[]> {
  const conditions = runConditions(filter);
  if (lowest !== undefined) conditions.push({ id: { $gte: lowest } });
  return orm
    .fork()
    .find(
      RunEntity,
      { workspaceId, $and: conditions },
      { orderBy: { id: 'desc' }, limit: size, disableIdentityMap: true },
    );
}

async function summariesOf(orm: Orm, rows: readonly RunRow[]): Promise<RunSummary[]> {
  const waits = await waitsOf(orm, rows);
  return rows.map((row) => runSummary(row, waits(row.id)));
}

/** The id down to which a page looks; undefined: to the end, because there are no more or because every run fits. */
async function lowestLookedAt(
  orm: Orm,
  workspaceId: string,
  filter: RunFilter,
  bounds: Bounds,
): Promise<string | undefined> {
  const { cursor, limit: _, createdBefore: __, ...narrowing } = filter;
  if (filter.runIds !== undefined || Object.keys(narrowing).length === 0 || isOfOpenRuns(filter))
    return undefined;
  const most = filter.failedNode === undefined ? bounds.rows : bounds.nodeRuns;
  const { rows } = await orm.pool.query<{ id: string }>(
    `select id from run where workspace_id = $1 and ($2::uuid is null or id < $2)
     order by id desc offset $3 limit 1`,
    [workspaceId, cursor === undefined ? null : idOfCursor(cursor), most - 1],
  );
  return rows[0]?.id;
}
