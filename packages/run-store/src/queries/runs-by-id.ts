import type { Orm } from '../entities/orm.ts';
import { RunEntity } from '../entities/run.ts';
import type { RunSummary } from '../store-types.ts';
import { runSummary } from './run-shapes.ts';
import { waitsOf } from './run-waits.ts';

/** A run with the workspace that it is of. */
export interface RunOfWorkspace {
  readonly workspaceId: string;
  readonly run: RunSummary;
}

/** The runs with these ids that are of one of these workspaces, in no order. Costs the rows it gives: primary key. */
export async function runsById(
  orm: Orm,
  workspaceIds: readonly string[],
  runIds: readonly string[],
): Promise<readonly RunOfWorkspace[]> {
  const rows = await orm
    .fork()
    .find(
      RunEntity,
      { id: { $in: [...runIds] }, workspaceId: { $in: [...workspaceIds] } },
      { disableIdentityMap: true },
    );
  const waits = await waitsOf(orm, rows);
  return rows.map((row) => ({ workspaceId: row.workspaceId, run: runSummary(row, waits(row.id)) }));
}
