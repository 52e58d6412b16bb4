import type { NodeRunState } from '../state/run-state.ts';
import type { Decision } from './decision.ts';
import type { Verdict } from './facts.ts';
import { stopDue } from './stop-scope.ts';

/** E9: what would start or go on in a scope that stops is cancelled instead. */
export function giveUp(d: Decision, row: NodeRunState): Verdict {
  const reason = d.view.run.status === 'cancelling' ? 'cancel' : 'stop';
  d.append({ type: 'nodeRun.cancelled', path: row.path, attempt: row.attempt, data: { v: 1, reason } });
  stopDue(d.view, row.path);
  return 'stopped';
}
