import { compileGraph, type FlowGraph } from '@pawl/dag-core';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type FeedApi, type FeedOptions, type FeedState, RunFeed } from './feed.ts';
import { RunHistory } from './history.ts';
import type { SubFlowRef } from './shown-runs.ts';

/** Most runs of sub-flows whose streams are heard at a time: a browser has six connections for all tabs. */
const MOST_STREAMS = 2;
/** Milliseconds between comparisons of the others. */
const UNHEARD_COMPARE_MS = 2_000;

/** The feeds of those runs of sub-flows that are looked at, and of no others. */
export class SubFeeds {
  /** How far each is, by run. */
  readonly state: StoreApi<ReadonlyMap<string, FeedState>>;
  readonly #api: FeedApi;
  readonly #options: FeedOptions;
  readonly #feeds = new Map<string, { readonly feed: RunFeed; readonly isHeard: boolean }>();
  /** Versions do not change: what was read of one holds for all of its runs. */
  readonly #graphs = new Map<string, Promise<FlowGraph>>();
  readonly #known = new Map<string, FlowGraph>();

  constructor(api: FeedApi, options: FeedOptions = {}) {
    this.#api = api;
    this.#options = options;
    this.state = createStore(() => new Map());
  }

  /** Follows these runs from here on, and lets go of all others. */
  keep(refs: readonly SubFlowRef[]): void {
    const wanted = new Set(refs.map(({ runId }) => runId));
    for (const [runId, { feed }] of this.#feeds)
      if (!wanted.has(runId)) {
        feed.stop();
        this.#feeds.delete(runId);
        this.#show(runId, undefined);
      }
    for (const ref of refs) if (!this.#feeds.has(ref.runId)) this.#follow(ref);
  }

  feedOf(runId: string): RunFeed | undefined {
    return this.#feeds.get(runId)?.feed;
  }

  /** What is here of a run; where only its version is, that nothing of it is known yet. */
  stateOf({ runId, versionId }: SubFlowRef): FeedState | undefined {
    const state = this.state.getState().get(runId);
    const graph = this.#known.get(versionId);
    if (state?.history || !graph) return state;
    return { phase: 'loading', lastSeq: 0, ...state, history: new RunHistory(graph) };
  }

  #follow(ref: SubFlowRef): void {
    const { runId } = ref;
    const isHeard = this.#streams < MOST_STREAMS;
    const feed = new RunFeed(this.#api, runId, {
      ...this.#options,
      isHeard,
      ...(!isHeard && { compareMs: UNHEARD_COMPARE_MS }),
      graphOf: () => this.#graphOf(ref),
    });
    this.#feeds.set(runId, { feed, isHeard });
    feed.state.subscribe((state) => {
      if (this.#feeds.get(runId)?.feed === feed) this.#show(runId, state);
    });
    this.#show(runId, feed.state.getState());
    void feed.start();
  }

  get #streams(): number {
    return [...this.#feeds.values()].filter(
      ({ feed, isHeard }) => isHeard && feed.state.getState().phase !== 'ended',
    ).length;
  }

  #graphOf({ flow, versionId }: SubFlowRef): Promise<FlowGraph> {
    let graph = this.#graphs.get(versionId);
    if (!graph) {
      graph = this.#api
        .getVersion({ params: { flow, versionId } })
        .then(({ document }) => compileGraph(document));
      this.#graphs.set(versionId, graph);
      graph.then(
        (read) => this.#known.set(versionId, read),
        () => this.#graphs.delete(versionId),
      );
    }
    return graph;
  }

  #show(runId: string, state: FeedState | undefined): void {
    const states = new Map(this.state.getState());
    if (state) states.set(runId, state);
    else states.delete(runId);
    this.state.setState(states, true);
  }
}
