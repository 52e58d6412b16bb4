import {
  AllRows,
  applyEvent,
  type BudgetLimits,
  emptyRun,
  type FlowGraph,
  isTerminalRun,
  type NodeRunState,
  type NodeRunStatus,
  type OutputOrigin,
  type RecordedEvent,
  type RunStatus,
  RunView,
  type Spend,
} from '@pawl/dag-core';

/** How a node run stood from one event on. */
export interface NodeRunMoment {
  readonly seq: number;
  /** Epoch milliseconds, clock of the database. */
  readonly at: number;
  readonly status: NodeRunStatus;
  readonly attempt: number;
  /** Why it waits or is in doubt. */
  readonly reason?: string | undefined;
  /** A person is asked: the place of the event that asks, which names the question. */
  readonly question?: number | undefined;
  /** Names of the edges into it that were not taken. */
  readonly deadEdges: readonly string[];
  /** Of a test run: its output was given, and nothing was called for it. */
  readonly given?: OutputOrigin | undefined;
  /** Of a map or loop: how far it is. */
  readonly items?: { readonly count: number; readonly done: number; readonly failed: number } | undefined;
  readonly costNanoUsd: number;
  readonly tokens: number;
}

/** How the run stood from one event on. */
export interface RunMoment {
  readonly seq: number;
  readonly at: number;
  readonly status: RunStatus;
  readonly spent: Spend;
  readonly limits: BudgetLimits;
}

/** All that is known of one node run. */
export interface NodeRunHistory {
  readonly path: string;
  readonly nodeId: string;
  readonly kind: string;
  readonly moments: NodeRunMoment[];
  /** Its events, in order. */
  readonly events: RecordedEvent[];
}

/** A journal that cannot be followed: it has a gap. The reader must read again from `after`. */
export class GapError extends Error {
  readonly after: number;
  constructor(after: number, found: number) {
    super(`Event ${found} came after ${after}: what lies between is missing`);
    this.after = after;
  }
}

/**
 * A run through time: its journal, folded once and forwards by the rules of the core (J2), with every change kept. How anything stood
 * at any event is then found by search, without folding again.
 */
export class RunHistory {
  readonly graph: FlowGraph;
  readonly events: RecordedEvent[] = [];
  readonly moments: RunMoment[] = [];
  readonly nodeRuns = new Map<string, NodeRunHistory>();
  /** What lies right below a path: items of a map, turns, and what they hold; below the empty path what is drawn at the top. */
  readonly below = new Map<string, NodeRunHistory[]>();
  readonly #view: RunView;
  readonly #failed = new Set<string>();
  readonly #underWay = new Set<string>();

  constructor(graph: FlowGraph) {
    this.graph = graph;
    this.#view = new RunView(graph, new AllRows(), emptyRun());
  }

  /** Sequence number of the last event that is here; 0: none. */
  get lastSeq(): number {
    return this.events.length;
  }

  get hasEnded(): boolean {
    return isTerminalRun(this.#view.run.status);
  }

  /** Something failed and waits for a person. */
  get hasFailuresThatWait(): boolean {
    return this.#failed.size > 0;
  }

  /** Something is at a worker, or could be. */
  get isUnderWay(): boolean {
    return this.#underWay.size > 0;
  }

  /**
   * Takes the next event. One that is here already is not taken twice.
   *
   * @returns whether it was new
   * @throws {GapError} when events before it are missing
   */
  take(event: RecordedEvent): boolean {
    if (event.seq <= this.lastSeq) return false;
    if (event.seq > this.lastSeq + 1) throw new GapError(this.lastSeq, event.seq);
    applyEvent(this.#view, event);
    this.events.push(event);
    for (const { row } of this.#view.changed.values()) this.#remember(row, event);
    this.#view.changed.clear();
    this.#view.tell.clear();
    this.#view.due = [];
    if (event.path !== '') this.nodeRuns.get(event.path)?.events.push(event);
    const { status, spent, limits } = this.#view.run;
    const before = this.moments.at(-1);
    if (before?.status !== status || before.limits !== limits || !isSame(before.spent, spent))
      this.moments.push({ seq: event.seq, at: event.at, status, spent: { ...spent }, limits });
    return true;
  }

  /** How the node run stood after event `seq`; undefined: it was not reached. */
  nodeRunAt(path: string, seq: number): NodeRunMoment | undefined {
    return lastUpTo(this.nodeRuns.get(path)?.moments ?? [], seq);
  }

  /** How the run stood after event `seq`. */
  runAt(seq: number): RunMoment | undefined {
    return lastUpTo(this.moments, seq);
  }

  #remember(row: NodeRunState, { seq, at }: RecordedEvent): void {
    let history = this.nodeRuns.get(row.path);
    if (!history) {
      history = { path: row.path, nodeId: row.nodeId, kind: row.kind, moments: [], events: [] };
      this.nodeRuns.set(row.path, history);
      const around = row.path.slice(0, Math.max(0, row.path.lastIndexOf('/')));
      const beside = this.below.get(around);
      if (beside) beside.push(history);
      else this.below.set(around, [history]);
    }
    const { status, attempt, reason, deadEdges: dead, itemCount, doneItems = 0, failedItems = 0 } = row;
    const { costNanoUsd, tokens } = row;
    mark(this.#failed, row.path, status === 'waiting' && reason === 'failure');
    mark(this.#underWay, row.path, status === 'running' || status === 'ready');
    const items =
      itemCount === undefined ? undefined : { count: itemCount, done: doneItems, failed: failedItems };
    const { question, given } = row.more ?? {};
    const deadEdges = [...dead];
    history.moments.push({
      seq,
      at,
      status,
      attempt,
      reason,
      question,
      deadEdges,
      given,
      items,
      costNanoUsd,
      tokens,
    });
  }
}

function mark(marked: Set<string>, path: string, isSo: boolean): void {
  if (isSo) marked.add(path);
  else marked.delete(path);
}

const isSame = (a: Spend, b: Spend): boolean =>
  a.costNanoUsd === b.costNanoUsd && a.tokens === b.tokens && a.modelCalls === b.modelCalls;

/** The last of `moments`, which are in order, that is not after `seq`. */
function lastUpTo<M extends { readonly seq: number }>(moments: readonly M[], seq: number): M | undefined {
  let low = 0;
  let high = moments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (moments[middle]!.seq <= seq) low = middle + 1;
    else high = middle;
  }
  return moments[low - 1];
}
