import { checkRowsEqualFold } from '@pawl/run-store';
import type { BenchFlow } from './flows.ts';
import type { System } from './system.ts';

/** How many runs of a workload are folded from their journals. */
const SAMPLE = 20;

/**
 * Checks that figures are of correct work: every run succeeded with as many node runs as drawn, and rows equal the fold of their journals (V12) on a sample.
 *
 * @throws {Error} saying what is wrong
 */
export async function checkResults(
  system: System,
  flow: BenchFlow,
  runIds: readonly string[],
): Promise<void> {
  const name = flow.document.name;
  const { rows } = await system.pool.query<{ status: string; count: number }>(
    'select status, count(*)::int as count from run where id = any($1::uuid[]) group by status',
    [runIds],
  );
  if (rows.length !== 1 || rows[0]!.status !== 'succeeded' || rows[0]!.count !== runIds.length)
    throw new Error(`${name}: expected ${runIds.length} succeeded runs, found ${JSON.stringify(rows)}.`);

  const sample = sampleOf(runIds);
  const { rows: counts } = await system.pool.query<{ run_id: string; done: number; total: number }>(
    `select run_id, count(*) filter (where status = 'succeeded')::int as done, count(*)::int as total
     from node_run where run_id = any($1::uuid[]) group by run_id`,
    [sample],
  );
  for (const { run_id, done, total } of counts) {
    const expected = flow.rows ?? flow.nodeRuns;
    if (done !== expected || total !== expected)
      throw new Error(
        `${name}: run ${run_id} has ${done} succeeded of ${total} node runs; expected ${expected}.`,
      );
  }
  const { checkedRuns, differences } = await checkRowsEqualFold(system.pool, sample);
  if (checkedRuns !== sample.length || differences.length > 0)
    throw new Error(
      `${name}: rows differ from the fold of their journals: ${JSON.stringify(differences.slice(0, 3))}.`,
    );
}

/** Spread evenly, first and last included. */
function sampleOf(runIds: readonly string[]): string[] {
  if (runIds.length <= SAMPLE) return [...runIds];
  return Array.from(
    { length: SAMPLE },
    (_, i) => runIds[Math.floor((i * (runIds.length - 1)) / (SAMPLE - 1))]!,
  );
}
