import type { WorkState } from '@pawl/api';
import type { DoorbellQueue } from '@pawl/queue';
import { countBacklog, listWorkers, MOST_READY, type Orm } from '@pawl/run-store';

/** Who works, by PostgreSQL, and what waits, by PostgreSQL and by the queue; a queue that does not answer is left out. */
export async function workState(
  {
    orm,
    queue,
    queueKind,
  }: { readonly orm: Orm; readonly queue: DoorbellQueue; readonly queueKind: WorkState['queue'] },
  workspaceId: string,
): Promise<WorkState> {
  const [workers, backlog] = await Promise.all([listWorkers(orm, workspaceId), countBacklog(orm)]);
  const names = new Set([...workers.flatMap(({ pools }) => pools), ...backlog.map(({ pool }) => pool)]);
  const pools = await Promise.all(
    [...names].sort().map(async (pool) => {
      const jobs = await queue.depth(pool).catch(() => undefined);
      const { ready = 0, inLine = 0, oldest } = backlog.find((each) => each.pool === pool) ?? {};
      const serving = workers.filter((worker) => worker.pools.includes(pool)).length;
      return { pool, workers: serving, ready, inLine, ...(oldest && { oldest }), ...(jobs && { jobs }) };
    }),
  );
  const counted = backlog.reduce((sum, { ready }) => sum + ready, 0);
  return { workers, pools, queue: queueKind, isCut: counted >= MOST_READY };
}
