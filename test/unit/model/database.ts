import {
  AllRows,
  applyEvent,
  canonicalJson,
  type Fact,
  type FlowGraph,
  foldJournal,
  isTerminalRun,
  type JournalEvent,
  mayStart,
  mayStartWork,
  type NodeRunState,
  type RecordedEvent,
  type RunState,
  RunView,
} from '@pawl/dag-core';
import { LoadedRows } from '../../../packages/run-store/src/loaded-rows.ts';
import {
  decideEntries,
  type FactResult,
  type NodeRunHandle,
} from '../../../packages/run-store/src/use-cases/decide-entries.ts';

/** A doorbell: a hint that a node run may be ready; an empty path means that the run's end is due. */
export interface Bell {
  readonly runId: string;
  readonly path: string;
}

/** A run as the database holds it. */
export interface StoredRun {
  readonly id: string;
  readonly seed: number;
  readonly graph: FlowGraph;
  readonly rows: AllRows;
  state: RunState;
  readonly journal: RecordedEvent[];
}

/**
 * The database in memory, with the store's own thinking: a commit decides on the few rows it loads, asks for more when the rules
 * need them, and writes rows, journal and outbox at once. What was not committed never was.
 */
export class Database {
  readonly runs = new Map<string, StoredRun>();
  outbox: Bell[] = [];
  /** Workers that may work: a lease on the database's clock. */
  readonly leases = new Map<string, number>();

  admit(id: string, seed: number, graph: FlowGraph, tokens: number): void {
    const event: JournalEvent = {
      type: 'run.admitted',
      path: '',
      attempt: 0,
      data: { v: 1, versionId: 'v', input: null, budget: { tokens }, trigger: 'test', seed: id },
    };
    const view = new RunView(graph, new AllRows());
    applyEvent(view, event);
    const rows = new AllRows();
    for (const { row } of view.changed.values()) rows.add(row);
    this.runs.set(id, { id, seed, graph, rows, state: view.run, journal: [{ ...event, seq: 1, at: 0 }] });
    for (const { path } of rows.byPath.values()) this.outbox.push({ runId: id, path });
  }

  async commit(
    run: StoredRun,
    facts: readonly Fact[],
    nowMs: number,
    keep?: { workerId: string; count: number },
  ): Promise<FactResult> {
    const entry = { runId: run.id, graph: run.graph, facts, ...(keep && { keep }) };
    const locked = { id: run.id, workspaceId: 'w', versionId: 'v', state: run.state, nowMs, createdAtMs: 0 };
    const decision = await decideEntries(locked, [entry], new LoadedRows(), async (missing, loaded) => {
      const load = (row: NodeRunState) => loaded.peek(row.path) ?? loaded.add(copyOf(row));
      for (const path of missing.paths) {
        const found = run.rows.get(path);
        if (found) load(found);
        loaded.wasLoaded(path);
      }
      if (missing.subtree !== undefined) {
        for (const row of run.rows.openUnder(missing.subtree)) load(row);
        loaded.subtreeWasLoaded(missing.subtree);
      }
      if (missing.isEffects) {
        for (const row of run.rows.completedEffects()) load(row);
        loaded.effectsWereLoaded();
      }
    });
    for (const { row, before } of decision.view.changed.values()) {
      const stored = run.rows.get(row.path);
      // What the statement of the store guards with: the row is as it was read under the lock.
      if (stored?.status !== before?.status || stored?.attempt !== before?.attempt)
        throw new Error(`${row.path} was not as it was read`);
      run.rows.add(copyOf(row));
    }
    for (const [i, event] of decision.events.entries())
      run.journal.push({ ...event, seq: decision.fromSeq + i, at: nowMs });
    run.state = decision.view.run;
    for (const path of decision.bells.keys()) this.outbox.push({ runId: run.id, path });
    return decision.results.get(entry)!;
  }

  /** The claim statement: only what is ready, in a run that lets it start, for a worker. */
  claim({ runId, path }: Bell, workerId: string): NodeRunHandle | 'end' | undefined {
    const run = this.runs.get(runId)!;
    const { state } = run;
    if (path === '')
      return state.openCount === 0 && mayStartWork(state) && state.status !== 'paused' ? 'end' : undefined;
    const row = run.rows.get(path);
    if (row?.status !== 'ready' || !mayStart(state, row) || state.status === 'paused') return undefined;
    const view = new RunView(run.graph, run.rows, state);
    view.move(row, 'claim');
    row.attempt += 1;
    row.workerId = workerId;
    return { ...row };
  }

  /** What the sweeper finds ready and rings for again. */
  forgotten(): Bell[] {
    const found: Bell[] = [];
    for (const { id, state, rows } of this.runs.values()) {
      if (isTerminalRun(state.status) || state.status === 'paused') continue;
      for (const row of rows.openUnder(''))
        if (row.status === 'ready' && mayStart(state, row)) found.push({ runId: id, path: row.path });
      if (state.openCount === 0 && mayStartWork(state)) found.push({ runId: id, path: '' });
    }
    return found;
  }

  viewOf(run: StoredRun): RunView & { readonly rows: AllRows } {
    return new RunView(run.graph, run.rows, run.state) as RunView & { readonly rows: AllRows };
  }

  /** V12: what rows and the fold of the journal tell differently, claims aside. */
  differences(run: StoredRun): string[] {
    const fold = foldJournal(run.graph, run.journal);
    const told = (row: NodeRunState | undefined) =>
      row &&
      textOf({
        ...row,
        workerId: undefined,
        attempt: 0,
        status: row.status === 'running' ? 'ready' : row.status,
      });
    const paths = new Set([...run.rows.byPath.keys(), ...fold.rows.byPath.keys()]);
    const different = [...paths].filter((path) => told(run.rows.get(path)) !== told(fold.rows.get(path)));
    const isSame = textOf(fold.run) === textOf(run.state);
    return [...different.map((path) => `row ${path}`), ...(isSame ? [] : ['the run'])];
  }
}

const copyOf = (row: NodeRunState): NodeRunState => ({ ...row, deadEdges: [...row.deadEdges] });
/** JSON with sorted members, those that are undefined left out. */
const textOf = (value: object): string => canonicalJson(JSON.parse(JSON.stringify(value)));
