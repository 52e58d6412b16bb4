import { probePath } from '../graph/topology.ts';
import type { Failure, JournalEvent } from '../journal/events.ts';
import { outputData } from '../journal/output-data.ts';
import { type NodeRunState, withoutFacts } from '../state/run-state.ts';
import type { Decision } from './decision.ts';
import { openProbe } from './edges-and-scopes.ts';
import type { Verdict, WorkerFact } from './facts.ts';
import { giveUp } from './give-up.ts';
import { resume } from './resume.ts';
import { known, type RunView } from './run-view.ts';
import { isStopping, scopePathOf } from './stop-scope.ts';

// Rules kept here: T20: a tool that can is asked about an effect in doubt before a person is.

/** Who settles an effect when its tool knew what became of it. */
const PROBE = 'probe';

/** Said with a doubt: its tool is asked. Not where nobody waits for the answer. */
export function asksTool({ view: { run } }: Decision, row: NodeRunState): { probe?: true } {
  const isAwaited = run.status !== 'cancelling' || run.more?.undoOnCancel === true;
  return row.more?.probes && isAwaited ? { probe: true } : {};
}

/** Opens the node run that asks. */
export function beginProbe(view: RunView, row: NodeRunState): void {
  row.more = { ...row.more, probing: true };
  openProbe(view, row, probePath(row.path, row.attempt));
}

/** Somebody else has decided, or told: nobody needs the answer any more. */
export function endProbe(view: RunView, row: NodeRunState): void {
  if (!row.more?.probing) return;
  row.more = withoutFacts(row.more, 'probing');
  view.due.push({ kind: 'cancel', path: probePath(row.path, row.attempt), reason: 'stop' });
}

type Probed = Extract<WorkerFact, { type: 'probed' }>;

/** A tool that cannot say is asked again, like one that fails. */
export function asFailed(
  fact: Extract<Probed, { answer: 'unknown' }>,
): Extract<WorkerFact, { type: 'failed' }> {
  const { path, attempt, workerId, reason: message, retryAfterMs, random } = fact;
  const again = retryAfterMs !== undefined && { retryAfterMs };
  const failure: Failure = { code: 'probe_unknown', message, class: 'transient', ...again };
  return { type: 'failed', path, attempt, workerId, failure, random };
}

/** The tool knew. */
export function probed(
  d: Decision,
  fact: Exclude<Probed, { answer: 'unknown' }>,
  row: NodeRunState,
): Verdict {
  const effect = known(d.view, scopePathOf(row));
  if (effect.status !== 'uncertain') return giveUp(d, row); // a cancel that waits for no doubt
  switch (fact.answer) {
    case 'applied': {
      answered(d, row, { says: 'applied' });
      d.append({
        type: 'outcome.succeeded',
        path: effect.path,
        attempt: effect.attempt,
        data: { v: 1, ...outputData(fact), settledBy: PROBE },
      });
      return 'applied';
    }
    case 'not_applied':
      answered(d, row, { says: 'not_applied' });
      if (isStopping(d.view, effect.path)) giveUp(d, effect);
      else resume(d, effect, 'settled', PROBE);
      return 'applied';
  }
}

/** The tool could not say: a person is asked. */
export function probeFailed(d: Decision, row: NodeRunState, failure: Failure): void {
  answered(d, row, { says: 'unknown', failure });
}

type Answered = Extract<JournalEvent, { type: 'probe.answered' }>;

function answered(d: Decision, { path, attempt }: NodeRunState, data: Omit<Answered['data'], 'v'>): void {
  d.append({ type: 'probe.answered', path, attempt, data: { v: 1, ...data } });
}

export function applyAnswer(view: RunView, row: NodeRunState): void {
  view.move(row, 'succeed');
  const effect = view.touch(known(view, scopePathOf(row)));
  effect.more = withoutFacts(effect.more, 'probing');
}
