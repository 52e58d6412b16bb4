/** The lane a doorbell is rung on, as it is stored. */
export interface Lane {
  /** Whose workers are to hear it; absent or null: the default pool. */
  readonly pool?: string | null;
  /** Of its run, 1 (first) to 9 (last); absent or null: {@link DEFAULT_PRIORITY}. */
  readonly priority?: number | null;
  /** Whose run it is: where many wait, workspaces take turns. */
  readonly workspaceId?: string;
}

/** How a queue is to ring. */
export interface Ring {
  readonly pool?: string;
  /** 1 (first) to 9 (last). */
  readonly priority: number;
}

/** The priority of runs that name none. */
export const DEFAULT_PRIORITY = 5;

/** Doorbells by the way they are rung, in the order in which the ways first occur. */
export function byRing<T extends Lane>(bells: readonly T[]): { readonly ring: Ring; readonly bells: T[] }[] {
  const rings = new Map<string, { ring: Ring; bells: T[] }>();
  for (const bell of bells) {
    const pool = bell.pool ?? undefined;
    const priority = bell.priority ?? DEFAULT_PRIORITY;
    const key = `${priority} ${pool ?? ''}`;
    const found = rings.get(key);
    if (found) found.bells.push(bell);
    else rings.set(key, { ring: { priority, ...(pool !== undefined && { pool }) }, bells: [bell] });
  }
  return [...rings.values()];
}
