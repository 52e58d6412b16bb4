import {
  checkRowsEqualFold,
  type HotPool,
  isId,
  type RowDifference,
  type RunRepair,
  repairRows,
} from '@pawl/run-store';
import type { Finding, Treatment } from './finding.ts';

/** Looks whether rows are the fold of their journals (V12), and writes them anew where they are not, if it is to. */
export async function examineRows(pool: HotPool, { isRepairing, runIds }: Treatment): Promise<Finding> {
  const noId = runIds?.find((runId) => !isId(runId));
  if (noId !== undefined)
    return { check: 'rows', ok: false, detail: `"${noId}" is no id of a run; "pawl run list" shows them.` };
  return isRepairing ? repair(pool, runIds) : check(pool, runIds);
}

async function check(pool: HotPool, runIds: readonly string[] | undefined): Promise<Finding> {
  const { checkedRuns, checkedNodeRuns, differences } = await checkRowsEqualFold(pool, runIds);
  const checked = `${checkedRuns} runs with ${checkedNodeRuns} node runs`;
  const [first] = differences;
  if (!first) return { check: 'rows', ok: true, detail: `${checked} are the fold of their journals` };
  return {
    check: 'rows',
    ok: false,
    detail: `${differences.length} facts of ${checked} differ from the journal, first: ${told(first)}. "pawl doctor --repair" writes them anew from the journal.`,
    differences,
  };
}

async function repair(pool: HotPool, runIds: readonly string[] | undefined): Promise<Finding> {
  const repairs: RunRepair[] = [];
  for await (const one of repairRows(pool, runIds)) repairs.push(one);
  const differences = repairs.flatMap((one) => one.differences);
  const [refused] = repairs.flatMap((one) => one.refused ?? []);
  if (refused) return { check: 'rows', ok: false, detail: refused, differences };
  if (repairs.length === 0) return { check: 'rows', ok: true, detail: 'nothing to repair' };
  const lost = repairs.reduce((sum, one) => sum + one.lost.length, 0);
  const detail = `${differences.length} facts of ${repairs.length} runs were written anew from their journals${lost > 0 ? `; ${lost} attempts that nobody held count as lost` : ''}`;
  return { check: 'rows', ok: true, detail, differences };
}

function told({ runId, path, fact, row, fold }: RowDifference): string {
  const where = `run ${runId}${path ? ` at ${path}` : ''}`;
  return `${fact} of ${where} is ${JSON.stringify(row)} in the row, ${JSON.stringify(fold)} by the journal`;
}
