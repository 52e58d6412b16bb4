// Which mistake would this catch? Rules that need more than they ask for: a decision made with the few rows of the hot path that
// differs from one made with the whole run in memory (A1), a doorbell that nobody rings (V8).
import {
  AllRows,
  applyEvent,
  compileGraph,
  Decider,
  foldJournal,
  isCompletedEffect,
  isTerminalNodeRun,
  isTerminalRun,
  isUnder,
  type JournalEvent,
  type NodeRunState,
  type RunState,
  RunView,
} from '@pawl/dag-core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Chaos, type Step, type WholeRun } from '../../dag-core/test/advance/chaos.ts';
import { randomFlow, randomFrom } from '../../dag-core/test/advance/random-flows.ts';
import { LoadedRows } from '../src/loaded-rows.ts';
import { decideEntries, type FactEntry, type LoadMore } from '../src/use-cases/decide-entries.ts';

const seeds = fc.record({
  seed: fc.nat(),
  size: fc.integer({ min: 1, max: 16 }),
  order: fc.nat(),
  stormy: fc.integer({ min: 0, max: 120 }),
});

/** Stored rows of one run, as a database would hold them, and the same run whole in memory. */
class TwiceTold {
  readonly whole: WholeRun;
  readonly chaos: Chaos;
  readonly journal: JournalEvent[] = [];
  stored: { run: RunState; rows: Map<string, NodeRunState> };
  /** Doorbells that were rung and not answered by a claim. */
  readonly bells = new Set<string>();
  loads = 0;

  constructor(seed: number, size: number, order: number) {
    const graph = compileGraph(randomFlow(seed, { size, withPause: true, withRetry: true }));
    this.whole = new RunView(graph, new AllRows()) as WholeRun;
    const admitted: JournalEvent = {
      type: 'run.admitted',
      path: '',
      attempt: 0,
      data: { v: 1, versionId: 'v', input: null, budget: { tokens: 60 }, trigger: 'test', seed: 's' },
    };
    applyEvent(this.whole, admitted);
    this.journal.push(admitted);
    for (const path of this.whole.rows.byPath.keys()) this.bells.add(path);
    this.stored = structuredClone({ run: this.whole.run, rows: this.whole.rows.byPath });
    this.chaos = new Chaos(this.whole, randomFrom(order), seed);
  }

  async apply(step: Step, keepCount: number): Promise<void> {
    if (step.do === 'claim') {
      expect(this.bells, `${step.path} is ready and nobody was told`).toContain(step.path);
      this.bells.delete(step.path);
      this.#claim(step.path, step.workerId);
      const row = this.stored.rows.get(step.path)!;
      row.status = 'running';
      row.attempt += 1;
      row.workerId = step.workerId;
      return;
    }
    const keep =
      step.entries.length === 1 && keepCount > 0 ? { workerId: 'worker-1', count: keepCount } : undefined;
    const entries = step.entries.map(
      (facts): FactEntry => ({ runId: 'r', graph: this.whole.graph, facts, ...(keep && { keep }) }),
    );
    const { run, rows } = this.stored;
    const locked = {
      id: 'r',
      workspaceId: 'w',
      versionId: 'v',
      state: structuredClone(run),
      nowMs: step.nowMs,
      createdAtMs: 0,
    };
    const decision = await decideEntries(locked, entries, new LoadedRows(), this.#load);

    // The same with everything in memory.
    this.whole.changed.clear();
    const decider = new Decider(this.whole, step.nowMs);
    const verdicts = step.entries.map((facts) => facts.map((fact) => decider.decide(fact)));
    this.journal.push(...decider.events);
    for (const { path } of decision.results.get(entries[0]!)!.claimed) {
      this.#claim(path, 'worker-1');
      this.bells.delete(path);
    }

    expect(decision.events).toEqual(decider.events);
    expect(entries.map((entry) => decision.results.get(entry)!.verdicts)).toEqual(verdicts);
    expect(decision.view.run).toEqual(this.whole.run);
    for (const path of decision.bells.keys()) this.bells.add(path);
    this.stored = { run: structuredClone(decision.view.run), rows };
    for (const { row, before } of decision.view.changed.values()) {
      // What the statement compares with: the row as it was read, or none.
      const now = rows.get(row.path);
      expect(now && { status: now.status, attempt: now.attempt }, row.path).toEqual(
        before && { status: before.status, attempt: before.attempt },
      );
      rows.set(row.path, structuredClone(row));
    }
    expect(rows).toEqual(this.whole.rows.byPath);
    this.#noWakeUpIsLost(decision.results.get(entries.at(-1)!)!.isEndDue, keep !== undefined);
  }

  #claim(path: string, workerId: string): void {
    const row = this.whole.rows.get(path)!;
    // A kept node run was claimed in the decision; in memory it is claimed here.
    this.whole.move(row, 'claim');
    row.attempt += 1;
    row.workerId = workerId;
  }

  /** V8: whatever is ready has a doorbell, or a worker that was told in person. */
  #noWakeUpIsLost(isEndDue: boolean, isKept: boolean): void {
    const { run, rows } = this.whole;
    if (isTerminalRun(run.status) || run.status === 'paused') return;
    for (const row of rows.openUnder('')) if (row.status === 'ready') expect(this.bells).toContain(row.path);
    if (run.openCount === 0 && run.failure === undefined && run.status !== 'cancelling')
      expect(this.bells.has('') || (isEndDue && isKept), 'the end is due and nobody was told').toBe(true);
  }

  /** Answers with copies, as a database does. */
  readonly #load: LoadMore = async ({ paths, subtree, isEffects }, loaded) => {
    this.loads += 1;
    for (const path of paths) {
      const row = this.stored.rows.get(path);
      if (row) loaded.add(structuredClone(row));
      loaded.wasLoaded(path);
    }
    if (isEffects) {
      for (const row of this.stored.rows.values())
        if (isCompletedEffect(row) && !loaded.peek(row.path)) loaded.add(structuredClone(row));
      loaded.effectsWereLoaded();
    }
    if (subtree === undefined) return;
    for (const row of this.stored.rows.values())
      if (isUnder(subtree, row.path) && !isTerminalNodeRun(row.status) && !loaded.peek(row.path))
        loaded.add(structuredClone(row));
    loaded.subtreeWasLoaded(subtree);
  };
}

it('with only the rows that are asked for, the same is decided as with all of them (A1)', async () => {
  let loads = 0;
  await fc.assert(
    fc.asyncProperty(seeds, fc.nat(3), async ({ seed, size, order, stormy }, keep) => {
      const run = new TwiceTold(seed, size, order);
      for (let i = 0; i < 5_000; i++) {
        const step = run.chaos.next(i >= stormy);
        if (!step) break;
        await run.apply(step, keep);
      }
      expect(run.whole.run.status).toSatisfy(isTerminalRun);
      loads += run.loads;
      const fold = foldJournal(
        run.whole.graph,
        run.journal.map((event, i) => ({ ...event, seq: i + 1, at: 0 })),
      );
      expect(fold.run).toEqual(run.stored.run);
    }),
    { numRuns: 500 },
  );
  expect(loads, 'rows were asked for at all').toBeGreaterThan(1_000);
});
