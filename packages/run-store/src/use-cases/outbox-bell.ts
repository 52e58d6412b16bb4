import type { Lane } from '../lane.ts';

/** A doorbell that was committed and is to be rung. */
export interface OutboxBell extends Lane {
  readonly outboxId: number;
  readonly runId: string;
  readonly path: string;
}

/** An outbox row as the status door answers it. */
export type OutboxRow = [
  id: number,
  runId: string,
  path: string,
  pool: string | null,
  priority: number | null,
];

/** The doorbells of outbox rows. @param runs those that the rows may be about; the workspace of a run says whose turn its bells are */
export function outboxBells(
  rows: readonly OutboxRow[],
  runs: Iterable<{ readonly runId: string; readonly workspaceId: string }>,
): OutboxBell[] {
  if (rows.length === 0) return [];
  const workspaces = new Map<string, string>();
  for (const { runId, workspaceId } of runs) workspaces.set(runId, workspaceId);
  return rows.map(([outboxId, runId, path, pool, priority]) => ({
    outboxId,
    runId,
    path,
    pool,
    priority,
    ...(workspaces.has(runId) && { workspaceId: workspaces.get(runId)! }),
  }));
}
