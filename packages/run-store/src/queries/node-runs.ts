import type { Json, RecordedEvent } from '@pawl/dag-core';
import { NodeRunEntity } from '../entities/node-run.ts';
import type { Orm } from '../entities/orm.ts';
import type { NodeRunDetail, NodeRunSummary, Page } from '../store-types.ts';
import { cursorAfterPath, pageOf, pageSize, pathOfCursor } from './cursor.ts';
import { eventsOfNodeRun } from './events.ts';
import { findRun, type RunRef } from './find-run.ts';
import { placesOf } from './places-in-line.ts';
import { failureOf, type NodeRunRow, nodeRunSummary, type ReadyWaits } from './run-shapes.ts';
import { servedPools } from './served-pools.ts';

const SIZES = { usual: 200, most: 1_000 };

/**
 * Node runs of a run by path (byte order), page by page.
 *
 * @param node  only those of the node with this id
 * @param path  only the one at this path
 * @param limit 1…1,000, default 200
 * @throws {StoreError} `cursor_invalid`
 * @returns undefined when the workspace has no such run (V14)
 */
export async function listNodeRuns(
  orm: Orm,
  {
    node,
    path,
    cursor,
    limit,
    ...ref
  }: RunRef & { node?: string; path?: string; cursor?: string; limit?: number },
): Promise<Page<NodeRunSummary> | undefined> {
  const em = orm.fork();
  const run = await findRun(em, ref);
  if (!run || path?.includes('\u0000')) return undefined;
  const size = pageSize(limit, SIZES);
  const rows = await em.find(
    NodeRunEntity,
    {
      runId: run.id,
      ...(node !== undefined && { nodeId: node }),
      ...(path !== undefined && { $and: [{ path }] }),
      ...(cursor !== undefined && { path: { $gt: pathOfCursor(cursor) } }),
    },
    { orderBy: { path: 'asc' }, limit: size + 1, disableIdentityMap: true },
  );
  const ready = await readyWaits(orm, run.id, rows);
  const summaries = rows.map((row) => nodeRunSummary(row, ready));
  return pageOf(summaries, size, (last) => cursorAfterPath(last.path));
}

/** A node run with its output, its failure and its part of the journal; undefined when there is none such in the workspace. */
export async function getNodeRun(
  orm: Orm,
  { path, ...ref }: RunRef & { path: string },
): Promise<NodeRunDetail | undefined> {
  const em = orm.fork();
  const run = await findRun(em, ref);
  if (!run || path.includes('\u0000')) return undefined;
  const row = await em.findOne(NodeRunEntity, { runId: run.id, path });
  if (!row) return undefined;
  const events = await eventsOfNodeRun(orm, run.id, path);
  const output = outputOf(events.find((event) => event.seq === row.outputSeq));
  const failure = failureOf(row);
  return {
    ...nodeRunSummary(row, await readyWaits(orm, run.id, [row])),
    ...(output !== undefined && { output }),
    ...(failure && { failure }),
    events,
  };
}

/** Looked up only where something waits for a worker. */
async function readyWaits(
  orm: Orm,
  runId: string,
  rows: readonly Pick<NodeRunRow, 'status' | 'path'>[],
): Promise<ReadyWaits | undefined> {
  const ready = rows.filter(({ status }) => status === 'ready').map(({ path }) => path);
  if (ready.length === 0) return undefined;
  const [served, places] = await Promise.all([servedPools(orm), placesOf(orm, runId, ready)]);
  return { served, places };
}

/** A node run that went on with its fallback value has that value as its output. */
function outputOf(event: RecordedEvent | undefined): Json | undefined {
  if (event?.type === 'outcome.succeeded') return event.data.output;
  return event?.type === 'outcome.failed' ? event.data.fallback : undefined;
}
