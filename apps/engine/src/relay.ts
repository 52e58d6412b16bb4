import { findUnrung, type HotStore } from '@pawl/run-store';

const AT_ONCE = 1_000;

/**
 * The backstop of the outbox: rings doorbells whose writer did not (it died, or the queue was away). The normal path rings
 * right after the commit and never comes here.
 *
 * @param isOlderThanMs rows younger than this are still their writer's
 * @returns how many were rung
 */
export async function relayOutbox(store: HotStore, isOlderThanMs: number): Promise<number> {
  let rung = 0;
  for (;;) {
    const bells = await findUnrung(store.pool, isOlderThanMs, AT_ONCE);
    if (bells.length === 0) return rung;
    await store.ring(bells);
    rung += bells.length;
    if (bells.length < AT_ONCE) return rung;
  }
}
