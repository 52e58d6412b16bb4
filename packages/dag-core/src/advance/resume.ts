import type { JournalEvent } from '../journal/events.ts';
import type { NodeRunState } from '../state/run-state.ts';
import type { Decision } from './decision.ts';

type Resumed = Extract<JournalEvent, { type: 'nodeRun.resumed' }>['data'];

/** A wait is over: the node run is ready again. */
export function resume(
  d: Decision,
  { path, attempt }: NodeRunState,
  reason: Resumed['reason'],
  by?: string,
): void {
  const data = { v: 1 as const, reason, ...(by !== undefined && { by }) };
  d.append({ type: 'nodeRun.resumed', path, attempt, data });
}
