// Which mistake would this catch? A state that only an unlucky order of failures, losses, late facts and decisions leads to: a run
// nobody can end any more, a node run that starts in a scope that stops, a count or a reservation that drifts.
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import {
  AllRows,
  applyEvent,
  compileGraph,
  Decider,
  foldJournal,
  isTerminalNodeRun,
  isTerminalRun,
  type JournalEvent,
  type NodeRunState,
  type RecordedEvent,
  RunView,
  type Verdict,
} from '../../src/index.ts';
import { brokenInvariants, Chaos, type Step, type WholeRun } from './chaos.ts';
import { randomFlow, randomFrom } from './random-flows.ts';

// Seconds on an idle machine; a busy one must not fail them.
vi.setConfig({ testTimeout: 60_000 });

const seeds = fc.record({
  seed: fc.nat(),
  size: fc.integer({ min: 1, max: 16 }),
  order: fc.nat(),
  stormy: fc.integer({ min: 0, max: 120 }),
});

/** A run in memory to which anything may happen. */
class StormyRun {
  readonly view: WholeRun;
  readonly journal: JournalEvent[] = [];
  readonly chaos: Chaos;

  constructor(seed: number, size: number, order: number) {
    const graph = compileGraph(randomFlow(seed, { size, withPause: true, withRetry: true, withTools: true }));
    this.view = new RunView(graph, new AllRows()) as WholeRun;
    const admitted: JournalEvent = {
      type: 'run.admitted',
      path: '',
      attempt: 0,
      data: { v: 1, versionId: 'v', input: null, budget: { tokens: 60 }, trigger: 'test', seed: 's' },
    };
    this.journal.push(admitted);
    applyEvent(this.view, admitted);
    this.chaos = new Chaos(this.view, randomFrom(order), seed);
  }

  apply(step: Step): Verdict[] {
    if (step.do === 'claim') {
      const row = this.view.rows.get(step.path)!;
      this.view.move(row, 'claim');
      row.attempt += 1;
      row.workerId = step.workerId;
      return [];
    }
    this.view.changed.clear();
    const decider = new Decider(this.view, step.nowMs);
    const verdicts = step.entries.flat().map((fact) => decider.decide(fact));
    this.journal.push(...decider.events);
    return verdicts;
  }

  recorded(): RecordedEvent[] {
    return this.journal.map((event, i) => ({ ...event, seq: i + 1, at: 0 }));
  }
}

it('a run survives anything, and ends once everything goes well (V9, A3, E9)', () => {
  fc.assert(
    fc.property(seeds, ({ seed, size, order, stormy }) => {
      const run = new StormyRun(seed, size, order);
      for (let i = 0; ; i++) {
        const step = run.chaos.next(i >= stormy);
        if (!step) break;
        run.apply(step);
        expect(brokenInvariants(run.view), JSON.stringify(step)).toEqual([]);
        if (i > 5_000) expect.fail('The run does not end');
      }
      expect(run.view.run.status, 'stuck').toSatisfy(isTerminalRun);
      expect(run.view.due).toEqual([]);
    }),
    {
      numRuns: 1_500,
      // A doubt in a map that stops, settled by undoing the whole run.
      examples: [[{ seed: 1843867467, size: 8, order: 1590965741, stormy: 34 }]],
    },
  );
});

it('the journal folds to the same state at any time, claims aside (J2, V12)', () => {
  fc.assert(
    fc.property(seeds, ({ seed, size, order, stormy }) => {
      const run = new StormyRun(seed, size, order);
      for (let i = 0; i < stormy; i++) {
        const step = run.chaos.next(false);
        if (!step) break;
        run.apply(step);
      }
      const fold = foldJournal(run.view.graph, run.recorded());
      expect(fold.run).toEqual(run.view.run);
      const wanted = [...run.view.rows.byPath.values()];
      expect(fold.rows.byPath.size).toBe(wanted.length);
      for (const row of wanted) {
        const folded = fold.rows.get(row.path)!;
        expect(folded.attempt).toBeLessThanOrEqual(row.attempt);
        expect(unclaimed(folded), row.path).toEqual(unclaimed(row));
      }
    }),
    { numRuns: 700 },
  );
});

it('nothing is written after the end but evidence (V2, V11)', () => {
  fc.assert(
    fc.property(seeds, ({ seed, size, order, stormy }) => {
      const run = new StormyRun(seed, size, order);
      for (let step = run.chaos.next(false), i = 0; step && i < 2_000; step = run.chaos.next(++i > stormy))
        run.apply(step);
      if (!isTerminalRun(run.view.run.status)) return;
      const { nextSeq: _, ...before } = structuredClone(run.view.run);
      const rows = structuredClone(run.view.rows.byPath);
      const written = run.journal.length;
      for (let i = 0; i < 200; i++) {
        const step = run.chaos.next(false);
        if (step) run.apply(step);
      }
      const { nextSeq: __, ...after } = run.view.run;
      expect(after).toEqual(before);
      expect(run.view.rows.byPath).toEqual(rows);
      expect(run.journal.slice(written).every((event) => event.type === 'outcome.late')).toBe(true);
    }),
    { numRuns: 300 },
  );
});

/**
 * Taking a node run up is no event: a row may be running where the journal says ready. Nor is to ask about a call, and to be told
 * "not yet" (T23): of what asks only its end is told by the journal.
 */
const unclaimed = (row: NodeRunState) => ({
  ...row,
  ...(row.kind === 'poll' && unasked(row)),
  workerId: undefined,
  attempt: undefined,
  status:
    row.status === 'running' || (row.kind === 'poll' && row.status === 'waiting') ? 'ready' : row.status,
});

const unasked = ({ status }: NodeRunState) => ({
  failure: undefined,
  losses: undefined,
  ...(!isTerminalNodeRun(status) && { wakeAt: undefined }),
});
