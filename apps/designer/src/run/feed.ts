import { ApiError, type Client, type Delta } from '@pawl/api';
import { compileGraph, type FlowGraph, type RecordedEvent } from '@pawl/dag-core';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { atMostEvery } from '../live/at-most-every.ts';
import type { Attention } from '../live/attention.ts';
import { GapError, RunHistory } from './history.ts';
import { PassingTexts } from './passing-text.ts';
import { leaseLeftMs, type Work } from './work.ts';

/** `behind`: the server has events that are not here and cannot be had; what is shown may be old. */
type FeedPhase = 'loading' | 'live' | 'behind' | 'ended' | 'refused';

export interface FeedState {
  readonly phase: FeedPhase;
  /** Changes in place; `lastSeq` says that it did. */
  readonly history: RunHistory | undefined;
  readonly lastSeq: number;
  /** What workers held when the server was asked last; undefined: not asked, because nothing was under way. */
  readonly work?: Work | undefined;
  /** Why it was refused, or is not here yet. */
  readonly problem?: string | undefined;
}

/** What a feed needs of the API. */
export type FeedApi = Pick<
  Client,
  'getRun' | 'getVersion' | 'listRuns' | 'listWork' | 'readEvents' | 'runEvents'
>;

export interface FeedOptions {
  /** Milliseconds between comparisons with the server. */
  readonly compareMs?: number;
  /** First and greatest pause before what failed is tried again, milliseconds. */
  readonly pauseMs?: { readonly first: number; readonly most: number };
  /** Milliseconds in which events, and text of models, are gathered before they are shown. */
  readonly flushMs?: number;
  /** Tells who looks at the page; returns how to stop that. */
  readonly watch?: (attention: Attention) => () => void;
  /** False: the stream is not heard, and what is new is found by comparing. */
  readonly isHeard?: boolean;
  /** Where the flow of the run is had from; absent: the server is asked for the run, and then for its version. */
  readonly graphOf?: () => Promise<FlowGraph>;
}

const PAGE = 1_000;
/** Leases that are short are not asked about more often than this. */
const MOST_OFTEN_MS = 1_000;

/**
 * Follows one run and never shows less than the journal says without saying so (rule 2 of the designer): events are taken in order and
 * once; a gap is read again; every 15 s, when the connection is lost and when the tab wakes it compares with the journal of the server.
 * While nobody looks it holds no connection: a browser has six of them for all its tabs.
 */
export class RunFeed {
  readonly state: StoreApi<FeedState>;
  /** Text that a model is writing, by path: passing, and dropped when its outcome is recorded. */
  readonly texts: StoreApi<Readonly<Record<string, string>>>;
  readonly #api: FeedApi;
  readonly #runId: string;
  readonly #options: Required<Omit<FeedOptions, 'graphOf'>> & Pick<FeedOptions, 'graphOf'>;
  readonly #over = new AbortController();
  readonly #passing = new PassingTexts();
  /** A burst of events is drawn a few times, not once for each. */
  readonly #tellSoon: () => void;
  #stream: AbortController | undefined;
  #catchingUp: Promise<void> | undefined;
  #pauseMs: number;
  #flush: ReturnType<typeof setTimeout> | undefined;
  #next: ReturnType<typeof setTimeout> | undefined;

  constructor(api: FeedApi, runId: string, options: FeedOptions = {}) {
    this.#api = api;
    this.#runId = runId;
    this.#options = {
      compareMs: 15_000,
      pauseMs: { first: 250, most: 5_000 },
      flushMs: 60,
      watch: () => () => undefined,
      isHeard: true,
      ...options,
    };
    this.#pauseMs = this.#options.pauseMs.first;
    this.#tellSoon = atMostEvery(this.#options.flushMs, () => this.#tell());
    this.state = createStore(() => ({ phase: 'loading', history: undefined, lastSeq: 0 }));
    this.texts = createStore(() => ({}));
  }

  /** Begins to follow; resolves when what was there already is here, or is refused. */
  async start(): Promise<void> {
    const { signal } = this.#over;
    while (!this.state.getState().history) {
      try {
        const graph = await (this.#options.graphOf?.() ?? graphOf(this.#api, this.#runId, signal));
        signal.throwIfAborted();
        this.state.setState({ history: new RunHistory(graph), problem: undefined });
      } catch (error) {
        if (this.#refuse(error)) return;
        this.state.setState({ problem: (error as Error).message });
        await this.#pause();
        if (signal.aborted) return;
      }
    }
    await this.compare();
    signal.addEventListener(
      'abort',
      this.#options.watch({ wake: () => this.#wake(), sleep: () => this.#sleep() }),
    );
    void this.#follow();
  }

  /** Stops following, for good. */
  stop(): void {
    this.#over.abort();
    this.#sleep();
    clearTimeout(this.#flush);
  }

  /** Reads what the server has and is not here, now and again after a while; what fails is tried again sooner. */
  async compare(): Promise<void> {
    let waitMs = this.#options.compareMs;
    try {
      if (this.#isOver) return;
      const wasUnderWay = this.state.getState().history!.isUnderWay;
      // Before the journal is read: what has ended since is then known to have ended.
      const work = wasUnderWay ? await this.#askWork() : undefined;
      await this.#catchUp();
      this.state.setState({ work });
      this.#pauseMs = this.#options.pauseMs.first;
      if (work) waitMs = Math.min(waitMs, Math.max(MOST_OFTEN_MS, leaseLeftMs(work)));
      else if (this.state.getState().history!.isUnderWay) waitMs = 0;
    } catch (error) {
      if (this.#refuse(error)) return;
      this.state.setState({ phase: 'behind' });
      waitMs = this.#nextPause();
    }
    clearTimeout(this.#next);
    if (this.#isOver || this.state.getState().phase === 'ended') return;
    this.#next = setTimeout(() => void this.compare(), waitMs);
  }

  async #askWork(): Promise<Work> {
    const asOf = this.state.getState().lastSeq;
    const { items } = await this.#api.listWork({
      params: { runId: this.#runId },
      signal: this.#over.signal,
    });
    return { asOf, byPath: new Map(items.map((item) => [item.path, item])) };
  }

  get #isOver(): boolean {
    return this.#over.signal.aborted || this.state.getState().phase === 'refused';
  }

  #wake(): void {
    // Also of a run that has ended: an answer that came too late is kept as evidence.
    void this.compare();
    void this.#follow();
  }

  #sleep(): void {
    this.#stream?.abort();
    this.#stream = undefined;
    clearTimeout(this.#next);
  }

  /** Hears the stream until the run has ended, nobody looks, or it is refused. */
  async #follow(): Promise<void> {
    if (this.#stream || this.#isOver || !this.#options.isHeard) return;
    const stream = new AbortController();
    this.#stream = stream;
    const { signal } = stream;
    while (!signal.aborted && !this.#isOver && this.state.getState().phase !== 'ended') {
      try {
        const after = this.state.getState().lastSeq;
        const onLost = () => void this.compare();
        for await (const said of this.#api.runEvents(this.#runId, {
          after,
          values: 'short',
          signal,
          onLost,
        })) {
          if (said.kind === 'delta') this.#hear(said.delta);
          else if (this.#take([said.event])) this.#tellSoon();
          else await this.compare();
        }
        if (!signal.aborted) await this.compare();
      } catch (error) {
        if (signal.aborted || this.#refuse(error)) break;
        this.state.setState({ phase: 'behind' });
        await this.#pause();
      }
    }
    if (this.#stream === stream) this.#stream = undefined;
  }

  /** Reads pages until nothing is missing; one reader at a time. */
  #catchUp(): Promise<void> {
    this.#catchingUp ??= this.#readOn().finally(() => {
      this.#catchingUp = undefined;
    });
    return this.#catchingUp;
  }

  async #readOn(): Promise<void> {
    for (;;) {
      const { events, ended } = await this.#api.readEvents({
        params: { runId: this.#runId },
        query: { after: this.state.getState().history!.lastSeq, limit: PAGE, values: 'short' },
        headers: {},
        signal: this.#over.signal,
      });
      if (!this.#take(events)) throw new Error('The server left events out');
      this.#tell();
      // A page may be short without being the last one.
      if (events.length === 0 || ended) return;
    }
  }

  /** @returns false when events before them are missing */
  #take(events: readonly RecordedEvent[]): boolean {
    const history = this.state.getState().history!;
    try {
      for (const event of events) if (history.take(event)) this.#passing.follow(event);
      return true;
    } catch (error) {
      if (error instanceof GapError) return false;
      throw error;
    } finally {
      this.#show();
    }
  }

  #tell(): void {
    const { history } = this.state.getState();
    if (!history) return;
    this.state.setState({ lastSeq: history.lastSeq, phase: history.hasEnded ? 'ended' : 'live' });
  }

  #hear({ path, attempt, from = 0, text }: Delta): void {
    if (text === undefined || !this.#passing.take(path, { attempt, from, text })) return;
    this.#flush ??= setTimeout(() => {
      this.#flush = undefined;
      this.#show();
    }, this.#options.flushMs);
  }

  #show(): void {
    const changed = this.#passing.changed();
    if (changed.size === 0) return;
    const texts = { ...this.texts.getState() };
    for (const [path, text] of changed) {
      if (text === undefined) delete texts[path];
      else texts[path] = text;
    }
    this.texts.setState(texts, true);
  }

  #nextPause(): number {
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(pauseMs * 2, this.#options.pauseMs.most);
    return pauseMs;
  }

  #pause(): Promise<void> {
    const { signal } = this.#over;
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, this.#nextPause());
      signal.addEventListener('abort', done);
    });
  }

  /** @returns whether it was an answer of the server that no second try changes */
  #refuse(error: unknown): boolean {
    if (this.#over.signal.aborted) return true;
    // Who was signed out can sign in again; who asked too often may ask later.
    const isFinal = error instanceof ApiError && error.status < 500 && ![401, 429].includes(error.status);
    if (isFinal) this.state.setState({ phase: 'refused', problem: error.message });
    return isFinal;
  }
}

/** The flow of a run, found without what went in and came out, which may be long. */
async function graphOf(
  api: Pick<FeedApi, 'getRun' | 'listRuns' | 'getVersion'>,
  runId: string,
  signal: AbortSignal,
): Promise<FlowGraph> {
  const { items } = await api.listRuns({ query: { run: runId, limit: 1 }, signal });
  // For the engine's own words about a run that is not there.
  const { flow, version } = items[0] ?? (await api.getRun({ params: { runId }, signal }));
  const { document } = await api.getVersion({ params: { flow, versionId: version }, signal });
  return compileGraph(document);
}
