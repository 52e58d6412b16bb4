import {
  AllRows,
  Decider,
  type FlowGraph,
  isTerminalNodeRun,
  type JournalEvent,
  type Json,
  type NodeRunState,
  type NodeView,
  parsePath,
  RunView,
  type WorkerFact,
} from '@pawl/dag-core';
import type { NodeRunHandle } from '@pawl/run-store/work';

/** Whose node runs are computed ahead. */
interface SpeculatingWorker {
  readonly workerId: string;
  serves(pool: string | undefined): boolean;
}

/**
 * What the worker believes about its run, by the same rules the store decides with. It knows the node runs of its own strand;
 * of the whole run only when nobody else can have touched it. The commit has the last word (W4).
 */
export class Speculation {
  readonly #view: RunView;
  readonly #rows = new AllRows();
  readonly #worker: SpeculatingWorker;
  readonly #isWhole: boolean;
  #isDropped = false;
  #ready: NodeRunHandle[] = [];
  #seen = new Set<string>();

  constructor(
    graph: FlowGraph,
    handles: readonly NodeRunHandle[],
    worker: SpeculatingWorker,
    isWholeRun: boolean,
  ) {
    this.#view = new RunView(graph, this.#rows);
    this.#worker = worker;
    this.#isWhole = isWholeRun;
    this.#view.run.status = 'running';
    this.#view.run.openCount = isWholeRun ? graph.root.nodes.length : Number.POSITIVE_INFINITY;
    for (const handle of handles) this.#add(handle);
  }

  /** Every node of the run has ended, for all the worker knows. */
  get isEndDue(): boolean {
    const { openCount, failure, status } = this.#view.run;
    return !this.#isDropped && this.#isWhole && openCount === 0 && !failure && status === 'running';
  }

  get readyCount(): number {
    return this.#isDropped
      ? 0
      : [...this.#rows.byPath.values()].filter(
          (row) => row.status === 'ready' && this.#worker.serves(row.pool),
        ).length;
  }

  drop(): void {
    this.#isDropped = true;
    this.#ready = [];
  }

  /** Node runs the store has made ready and this worker's. */
  claimed(handles: readonly NodeRunHandle[]): void {
    for (const handle of handles) this.#add(handle);
  }

  /**
   * Follows a fact the way the store will.
   *
   * @returns what expressions see of the node runs that end by it, but for one that succeeds by itself
   */
  decide(fact: WorkerFact): Map<string, NodeView> {
    if (this.#isDropped) return new Map();
    const decider = new Decider(this.#view, 0);
    try {
      decider.decide(fact);
    } catch {
      this.drop(); // it knows too little to go on; the store does
      return new Map();
    }
    this.#takeChanged();
    return viewsOf(decider.events, this.#rows);
  }

  #takeChanged(): void {
    for (const [at, { row }] of this.#view.changed) {
      if (row.status !== 'ready') {
        this.#view.changed.delete(at);
        continue;
      }
      if (this.#seen.has(`${row.path} ${row.attempt}`)) continue;
      this.#seen.add(`${row.path} ${row.attempt}`);
      if (!this.#worker.serves(row.pool)) continue; // the queue takes it to a worker that does
      const { path, nodeId, kind, attempt, failures, itemIndex, itemCount, failedItems, intentSeq, more } =
        row;
      this.#ready.push({
        path,
        nodeId,
        kind,
        attempt: attempt + 1,
        failures,
        itemIndex,
        itemCount,
        failedItems,
        intentSeq,
        more,
      });
    }
    this.#view.due = [];
  }

  /** Node runs that became ready since the last call. */
  takeReady(): NodeRunHandle[] {
    return this.#ready.splice(0);
  }

  #add(handle: NodeRunHandle): void {
    const known = this.#rows.get(handle.path);
    if (known) {
      known.status = 'running';
      known.attempt = handle.attempt;
      known.workerId = this.#worker.workerId;
      return;
    }
    const { path, nodeId, kind, attempt, failures, itemIndex, itemCount, more } = handle;
    const row: NodeRunState = {
      path,
      nodeId,
      kind,
      attempt,
      failures,
      itemIndex,
      itemCount,
      more,
      status: 'running',
      workerId: this.#worker.workerId,
      pendingEdges: 0,
      liveEdges: 0,
      deadEdges: [],
      costNanoUsd: 0,
      tokens: 0,
    };
    this.#rows.add(row);
    this.#view.changed.set(path, { row, before: row });
    this.#addScopes(path);
  }

  /** Scopes around a node run whose other node runs are not known: they never end here. */
  #addScopes(path: string): void {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const scope = path.slice(0, at);
      const target = parsePath(this.#view.graph, scope)!;
      if (this.#rows.get(scope)) continue;
      const isItem = target.itemIndex !== undefined;
      this.#rows.add({
        path: scope,
        nodeId: target.node.id,
        kind: isItem ? (target.node.calls ? 'turn' : 'item') : target.node.config.kind,
        status: 'waiting',
        attempt: 1,
        failures: 0,
        pendingEdges: 0,
        liveEdges: 0,
        deadEdges: [],
        costNanoUsd: 0,
        tokens: 0,
        ...(isItem
          ? { openCount: Number.POSITIVE_INFINITY, itemIndex: target.itemIndex }
          : {
              itemCount: Number.POSITIVE_INFINITY,
              nextItem: Number.POSITIVE_INFINITY,
              doneItems: Number.NEGATIVE_INFINITY,
              failedItems: 0,
            }),
      });
    }
  }
}

/** How node runs ended that did not simply succeed, by the rows that the rules made of them. */
function viewsOf(events: readonly JournalEvent[], rows: AllRows): Map<string, NodeView> {
  const views = new Map<string, NodeView>();
  for (const event of events) {
    if (event.type === 'nodeRun.skipped') views.set(event.path, { status: 'skipped' });
    if (event.type !== 'outcome.failed') continue;
    const { status } = rows.get(event.path)!;
    if (!isTerminalNodeRun(status)) continue; // it is tried again, or waits for a person
    const failure = event.data.failure as unknown as Json;
    const instead = status === 'succeeded' && { output: event.data.fallback ?? null };
    views.set(event.path, { status, ...instead, failure });
  }
  return views;
}
