import {
  AllRows,
  applyEvent,
  type Fact,
  type FlowGraph,
  foldJournal,
  isTerminalRun,
  type JournalEvent,
  type Json,
  mayStart,
  mayStartWork,
  type NodeRunState,
  type RecordedEvent,
  type RunState,
  RunView,
} from '@pawl/dag-core';
import { randomOf } from '../../../packages/dag-core/test/advance/random-flows.ts';
import { decideRepair } from '../../../packages/run-store/src/doctor/decide-repair.ts';
import {
  differencesOf,
  type FoldedRun,
  sendersIn,
} from '../../../packages/run-store/src/doctor/fold-stored-run.ts';
import { LoadedRows } from '../../../packages/run-store/src/loaded-rows.ts';
import type { Word } from '../../../packages/run-store/src/sql/words.ts';
import type { Admission } from '../../../packages/run-store/src/use-cases/admit-runs.ts';
import {
  decideEntries,
  type FactResult,
  type NodeRunHandle,
} from '../../../packages/run-store/src/use-cases/decide-entries.ts';
import { admissionsOf, wordsOf } from '../../../packages/run-store/src/use-cases/sub-flows.ts';

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

  /** What runs said to others that have not heard it: the newest word of one to the other (F4). */
  readonly words = new Map<string, Word>();
  /** Runs that were changed since somebody looked. */
  readonly changed = new Set<StoredRun>();
  readonly #folds = new Map<readonly RecordedEvent[], ReturnType<typeof foldJournal>>();

  admit({ runId, graph, budget, parent, allowance, undoing }: Admitted, seed: number): void {
    const admitted: JournalEvent = {
      type: 'run.admitted',
      path: '',
      attempt: 0,
      data: {
        v: 1,
        versionId: 'v',
        input: null,
        budget: budget as Json,
        trigger: 'test',
        seed: runId,
        ...(parent && { parent }),
        ...(allowance && { allowance }),
        ...(undoing && { undoesRun: undoing.runId }),
      },
    };
    const events: JournalEvent[] = [admitted];
    if (undoing)
      events.push({
        type: 'compensation.planned',
        path: '',
        attempt: 0,
        data: { v: 1, reason: 'parent', ...undoing.plan },
      });
    const view = new RunView(graph, new AllRows());
    for (const event of events) applyEvent(view, event);
    const rows = new AllRows();
    for (const { row } of view.changed.values()) rows.add(row);
    const run = {
      id: runId,
      seed,
      graph,
      rows,
      state: view.run,
      journal: events.map((event, i) => ({ ...event, seq: i + 1, at: 0 })),
    };
    this.runs.set(runId, run);
    this.changed.add(run);
    for (const { path, status } of rows.byPath.values())
      if (status === 'ready') this.outbox.push({ runId, path });
  }

  async commit(
    run: StoredRun,
    facts: readonly Fact[],
    nowMs: number,
    keep?: { workerId: string; count: number },
  ): Promise<FactResult & { readonly words: readonly Word[] }> {
    const entry = { runId: run.id, graph: run.graph, facts, ...(keep && { keep }) };
    const locked = { ...placeOf(run), state: run.state, nowMs, createdAtMs: 0 };
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
    this.changed.add(run);
    for (const path of decision.bells.keys()) this.outbox.push({ runId: run.id, path });
    for (const start of admissionsOf(decision)) this.admit(start, seedOf(start.runId));
    return { ...decision.results.get(entry)!, words: this.#say(wordsOf(decision)) };
  }

  /** A word takes the place of the one before. */
  #say(words: readonly Word[]): readonly Word[] {
    for (const word of words) this.words.set(betweenOf(word), word);
    return words;
  }

  /** Unless a newer one came meanwhile. */
  forget(word: Word): void {
    if (this.words.get(betweenOf(word))?.seq === word.seq) this.words.delete(betweenOf(word));
  }

  /** What a word tells the run that it is for. */
  factOf(word: Word): Fact {
    if (!word.isUp) return { type: 'parentSaid', word: word.said };
    const { endSeq, ...said } = word.said;
    const event = endSeq === undefined ? undefined : this.runs.get(word.fromRunId)!.journal[endSeq - 1];
    if (event && event.type !== 'run.statusChanged') throw new Error(`${word.fromRunId} has no end`);
    return { type: 'subFlowSaid', path: word.path, word: { ...said, ...(event && { end: event.data }) } };
  }

  /** `pawl doctor --repair` for one run; undefined when its rows are what its journal says. */
  repair(
    run: StoredRun,
    nowMs: number,
  ): { readonly refused: string } | { words: readonly Word[] } | undefined {
    const found: FoldedRun = {
      run: { ...placeOf(run), state: run.state },
      rows: [...run.rows.byPath.values()].map((row) => ({
        state: row,
        isWorkerKnown: row.workerId !== undefined && this.leases.has(row.workerId),
      })),
      fold: foldJournal(run.graph, run.journal),
      senders: sendersIn(run.journal),
    };
    if (differencesOf(found).length === 0) return undefined;
    const decision = decideRepair(found, nowMs);
    if ('refused' in decision) return decision;
    const { view, fromSeq, events, rewritten, removed, bells, words } = decision;
    for (const path of rewritten) run.rows.add(copyOf(view.rows.get(path)!));
    for (const path of removed) run.rows.byPath.delete(path);
    for (const [i, event] of events.entries()) run.journal.push({ ...event, seq: fromSeq + i, at: nowMs });
    run.state = view.run;
    this.changed.add(run);
    for (const { path } of bells) this.outbox.push({ runId: run.id, path });
    return { words: this.#say(words) };
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
    this.changed.add(run);
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
    const fold = this.#foldOf(run);
    const paths = new Set([...run.rows.byPath.keys(), ...fold.rows.byPath.keys()]);
    const different = [...paths].filter(
      (path) => !isSame(withoutClaim(run.rows.get(path)), withoutClaim(fold.rows.get(path))),
    );
    return [...different.map((path) => `row ${path}`), ...(isSame(fold.run, run.state) ? [] : ['the run'])];
  }

  /** Goes on where the last fold of the run ended: any prefix of a journal folds (J2). */
  #foldOf({ graph, journal }: StoredRun) {
    const fold = this.#folds.get(journal) ?? foldJournal(graph, []);
    this.#folds.set(journal, fold);
    for (const event of journal.slice(fold.run.nextSeq - 1)) applyEvent(fold, event);
    fold.due = [];
    fold.changed.clear();
    return fold;
  }
}

const withoutClaim = (row: NodeRunState | undefined): NodeRunState | undefined =>
  row && { ...row, workerId: undefined, attempt: 0, status: row.status === 'running' ? 'ready' : row.status };

/** Members that are undefined are as good as absent. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [x, y] = [a, b] as Record<string, unknown>[];
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const name of names) if (!isSame(x![name], y![name])) return false;
  return true;
}

/** A run that is admitted, as far as it matters here. */
type Admitted = Pick<Admission, 'runId' | 'graph' | 'budget' | 'parent' | 'allowance' | 'undoing'>;

const placeOf = ({ id }: StoredRun) => ({ id, workspaceId: 'w', versionId: 'v' });
const betweenOf = ({ toRunId, fromRunId }: Word): string => `${toRunId} ${fromRunId}`;
const seedOf = (runId: string): number => Math.floor(randomOf(0, runId)() * 1e9);
const copyOf = (row: NodeRunState): NodeRunState => ({ ...row, deadEdges: [...row.deadEdges] });
