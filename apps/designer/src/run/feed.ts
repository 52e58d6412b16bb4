import { ApiError, type Client, type Delta } from '@pawl/api';
import { compileGraph, type RecordedEvent } from '@pawl/dag-core';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { GapError, RunHistory } from './history.ts';

/** `behind`: the server has events that are not here and cannot be had; what is shown may be old. */
type FeedPhase = 'loading' | 'live' | 'behind' | 'ended' | 'refused';

export interface FeedState {
  readonly phase: FeedPhase;
  /** Changes in place; `lastSeq` says that it did. */
  readonly history: RunHistory | undefined;
  readonly lastSeq: number;
  /** Why it was refused. */
  readonly problem?: string | undefined;
}

/** What a feed needs of the API. */
export type FeedApi = Pick<Client, 'getRun' | 'getVersion' | 'readEvents' | 'runEvents'>;

export interface FeedOptions {
  /** Milliseconds between comparisons with the server. */
  readonly compareMs?: number;
  /** Milliseconds in which text of models is gathered before it is shown. */
  readonly flushMs?: number;
  /** Calls back when the tab is looked at again; returns how to stop that. */
  readonly onWake?: (call: () => void) => () => void;
}

const PAGE = 1_000;

/**
 * Follows one run and never shows less than the journal says without saying so (rule 2 of the designer): events are taken in order and
 * once; a gap is read again; every 15 s and when the tab wakes it compares with the server.
 */
export class RunFeed {
  readonly state: StoreApi<FeedState>;
  /** Text that a model is writing, by path: passing, and dropped when its outcome is recorded. */
  readonly texts: StoreApi<Readonly<Record<string, string>>>;
  readonly #api: FeedApi;
  readonly #runId: string;
  readonly #options: Required<FeedOptions>;
  readonly #over = new AbortController();
  #catchingUp: Promise<void> | undefined;
  #heard = new Map<string, string>();
  #flush: ReturnType<typeof setTimeout> | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;

  constructor(api: FeedApi, runId: string, options: FeedOptions = {}) {
    this.#api = api;
    this.#runId = runId;
    this.#options = { compareMs: 15_000, flushMs: 60, onWake: () => () => undefined, ...options };
    this.state = createStore(() => ({ phase: 'loading', history: undefined, lastSeq: 0 }));
    this.texts = createStore(() => ({}));
  }

  /** Begins to follow; resolves when what was there already is here. */
  async start(): Promise<void> {
    try {
      const run = await this.#api.getRun({ params: { runId: this.#runId }, signal: this.#over.signal });
      const { document } = await this.#api.getVersion({
        params: { flow: run.flow, versionId: run.version },
        signal: this.#over.signal,
      });
      this.state.setState({ history: new RunHistory(compileGraph(document)) });
      await this.#catchUp();
    } catch (error) {
      this.#refuse(error);
      return;
    }
    if (this.state.getState().phase === 'ended') return;
    const timer = setInterval(() => void this.compare(), this.#options.compareMs);
    const sleepAgain = this.#options.onWake(() => void this.compare());
    this.#over.signal.addEventListener('abort', () => {
      clearInterval(timer);
      sleepAgain();
    });
    void this.#follow();
  }

  /** Stops following, for good. */
  stop(): void {
    this.#over.abort();
    clearTimeout(this.#flush);
    clearTimeout(this.#again);
  }

  /** Asks the server how far the run is, and reads what is missing here. */
  async compare(): Promise<void> {
    const { phase } = this.state.getState();
    if (this.#over.signal.aborted || phase === 'ended' || phase === 'refused') return;
    try {
      const { lastSeq } = await this.#api.getRun({
        params: { runId: this.#runId },
        signal: this.#over.signal,
      });
      if (lastSeq > this.state.getState().lastSeq) await this.#catchUp();
      else this.#tell();
    } catch (error) {
      if (!this.#over.signal.aborted && !this.#refuse(error)) this.state.setState({ phase: 'behind' });
    }
  }

  async #follow(): Promise<void> {
    const { signal } = this.#over;
    try {
      const after = this.state.getState().lastSeq;
      for await (const said of this.#api.runEvents(this.#runId, { after, values: 'short', signal })) {
        if (said.kind === 'delta') this.#hear(said.delta);
        else if (this.#take([said.event])) this.#tell();
        else await this.#catchUp();
      }
      if (!signal.aborted) await this.compare();
    } catch (error) {
      if (signal.aborted || this.#refuse(error)) return;
      this.state.setState({ phase: 'behind' });
      this.#again = setTimeout(() => void this.#follow(), this.#options.compareMs);
    }
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
      const page = await this.#api.readEvents({
        params: { runId: this.#runId },
        query: { after: this.state.getState().history!.lastSeq, limit: PAGE, values: 'short' },
        headers: {},
        signal: this.#over.signal,
      });
      this.#take(page.events);
      this.#tell();
      if (page.events.length < PAGE) return;
    }
  }

  /** @returns false when events before them are missing */
  #take(events: readonly RecordedEvent[]): boolean {
    const history = this.state.getState().history!;
    try {
      for (const event of events) {
        history.take(event);
        if (event.type.startsWith('outcome.') || event.type === 'attempt.lost') this.#forget(event.path);
      }
      return true;
    } catch (error) {
      if (error instanceof GapError) return false;
      throw error;
    }
  }

  #tell(): void {
    const { history } = this.state.getState();
    if (!history) return;
    this.state.setState({ lastSeq: history.lastSeq, phase: history.hasEnded ? 'ended' : 'live' });
  }

  #hear({ path, text }: Delta): void {
    if (text === undefined) return;
    this.#heard.set(path, (this.#heard.get(path) ?? this.texts.getState()[path] ?? '') + text);
    this.#flush ??= setTimeout(() => {
      this.#flush = undefined;
      this.texts.setState(Object.fromEntries(this.#heard));
      this.#heard = new Map();
    }, this.#options.flushMs);
  }

  #forget(path: string): void {
    this.#heard.delete(path);
    const { [path]: known, ...others } = this.texts.getState();
    if (known !== undefined) this.texts.setState(others, true);
  }

  /** @returns whether it was an answer of the server that no second try changes */
  #refuse(error: unknown): boolean {
    if (this.#over.signal.aborted) return true;
    const isFinal =
      this.state.getState().history === undefined ||
      // Who was signed out can sign in again.
      (error instanceof ApiError && error.status < 500 && error.status !== 401);
    if (isFinal) this.state.setState({ phase: 'refused', problem: (error as Error).message });
    return isFinal;
  }
}
