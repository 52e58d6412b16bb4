import { type Decider, isTerminalRun, type JournalEvent, mayStart, mayStartWork } from '@pawl/dag-core';
import type { BellWrite } from '../sql/change-arrays.ts';
import type { AddressedWord } from '../sql/words.ts';
import { wordsOf } from '../use-cases/sub-flows.ts';
import { differencesOfNodeRuns } from './compare-with-fold.ts';
import type { FoldedRun } from './fold-stored-run.ts';
import { layClaimsOver } from './rows-to-write.ts';

// The thinking part of a repair: what the rows of a run should say, and what follows from that. No database in here, so that a test can
// drive it with rows of its own.

type Fold = Exclude<FoldedRun['fold'], { problem: string }>;

/** What is written to make the rows of a run the fold of its journal again. */
export interface RepairDecision {
  /** The run and its node runs as they should be. */
  readonly view: Fold;
  /** Events that follow, the first at this place. */
  readonly fromSeq: number;
  readonly events: readonly JournalEvent[];
  /** Paths of node runs whose rows are written, and of those whose rows there should not be. */
  readonly rewritten: readonly string[];
  readonly removed: readonly string[];
  readonly bells: readonly BellWrite[];
  /** What the run says to the runs above and below it (F4). */
  readonly words: readonly AddressedWord[];
}

/** Decides about a run whose rows and journal were read under its lock; `refused`: why nothing may be written. */
export function decideRepair(found: FoldedRun, nowMs: number): RepairDecision | { readonly refused: string } {
  const { run, fold } = found;
  if ('problem' in fold) return { refused: `its journal cannot be folded: ${fold.problem}` };
  if (run.state.nextSeq > fold.run.nextSeq)
    return {
      refused: `its journal ends at event ${fold.run.nextSeq - 1}, and the run has recorded ${run.state.nextSeq - 1}: what is missing may have been sent`,
    };
  const fromSeq = fold.run.nextSeq;
  const { events }: Decider = layClaimsOver(fold, found, nowMs);
  return {
    view: fold,
    fromSeq,
    events,
    ...rowsToWrite(found, fold),
    bells: bellsOf(run.id, fold),
    words: wordsOf({ run, view: fold }),
  };
}

function rowsToWrite(
  { run, rows }: FoldedRun,
  { rows: { byPath: known } }: Fold,
): Pick<RepairDecision, 'rewritten' | 'removed'> {
  const states = rows.map(({ state }) => state);
  const different = new Set(differencesOfNodeRuns(run.id, states, known).map(({ path }) => path));
  for (const { path, status, workerId } of states) {
    const wanted = known.get(path);
    // A claim is not a difference; one that nobody can end is.
    if (wanted && (wanted.status !== status || wanted.workerId !== workerId)) different.add(path);
  }
  const paths = [...different];
  return {
    rewritten: paths.filter((path) => known.has(path)),
    removed: paths.filter((path) => !known.has(path)),
  };
}

/** V8: what is ready, and an end that is due, have a doorbell; one too many is harmless. */
function bellsOf(runId: string, { run, rows, graph }: Fold): BellWrite[] {
  if (isTerminalRun(run.status) || run.status === 'paused') return [];
  const priority = run.more?.priority;
  const ready = rows.openUnder('').filter((row) => row.status === 'ready' && mayStart(run, row));
  const bells: BellWrite[] = ready.map(({ path, pool }) => ({ runId, path, pool, priority }));
  if (run.openCount === 0 && mayStartWork(run))
    bells.push({ runId, path: '', pool: graph.document.pool, priority });
  return bells;
}
