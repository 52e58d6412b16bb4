import type { InboxCount, RunSummary } from '@pawl/run-store';
import type { LiveBus } from './live-bus.ts';

/** What somebody who watches a workspace is told. */
export type WorkspaceNews =
  /** A run began or changed: how it stands. */
  | { readonly kind: 'run'; readonly run: RunSummary }
  /** How much waits for a person. */
  | { readonly kind: 'inbox'; readonly count: InboxCount }
  /** More changed than is told one by one, or nobody knows what: read again. */
  | { readonly kind: 'again' };

export interface WorkspaceWatchOptions {
  readonly live: Pick<LiveBus, 'subscribeAll'>;
  /** The runs with these ids that are of one of these workspaces. */
  readonly readRuns: (
    workspaceIds: readonly string[],
    runIds: readonly string[],
  ) => Promise<readonly { readonly workspaceId: string; readonly run: RunSummary }[]>;
  readonly countInbox: (workspaceId: string) => Promise<InboxCount>;
  readonly onTrouble: (error: unknown) => void;
  /** Milliseconds in which changes are gathered before they are read. Default 250. */
  readonly gatherMs?: number;
  /** More runs than these in one go are not read one by one. Default 200. */
  readonly mostRuns?: number;
}

type Listener = (news: WorkspaceNews) => void;

/**
 * Tells those who watch a workspace which of its runs changed. Rules kept here:
 * - while nobody watches, nothing is read;
 * - one reading serves everybody who watches, of whatever workspace, at most every `gatherMs` and of at most `mostRuns` runs, so that
 *   what it costs does not grow with the number of runs or watchers;
 * - each hears of its own workspace only (V14).
 */
export class WorkspaceWatch {
  readonly #options: Required<WorkspaceWatchOptions>;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #counted = new Map<string, InboxCount>();
  #changed = new Set<string>();
  #isUnknown = false;
  #timer: NodeJS.Timeout | undefined;
  #isReading = false;
  #unsubscribe: (() => void) | undefined;

  constructor(options: WorkspaceWatchOptions) {
    this.#options = { gatherMs: 250, mostRuns: 200, ...options };
  }

  /** Calls the listener from now on; the returned function ends that and may be called twice. */
  subscribe(workspaceId: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(workspaceId) ?? new Set();
    this.#listeners.set(workspaceId, listeners.add(listener));
    this.#unsubscribe ??= this.#options.live.subscribeAll((runIds) => this.#hear(runIds));
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0 || this.#listeners.get(workspaceId) !== listeners) return;
      this.#listeners.delete(workspaceId);
      this.#counted.delete(workspaceId);
      if (this.#listeners.size === 0) this.#rest();
    };
  }

  #rest(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changed.clear();
    this.#isUnknown = false;
  }

  /** @param runIds undefined: wake-ups may have been lost */
  #hear(runIds: readonly string[] | undefined): void {
    if (runIds === undefined) this.#isUnknown = true;
    // Whatever is above the bound is not looked at, so it need not be kept.
    else if (this.#changed.size <= this.#options.mostRuns) for (const id of runIds) this.#changed.add(id);
    this.#gather();
  }

  #gather(): void {
    if (this.#isReading || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#read();
    }, this.#options.gatherMs);
  }

  async #read(): Promise<void> {
    const changed = [...this.#changed];
    const isMuch = this.#isUnknown || changed.length > this.#options.mostRuns;
    this.#changed = new Set();
    this.#isUnknown = false;
    this.#isReading = true;
    try {
      const touched = isMuch ? this.#tellAll() : await this.#tellOf(changed);
      await Promise.all(touched.map((workspaceId) => this.#count(workspaceId)));
    } catch (error) {
      this.#options.onTrouble(error);
      this.#tellAll();
    } finally {
      this.#isReading = false;
      if (this.#changed.size > 0 || this.#isUnknown) this.#gather();
    }
  }

  #tellAll(): readonly string[] {
    const workspaceIds = [...this.#listeners.keys()];
    for (const workspaceId of workspaceIds) this.#tell(workspaceId, { kind: 'again' });
    return workspaceIds;
  }

  async #tellOf(runIds: readonly string[]): Promise<readonly string[]> {
    const found = await this.#options.readRuns([...this.#listeners.keys()], runIds);
    for (const { workspaceId, run } of found) this.#tell(workspaceId, { kind: 'run', run });
    return [...new Set(found.map(({ workspaceId }) => workspaceId))];
  }

  async #count(workspaceId: string): Promise<void> {
    const count = await this.#options.countInbox(workspaceId);
    const before = this.#counted.get(workspaceId);
    if (!this.#listeners.has(workspaceId)) return;
    if (before?.count === count.count && before.hasMore === count.hasMore) return;
    this.#counted.set(workspaceId, count);
    this.#tell(workspaceId, { kind: 'inbox', count });
  }

  #tell(workspaceId: string, news: WorkspaceNews): void {
    for (const listener of this.#listeners.get(workspaceId) ?? []) listener(news);
  }
}
