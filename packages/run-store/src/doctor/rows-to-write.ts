import { Decider, isStopping, type NodeRunState, type RunView } from '@pawl/dag-core';
import type { FoldedRun } from './fold-stored-run.ts';

// Rules kept here: V12 the journal decides, rows follow; T6 claims are no events, so they are kept where they can be right;
// E9 in a scope that stops nothing is ready: what seems to be was taken up, by a holder that is not known any more;
// T9, V5 an attempt that nobody can be known to hold is lost: a non-repeatable effect becomes a doubt, never a second sending;
// J10 the loss names who was about to send it, so that nobody says "did not happen" while that worker lives.

/** Told as the worker of an attempt when the journal does not name who made it. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/**
 * Makes of a fold what the rows should say: claims are laid over it as they stand in the rows, and what was being done by
 * nobody is told as lost. The fold is changed; what follows from losses is in the events of the decider that is returned.
 */
export function layClaimsOver(
  fold: RunView,
  { rows: stored, senders }: Pick<FoldedRun, 'rows' | 'senders'>,
  nowMs: number,
): Decider {
  const byPath = new Map(stored.map((row) => [row.state.path, row]));
  const decider = new Decider(fold, nowMs);
  const heldByNobody: NodeRunState[] = [];
  for (const row of fold.rows.openUnder('')) {
    const found = byPath.get(row.path);
    row.attempt = Math.max(row.attempt, found?.state.attempt ?? 0);
    if (row.status !== 'ready' && row.status !== 'running') continue;
    const holder = found?.isWorkerKnown ? found.state.workerId : undefined;
    if (holder !== undefined) {
      if (row.status === 'ready') fold.move(row, 'claim');
      row.workerId = holder;
      continue;
    }
    if (row.status === 'running' && found?.state.status === 'ready') fold.move(row, 'release');
    if (row.status === 'ready' && isStopping(fold, row.path)) {
      fold.move(row, 'claim');
      row.attempt = Math.max(row.attempt, 1);
    }
    if (row.status === 'running') heldByNobody.push(row);
  }
  for (const row of heldByNobody) {
    const { path, attempt } = row;
    const workerId = senders.get(path) ?? NOBODY;
    row.workerId = workerId;
    decider.decide({
      type: 'lost',
      path,
      attempt,
      workerId,
      reason: 'its row was repaired, and who held it is not known',
    });
  }
  return decider;
}
