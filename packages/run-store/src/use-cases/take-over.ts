import type { HotStore } from '../hot-store.ts';
import { findForgotten, findHeldNodeRuns } from '../sql/find-work-to-sweep.ts';
import { declareDeadWorker } from '../sql/worker-leases.ts';

const AT_ONCE = 500;

/**
 * Takes over what dead workers hold: pure, idempotent and model node runs become ready again, a non-repeatable one with an
 * intent becomes uncertain (V5). Two sweepers doing this at once do it once: each `lost` names worker and attempt (V3).
 *
 * A dead worker may also have been handed doorbells that it had not answered yet; the queue notices that late. So the oldest
 * ready node runs are rung again: a doorbell too many is harmless.
 *
 * @returns how many node runs were taken over
 */
export async function takeOver(
  store: HotStore,
  workerIds: readonly string[],
  reason: string,
): Promise<number> {
  if (workerIds.length === 0) return 0;
  // First the leases, so that a worker that is alive after all learns it with its next renewal and claims nothing more.
  for (const id of workerIds) await declareDeadWorker(store.pool, id);
  const taken = await takeHeld(store, workerIds, reason);
  await store.limits.takeBack(workerIds);
  await store.ringAgain(await findForgotten(store.pool, 0, AT_ONCE, workerIds));
  // Nor may it have looked for the signals that its node runs wait for, or told other runs what its own said.
  await store.signals.lookEverywhere();
  await store.words.tellLate(0);
  return taken;
}

async function takeHeld(store: HotStore, workerIds: readonly string[], reason: string): Promise<number> {
  let taken = 0;
  for (;;) {
    const held = await findHeldNodeRuns(store.pool, workerIds, AT_ONCE);
    if (held.length === 0) return taken;
    const results = await Promise.all(
      held.map(async ({ runId, path, attempt, workerId, workspaceId, versionId }) => {
        const graph = await store.graphs.get(workspaceId, versionId);
        return store.commit({ runId, graph, facts: [{ type: 'lost', path, attempt, workerId, reason }] });
      }),
    );
    const applied = results.filter((result) => result.verdicts[0] === 'applied').length;
    taken += applied;
    if (applied === 0) return taken;
  }
}
