import {
  AllRows,
  applyEvent,
  compileGraph,
  type Fact,
  type FlowDocument,
  type JournalEvent,
  type NodeRunState,
  type RunState,
  RunView,
} from '@pawl/dag-core';
import { LoadedRows } from '../../../run-store/src/loaded-rows.ts';
import { decideEntries, type RunDecision } from '../../../run-store/src/use-cases/decide-entries.ts';

export const WORKER = 'worker-1';

/** One run in memory, decided by the rules of the store; what it decides is what observers hear. */
export class ToldRun {
  readonly id = '01a228b0-ea22-7476-9ab3-a3497d4c4fe1';
  nowMs = 1_000;
  readonly #graph;
  readonly #rows = new Map<string, { row: NodeRunState; sinceMs: number }>();
  #run: RunState;

  constructor(document: Partial<FlowDocument>) {
    this.#graph = compileGraph({ format: 'pawl/1', name: 'told', edges: [], nodes: [], ...document });
    const view = new RunView(this.#graph, new AllRows());
    const admitted: JournalEvent = {
      type: 'run.admitted',
      path: '',
      attempt: 0,
      data: {
        v: 1,
        versionId: 'v',
        input: null,
        budget: document.budget ?? {},
        trigger: 'test',
        seed: 's',
      } as never,
    };
    applyEvent(view, admitted);
    this.#run = view.run;
    this.#keep(view);
  }

  /** Takes up ready node runs, as a doorbell does. */
  claim(...paths: string[]): this {
    for (const path of paths) {
      const found = this.#rows.get(path)!;
      if (found.row.status !== 'ready') throw new Error(`${path} is ${found.row.status}`);
      Object.assign(found.row, { status: 'running', workerId: WORKER, attempt: found.row.attempt + 1 });
      found.sinceMs = this.nowMs;
    }
    return this;
  }

  /** Commits facts together; `aside` goes to the observer. */
  async tell(facts: readonly Fact[], aside?: unknown): Promise<RunDecision> {
    const rows = new LoadedRows();
    for (const { row, sinceMs } of this.#rows.values()) rows.add(row, sinceMs);
    rows.subtreeWasLoaded('');
    const decision = await decideEntries(
      {
        id: this.id,
        workspaceId: 'w',
        versionId: 'v',
        state: this.#run,
        nowMs: this.nowMs,
        createdAtMs: 0,
      },
      [{ runId: this.id, graph: this.#graph, facts, ...(aside !== undefined && { aside }) }],
      rows,
      async ({ paths }, known) => {
        for (const path of paths) known.wasLoaded(path);
      },
    );
    this.#run = decision.view.run;
    this.#keep(decision.view);
    return decision;
  }

  #keep(view: RunView): void {
    for (const [path, { row, before }] of view.changed) {
      const isNew = before?.status !== row.status;
      const sinceMs = isNew ? this.nowMs : this.#rows.get(path)!.sinceMs;
      this.#rows.set(path, { row: { ...row }, sinceMs });
    }
  }
}

/** What a worker tells of a node run of its own. */
export const byWorker = (path: string, fact: object, attempt = 1): Fact =>
  ({ path, attempt, workerId: WORKER, ...fact }) as Fact;
export const succeeds = (path: string, attempt = 1): Fact =>
  byWorker(path, { type: 'succeeded', output: path }, attempt);
export const fails = (path: string, more: object = {}, attempt = 1): Fact =>
  byWorker(
    path,
    { type: 'failed', failure: { code: 'http_503', message: 'm', class: 'transient' }, random: 0, ...more },
    attempt,
  );
export const intends = (path: string, more: object = {}, attempt = 1): Fact =>
  byWorker(
    path,
    {
      type: 'intent',
      intent: {
        call: 0,
        effect: 'idempotent',
        target: 't@1',
        key: 'k',
        request: {},
        requestHash: 'h',
        ...more,
      },
    },
    attempt,
  );
