import { compileGraph, type Fact, type FlowDocument, type FlowGraph, type JsonObject } from '@pawl/dag-core';
import { expect } from 'vitest';
import {
  claimNodeRuns,
  DEFAULT_WORKSPACE_ID,
  HotStore,
  newId,
  newRunId,
  publishFlow,
  registerWorker,
} from '../../src/index.ts';
import { openTestStore, type TestStore } from './seed.ts';

const workspaceId = DEFAULT_WORKSPACE_ID;

/** A migrated database with the contended side of the store. */
export interface DrivenStore extends TestStore {
  readonly hot: HotStore;
}

export async function openDrivenStore(): Promise<DrivenStore> {
  const store = await openTestStore();
  const hot = await HotStore.open({
    url: store.url,
    ring: async () => {},
    onError: (error) => expect.fail(error.message),
  });
  return {
    ...store,
    hot,
    async close() {
      await hot.close();
      await store.close();
    },
  };
}

/** A run that is driven by facts, as a worker would. */
export class DrivenRun {
  readonly runId = newRunId();
  readonly workerId = newId();
  readonly graph: FlowGraph;
  readonly #store: DrivenStore;

  private constructor(store: DrivenStore, graph: FlowGraph) {
    this.#store = store;
    this.graph = graph;
  }

  static async start(
    store: DrivenStore,
    document: JsonObject,
    budget: Record<string, number> = { costUsd: 1 },
  ): Promise<DrivenRun> {
    const flow = document.name as string;
    const { version } = await publishFlow(store.orm, { workspaceId, flow, document });
    const run = new DrivenRun(store, compileGraph(document as unknown as FlowDocument));
    const { workerId } = run;
    const identity = {
      id: workerId,
      lockKey: '1',
      host: 'h',
      pid: 1,
      processStarted: '1',
      pools: ['default'],
    };
    await registerWorker(store.pool, identity, 60_000);
    await store.hot.admit({
      runId: run.runId,
      workspaceId,
      flow,
      versionId: version.id,
      graph: run.graph,
      input: { text: 'a\u0000b' },
      budget,
      tags: { team: 'red' },
      trigger: 'api',
      seed: '1',
    });
    return run;
  }

  async claim(path: string): Promise<number> {
    const [claimed] = await claimNodeRuns(
      this.#store.hot.pool,
      this.workerId,
      [{ runId: this.runId, path }],
      [],
    );
    return claimed!.attempt;
  }

  async tell(fact: Fact): Promise<void> {
    const { verdicts } = await this.#store.hot.commit({
      runId: this.runId,
      graph: this.graph,
      facts: [fact],
    });
    expect(verdicts).toEqual(['applied']);
  }

  async succeed(path: string, output: string | number): Promise<void> {
    const attempt = await this.claim(path);
    await this.tell({ type: 'succeeded', path, attempt, workerId: this.workerId, output });
  }
}
