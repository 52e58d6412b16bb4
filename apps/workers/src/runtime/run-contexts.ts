import { isTerminalNodeRun } from '@pawl/dag-core';
import {
  type ClaimedNodeRun,
  GroupCommitter,
  type HotStore,
  type LoadedOutput,
  loadEvents,
  loadOutputs,
  type NodeRunKey,
  resolveEventData,
  resolveValue,
  throughTrouble,
} from '@pawl/run-store/work';
import { type EndedView, type OutputReader, RunContext } from './run-context.ts';

/** Runs of which a worker keeps what it knows; the least recently used goes first. */
const KEPT = 500;

/** What a worker knows of the runs it works on, and how it learns more: outputs are read many at once. */
export class RunContexts {
  readonly #store: HotStore;
  readonly #contexts = new Map<string, RunContext>();
  readonly #outputs: GroupCommitter<NodeRunKey, LoadedOutput | undefined>;
  readonly #reader: OutputReader = { read: (runId, path) => this.#read(runId, path) };

  constructor(store: HotStore) {
    this.#store = store;
    this.#outputs = new GroupCommitter<NodeRunKey, LoadedOutput | undefined>({
      keyOf,
      batchSize: 200,
      batchesInFlight: 2,
      send: async (keys) => {
        const outputs = await throughTrouble(() => loadOutputs(store.pool, keys));
        const found = new Map(outputs.map((output) => [keyOf(output), output]));
        return keys.map((key) => found.get(keyOf(key)));
      },
    });
  }

  has(runId: string): boolean {
    return this.#contexts.has(runId);
  }

  forget(runId: string): void {
    this.#contexts.delete(runId);
  }

  /** The context of the run that claimed node runs belong to; its first event came with the claim, or is read. */
  async get(claimed: readonly [ClaimedNodeRun, ...ClaimedNodeRun[]]): Promise<RunContext> {
    const { runId } = claimed[0];
    const context = this.#contexts.get(runId) ?? (await this.#load(claimed));
    this.#contexts.delete(runId);
    this.#contexts.set(runId, context);
    const oldest = this.#contexts.keys().next().value;
    if (this.#contexts.size > KEPT && oldest !== undefined) this.#contexts.delete(oldest);
    return context;
  }

  async #load(claimed: readonly [ClaimedNodeRun, ...ClaimedNodeRun[]]): Promise<RunContext> {
    const { runId, workspaceId, versionId } = claimed[0];
    const graph = await this.#store.graphs.get(workspaceId, versionId);
    const first = claimed.find((handle) => handle.admitted) ?? (await this.#admitted(runId));
    const { input, seed, trace, undoesRun } = await resolveEventData(this.#store.pool, first.admitted!);
    return new RunContext(
      { runId, workspaceId, versionId, graph, input, seed, startedAtMs: first.admittedAt!, trace, undoesRun },
      this.#reader,
    );
  }

  async #admitted(runId: string): Promise<Pick<ClaimedNodeRun, 'admitted' | 'admittedAt'>> {
    const [event] = await loadEvents(this.#store.pool, [{ runId, seq: 1 }]);
    if (event?.type !== 'run.admitted') throw new Error(`Run ${runId} has no first event`);
    return { admitted: event.data, admittedAt: event.at };
  }

  async #read(runId: string, path: string): Promise<EndedView | undefined> {
    const found = await this.#outputs.commit({ runId, path });
    if (!found || !isTerminalNodeRun(found.status)) return undefined;
    const { status, failure, outputRef, asked } = found;
    const output = outputRef
      ? JSON.parse(await throughTrouble(() => resolveValue(this.#store.pool, outputRef)))
      : found.output;
    return {
      status,
      ...(output !== undefined && { output }),
      ...(failure && { failure: failure as never }),
      ...(asked && { asked }),
    };
  }
}

const keyOf = ({ runId, path }: NodeRunKey) => `${runId} ${path}`;
