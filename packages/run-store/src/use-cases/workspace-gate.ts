import { StoreError } from '../errors.ts';
import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';

/** How often a full workspace is looked at again. */
const LOOK_AGAIN_MS = 250;
const RETRY_AFTER_MS = 5_000;

const count: Statement = {
  name: 'count-pending-runs',
  text: `
select count(*)::int as waiting from (
  select 1 from run r where r.workspace_id = $1 and r.status = 'pending' limit $2
) pending`,
};

interface Known {
  /** Runs that waited to start at the last look. */
  waiting: number;
  startedSince: number;
  lookedAt: number;
  looking: Promise<void> | undefined;
}

/**
 * Bounds how many runs of a workspace wait to start, so that a flood is refused and not half accepted. It is looked once per tenth of
 * the limit and never per start: each engine may go as much over it. Index: run_open.
 */
export class WorkspaceGate {
  readonly #pool: HotPool;
  readonly #limit: number;
  readonly #known = new Map<string, Known>();

  constructor(pool: HotPool, limit: number) {
    this.#pool = pool;
    this.#limit = limit;
  }

  /** Why a workspace may start no run now; undefined when it may, and the run counts. */
  async refusal(workspaceId: string): Promise<StoreError<'queue_full'> | undefined> {
    const known = this.#of(workspaceId);
    if (this.#isLookDue(known)) await this.#look(workspaceId, known);
    const waiting = known.waiting + known.startedSince;
    if (waiting >= this.#limit)
      return new StoreError('queue_full', {
        ...{ of: 'workspace', waiting, limit: this.#limit, retryAfterMs: RETRY_AFTER_MS },
      });
    known.startedSince += 1;
    return undefined;
  }

  #of(workspaceId: string): Known {
    const known = this.#known.get(workspaceId) ?? {
      ...{ waiting: 0, startedSince: 0, lookedAt: Number.NEGATIVE_INFINITY, looking: undefined },
    };
    this.#known.set(workspaceId, known);
    return known;
  }

  #isLookDue({ waiting, startedSince, lookedAt }: Known): boolean {
    if (waiting + startedSince >= this.#limit) return performance.now() - lookedAt >= LOOK_AGAIN_MS;
    return startedSince >= this.#limit / 10;
  }

  #look(workspaceId: string, known: Known): Promise<void> {
    known.looking ??= this.#count(workspaceId, known).finally(() => {
      known.looking = undefined;
    });
    return known.looking;
  }

  async #count(workspaceId: string, known: Known): Promise<void> {
    const [row] = await runStatement<{ waiting: number }>(this.#pool, count, [workspaceId, this.#limit]);
    known.waiting = row!.waiting;
    known.startedSince = 0;
    known.lookedAt = performance.now();
  }
}
