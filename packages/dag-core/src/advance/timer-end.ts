import type { Failure } from '../journal/events.ts';
import type { NodeRunState } from '../state/run-state.ts';
import { addDuration, type Duration, TEN_YEARS } from '../time/duration.ts';
import { instantText } from '../time/instant.ts';
import type { Decision } from './decision.ts';
import type { WorkerFact } from './facts.ts';
import { failed } from './failures.ts';

// Rules kept here: T13: an instant is counted on the database's clock, and no timer is longer than ten years.

/**
 * The instant at which a timer that begins now ends, epoch milliseconds.
 *
 * @returns `too_long` when it lasts more than ten years; the node run has failed then
 */
export function timerEnd(
  d: Decision,
  fact: WorkerFact & { readonly for?: Duration; readonly until?: number },
  row: NodeRunState,
): number | 'too_long' {
  const endsAt = fact.until ?? addDuration(d.nowMs, fact.for!);
  if (endsAt <= addDuration(d.nowMs, TEN_YEARS)) return endsAt;
  const { path, attempt, workerId } = fact;
  const failure: Failure = {
    code: 'wait_too_long',
    message: `Node run ${path} would wait until ${instantText(endsAt)}: a timer lasts ten years at most.`,
    class: 'permanent',
  };
  failed(d, { type: 'failed', path, attempt, workerId, failure, random: 0 }, row);
  return 'too_long';
}
