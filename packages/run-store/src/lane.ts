/** The lane a doorbell is rung on, as it is stored. */
export interface Lane {
  /** Whose workers are to hear it; absent or null: the default pool. */
  readonly pool?: string | null;
  /** Of its run, 1 (first) to 9 (last); absent or null: {@link DEFAULT_PRIORITY}. */
  readonly priority?: number | null;
}

/** How a queue is to ring: `priority` 0 is answered first, then 1, 2, … */
export interface Ring {
  readonly pool?: string;
  readonly priority: number;
}

/** The priority of runs that name none. */
export const DEFAULT_PRIORITY = 5;

/**
 * Doorbells by the way they are rung, in the order in which the ways first occur. Runs of the usual priority and more urgent ones
 * share the queue's fast way: a queue that is short needs no order, and a long one is put in order before it (see `parked`).
 */
export function byRing<T extends Lane>(bells: readonly T[]): { readonly ring: Ring; readonly bells: T[] }[] {
  const rings = new Map<string, { ring: Ring; bells: T[] }>();
  for (const bell of bells) {
    const pool = bell.pool ?? undefined;
    const priority = Math.max(0, (bell.priority ?? DEFAULT_PRIORITY) - DEFAULT_PRIORITY);
    const key = `${priority} ${pool ?? ''}`;
    const found = rings.get(key);
    if (found) found.bells.push(bell);
    else rings.set(key, { ring: { priority, ...(pool !== undefined && { pool }) }, bells: [bell] });
  }
  return [...rings.values()];
}
