import type { BudgetLimits } from '../graph/document.ts';
import { DEFAULT_POOL } from '../graph/topology.ts';
import type { JournalEvent } from '../journal/events.ts';
import { openRoots } from './edges-and-scopes.ts';
import type { RunView } from './run-view.ts';

// Rules kept here: E1 the roots are ready at once; G12, T17: pool and priority are the run's from its first event on; F9: an
// undo run has no roots.

type Admitted = Extract<JournalEvent, { type: 'run.admitted' }>['data'];

/** What a run begins with. */
export function applyAdmission(
  view: RunView,
  { budget, priority, parent, allowance, concurrency, undoesRun, mode }: Admitted,
): void {
  const { run, graph } = view;
  const { pool = DEFAULT_POOL } = graph.document;
  run.limits = budget as BudgetLimits;
  run.openCount = graph.root.nodes.length;
  if (mode) run.more = { ...run.more, mode };
  if (priority !== undefined) run.more = { ...run.more, priority };
  if (parent) run.more = { ...run.more, parent, ...(allowance && { allowance }) };
  if (concurrency !== undefined) run.more = { ...run.more, concurrency };
  if (pool !== DEFAULT_POOL) run.more = { ...run.more, pool };
  if (undoesRun !== undefined) {
    run.more = { ...run.more, undoesRun };
    run.openCount = 0;
    return; // what it undoes is said by its plan, which comes next
  }
  openRoots(view, '', graph.root);
}
