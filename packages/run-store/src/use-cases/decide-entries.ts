import {
  Decider,
  type Fact,
  type FlowGraph,
  type JournalEvent,
  type Line,
  mayStart,
  mayStartWork,
  type NodeRunMore,
  type NodeRunState,
  RowsMissingError,
  type RunState,
  RunView,
  type StartedFlow,
  type Verdict,
} from '@pawl/dag-core';
import type { LoadedRows } from '../loaded-rows.ts';
import type { LockedRun } from '../sql/lock-runs.ts';

// The thinking part of the outcome transaction: what facts lead to, which node runs the worker keeps, which doorbells are rung.
// No database in here, so that a test can drive it with rows of its own.

/** Facts about one run that are decided and committed together. */
export interface FactEntry {
  readonly runId: string;
  readonly graph: FlowGraph;
  readonly facts: readonly Fact[];
  /** The worker that goes on with node runs these facts make ready, instead of the queue; absent: all go to the queue. */
  readonly keep?: Keep;
  /** Handed to this process's observer with what was committed; the store does not look at it. */
  readonly aside?: unknown;
}

/** What a worker keeps of the node runs that its facts make ready. */
export interface Keep {
  readonly workerId: string;
  readonly count: number;
  /** False for node runs of a pool that the worker does not serve; absent: it serves all. */
  serves?(pool: string | undefined): boolean;
}

export interface NodeRunHandle {
  readonly path: string;
  readonly nodeId: string;
  readonly kind: string;
  readonly attempt: number;
  readonly failures: number;
  readonly itemIndex?: number;
  readonly itemCount?: number;
  readonly failedItems?: number;
  readonly intentSeq?: number;
  readonly more?: NodeRunMore;
  /** Milliseconds it was ready before it was claimed, by the database's clock; absent when its worker made it ready itself. */
  readonly waitedMs?: number;
}

export interface FactResult {
  /** One verdict per fact; empty when the run does not exist. */
  readonly verdicts: readonly Verdict[];
  /** Node runs that became ready and are the worker's now. */
  readonly claimed: readonly NodeRunHandle[];
  /** Node runs that became ready and were left to the queue. */
  readonly rung: number;
  /** The output of the run is due; nobody else was told when the entry keeps node runs. */
  readonly isEndDue: boolean;
  readonly run: RunState | undefined;
  /** Earliest instant at which something of this run is due, epoch milliseconds. */
  readonly wakeAt?: number;
  /** Under which signals node runs of this run wait for. */
  readonly waitKeys?: readonly string[];
}

/** What a batch does to one run. */
export interface RunDecision {
  readonly run: LockedRun;
  readonly fromSeq: number;
  readonly view: RunView;
  readonly events: readonly JournalEvent[];
  readonly results: ReadonlyMap<FactEntry, FactResult>;
  /** Paths of the node runs that became ready ('' for the end of the run), with the pool each belongs to. */
  readonly bells: ReadonlyMap<string, string | undefined>;
  /** Paths of ready node runs that nobody is rung for, and where they stand instead. */
  readonly lines: ReadonlyMap<string, Line>;
  /** Runs of sub-flows that are admitted with it. */
  readonly starts: readonly StartedFlow[];
  /** When a node run got the status it had before; epoch milliseconds, undefined when it was not loaded. */
  sinceOf(path: string): number | undefined;
}

/** Loads more node runs of the run that is being decided. */
export type LoadMore = (missing: RowsMissingError, rows: LoadedRows) => Promise<void>;

/** Decides entries of one run in order, loading whatever the rules turn out to need. */
export async function decideEntries(
  run: LockedRun,
  entries: readonly FactEntry[],
  rows: LoadedRows,
  loadMore: LoadMore,
): Promise<RunDecision> {
  for (;;) {
    try {
      return decideWith(run, entries, rows.copy());
    } catch (error) {
      if (!(error instanceof RowsMissingError)) throw error;
      await loadMore(error, rows);
    }
  }
}

function decideWith(run: LockedRun, entries: readonly FactEntry[], rows: LoadedRows): RunDecision {
  const view = new RunView(entries[0]!.graph, rows, { ...run.state, degraded: [...run.state.degraded] });
  const decider = new Decider(view, run.nowMs);
  const results = new Map<FactEntry, FactResult>();
  const bells = new Map<string, string | undefined>();
  const lines = new Map<string, Line>();
  for (const entry of entries) {
    const before = bells.size;
    const wasPaused = view.run.status === 'paused';
    const verdicts = entry.facts.map((fact) => decider.decide(fact));
    entry.facts.forEach((fact, i) => {
      if (fact.type === 'released' && fact.line && verdicts[i] === 'applied') lines.set(fact.path, fact.line);
    });
    const claimed: NodeRunHandle[] = [];
    for (const { row } of view.changed.values()) {
      if (row.status !== 'ready' || bells.has(row.path) || lines.has(row.path)) continue;
      const mayClaim = mayStart(view.run, row) && view.run.status !== 'paused';
      const { keep } = entry;
      const isKept = keep && mayClaim && claimed.length < keep.count && (keep.serves?.(row.pool) ?? true);
      if (isKept) claimed.push(claim(view, row, keep.workerId));
      else bells.set(row.path, row.pool);
    }
    if (wasPaused && view.run.status === 'running') {
      for (const row of rows.openUnder(''))
        if (row.status === 'ready' && !bells.has(row.path) && !lines.has(row.path))
          bells.set(row.path, row.pool);
    }
    const isEndDue = view.run.openCount === 0 && mayStartWork(view.run) && view.run.status !== 'paused';
    if (isEndDue && !entry.keep && !bells.has('')) bells.set('', view.graph.document.pool);
    results.set(entry, {
      verdicts,
      claimed,
      rung: bells.size - before,
      isEndDue,
      run: view.run,
      ...whatItWaitsFor(view),
    });
  }
  return {
    run,
    fromSeq: run.state.nextSeq,
    view,
    events: decider.events,
    results,
    bells,
    lines,
    starts: decider.starts,
    sinceOf: (path) => rows.sinceOf(path),
  };
}

/** Claims in the same transaction that made the node run ready ("stay on the worker"). */
function claim(view: RunView, row: NodeRunState, workerId: string): NodeRunHandle {
  view.move(row, 'claim');
  row.attempt += 1;
  row.workerId = workerId;
  const { path, nodeId, kind, attempt, failures, itemIndex, itemCount, failedItems, intentSeq, more } = row;
  return { path, nodeId, kind, attempt, failures, itemIndex, itemCount, failedItems, intentSeq, more };
}

function whatItWaitsFor(view: RunView): Pick<FactResult, 'wakeAt' | 'waitKeys'> {
  let wakeAt = Number.POSITIVE_INFINITY;
  const waitKeys: string[] = [];
  for (const { row } of view.changed.values()) {
    if (row.wakeAt !== undefined) wakeAt = Math.min(wakeAt, row.wakeAt);
    if (row.waitKey !== undefined) waitKeys.push(row.waitKey);
  }
  return { ...(Number.isFinite(wakeAt) && { wakeAt }), ...(waitKeys.length > 0 && { waitKeys }) };
}
