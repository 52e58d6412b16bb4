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

export const outboxBell = ([outboxId, runId, path, pool, priority]: OutboxRow): OutboxBell => ({
  outboxId,
  runId,
  path,
  pool,
  priority,
});
