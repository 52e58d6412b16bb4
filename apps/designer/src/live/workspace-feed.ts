import type { Client, RunSummary, WorkspaceNews } from '@pawl/api';
import type { Attention } from './attention.ts';

/** What a feed needs of the API. */
export type WorkspaceApi = Pick<Client, 'workspaceNews'>;

/** What becomes of what is heard. */
export interface WorkspaceHearing {
  /** Runs that began or changed, each as it stands; never older than what was told of it before. */
  readonly runs: (runs: readonly RunSummary[]) => void;
  readonly inbox: (inbox: Extract<WorkspaceNews, { kind: 'inbox' }>['inbox']) => void;
  /** Something may have been missed: what is shown must be read again. */
  readonly again: () => void;
}

export interface WorkspaceFeedOptions {
  /** Milliseconds in which news is gathered before it is told. */
  readonly gatherMs?: number;
  /** Tells who looks at the page; returns how to stop that. */
  readonly watch?: (attention: Attention) => () => void;
}

/** Runs of which the newest place in the journal is kept; the oldest are forgotten first. */
const MOST_KNOWN = 10_000;
/** After a refusal, such as the end of a session. */
const REFUSED_PAUSE_MS = 5_000;

/**
 * Hears what changes in the workspace while somebody looks. News may be lost, doubled or late: one that is older than what is known of
 * its run is dropped, and after each lost connection everything is read again.
 */
export class WorkspaceFeed {
  readonly #api: WorkspaceApi;
  readonly #hearing: WorkspaceHearing;
  readonly #options: Required<WorkspaceFeedOptions>;
  readonly #newest = new Map<string, number>();
  #gathered = new Map<string, RunSummary>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stream: AbortController | undefined;
  #unwatch: () => void = () => undefined;

  constructor(api: WorkspaceApi, hearing: WorkspaceHearing, options: WorkspaceFeedOptions = {}) {
    this.#api = api;
    this.#hearing = hearing;
    this.#options = { gatherMs: 50, watch: () => () => undefined, ...options };
  }

  start(): void {
    this.#unwatch = this.#options.watch({ wake: () => this.#wake(), sleep: () => this.#sleep() });
    void this.#follow();
  }

  stop(): void {
    this.#unwatch();
    this.#sleep();
    clearTimeout(this.#timer);
  }

  #wake(): void {
    if (this.#stream) this.#hearing.again();
    else void this.#follow();
  }

  #sleep(): void {
    this.#stream?.abort();
    this.#stream = undefined;
  }

  async #follow(): Promise<void> {
    const stream = new AbortController();
    const { signal } = stream;
    this.#stream = stream;
    while (!signal.aborted) {
      try {
        for await (const news of this.#api.workspaceNews({ signal })) this.#hear(news);
      } catch {
        // A session may begin again; until then the pages say what is wrong.
        await new Promise((resolve) => setTimeout(resolve, REFUSED_PAUSE_MS));
      }
    }
  }

  #hear(news: WorkspaceNews): void {
    switch (news.kind) {
      case 'again':
        this.#hearing.again();
        break;
      case 'inbox':
        this.#hearing.inbox(news.inbox);
        break;
      case 'run':
        this.#gather(news.run);
        break;
    }
  }

  #gather(run: RunSummary): void {
    if (run.lastSeq < (this.#newest.get(run.id) ?? 0)) return;
    this.#newest.delete(run.id);
    this.#newest.set(run.id, run.lastSeq);
    if (this.#newest.size > MOST_KNOWN) this.#newest.delete(this.#newest.keys().next().value!);
    this.#gathered.set(run.id, run);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const runs = [...this.#gathered.values()];
      this.#gathered = new Map();
      this.#hearing.runs(runs);
    }, this.#options.gatherMs);
  }
}
