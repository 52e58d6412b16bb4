import { outputData } from '../journal/output-data.ts';
import type { Json } from '../json.ts';
import { addSpend, NO_SPEND, type NodeRunState, subtractSpend } from '../state/run-state.ts';
import { missingBudget } from './budget.ts';
import { accepted } from './callbacks.ts';
import type { Decision } from './decision.ts';
import type { Verdict, WorkerFact } from './facts.ts';
import { failed } from './failures.ts';
import { giveUp } from './give-up.ts';
import { polled, pollFailed } from './polls.ts';
import { asFailed, probed } from './probes.ts';
import { asks } from './questions.ts';
import { isStopping } from './stop-scope.ts';
import { startsFlow } from './sub-flows.ts';
import { missingAllowance } from './tree-budget.ts';
import { waits } from './waits.ts';

// Rules kept here: what a worker tells (T5, T12, V3, V6).

export function byWorker(d: Decision, fact: WorkerFact): Verdict {
  const row = d.view.rows.get(fact.path);
  const held = row && isHeld(d, row, fact) ? row : undefined;
  if (fact.type === 'polled') return polled(d, fact, held);
  return held ? byHolder(d, fact, held) : late(d, fact, row);
}

function byHolder(d: Decision, fact: Exclude<WorkerFact, { type: 'polled' }>, row: NodeRunState): Verdict {
  const { path, attempt } = fact;
  switch (fact.type) {
    case 'succeeded': {
      const { output, outputRef, ports, answer, call, clock, degraded, cached, given, calls, effectId } =
        fact;
      const isAfterCancel = d.view.run.status === 'cancelling';
      d.append({
        type: 'outcome.succeeded',
        path,
        attempt,
        data: {
          v: 1,
          ...outputData({ output, outputRef }),
          ...(ports && { ports }),
          ...(answer && { answer }),
          ...(call !== undefined && { call }),
          ...(clock !== undefined && { clock }),
          ...(degraded !== undefined && { degraded }),
          ...(cached && { cached }),
          ...(given && { given }),
          ...(calls && { calls }),
          ...(effectId !== undefined && { effectId }),
          ...(isAfterCancel && { afterCancel: true as const }),
        },
      });
      return 'applied';
    }
    case 'failed':
      return row.kind === 'poll' ? pollFailed(d, fact, row) : failed(d, fact, row);
    case 'intent':
      return intent(d, fact, row);
    case 'answered': {
      const { call, answer, problem } = fact;
      d.append({ type: 'call.answered', path, attempt, data: { v: 1, call, answer, problem } });
      return 'applied';
    }
    case 'expanded': {
      if (isStopping(d.view, path)) return giveUp(d, row);
      const { count, itemsHash, clock } = fact;
      d.append({
        type: 'map.expanded',
        path,
        attempt,
        data: { v: 1, count, itemsHash, ...(clock !== undefined && { clock }) },
      });
      return 'applied';
    }
    case 'waits':
      return isStopping(d.view, path) ? giveUp(d, row) : waits(d, fact, row);
    case 'startsFlow':
      return startsFlow(d, fact, row);
    case 'continued': {
      if (isStopping(d.view, path)) return giveUp(d, row);
      const { turn, clock } = fact;
      if (turn !== (row.itemCount ?? 0)) return 'notMine';
      d.append({
        type: row.kind === 'agent' ? 'agent.continued' : 'loop.continued',
        path,
        attempt,
        data: { v: 1, turn, ...(clock !== undefined && { clock }) },
      });
      return 'applied';
    }
    case 'asks':
      return isStopping(d.view, path) ? giveUp(d, row) : asks(d, fact, row);
    case 'accepted':
      return accepted(d, fact);
    case 'probed':
      return fact.answer === 'unknown' ? failed(d, asFailed(fact), row) : probed(d, fact, row);
    case 'artifact':
      d.append({ type: 'artifact.created', path, attempt, data: { v: 1, ...fact.artifact } });
      return 'applied';
    case 'released':
      if (isStopping(d.view, path)) return giveUp(d, row);
      d.view.move(row, 'release');
      // L1: nothing was tried. The next holder is another one, or this one after this fact: the fence holds by its name.
      if (fact.line) row.attempt -= 1;
      return 'applied';
  }
}

/** V3: the row is running under this attempt and worker; or it became ready in this very decision and the worker ran ahead. */
function isHeld(d: Decision, row: NodeRunState, fact: WorkerFact): boolean {
  if (row.status === 'running') return row.attempt === fact.attempt && row.workerId === fact.workerId;
  if (row.status !== 'ready' || row.attempt !== fact.attempt - 1 || !d.view.changed.has(row.path))
    return false;
  if (isStopping(d.view, row.path) || d.view.run.status === 'paused') return false;
  d.view.move(row, 'claim');
  row.attempt = fact.attempt;
  row.workerId = fact.workerId;
  return true;
}

function late(d: Decision, fact: WorkerFact, row: NodeRunState | undefined): Verdict {
  if (!row || fact.attempt > row.attempt || row.intentSeq === undefined) return 'notMine';
  if (fact.type === 'succeeded') {
    const { answer } = fact;
    d.append({
      type: 'outcome.late',
      path: fact.path,
      attempt: fact.attempt,
      data: { v: 1, ...outputData(fact), ...(answer && { answer }) },
    });
    return 'late';
  }
  if (fact.type === 'failed') {
    const { failure, answer, isAmbiguous, stillRuns } = fact;
    d.append({
      type: 'outcome.late',
      path: fact.path,
      attempt: fact.attempt,
      data: {
        v: 1,
        failure,
        ...(answer && { answer }),
        ...(isAmbiguous && { ambiguous: true as const }),
        ...(stillRuns && { stillRuns }),
      },
    });
    return 'late';
  }
  return 'notMine';
}

function intent(d: Decision, fact: Extract<WorkerFact, { type: 'intent' }>, row: NodeRunState): Verdict {
  const { run } = d.view;
  if (isStopping(d.view, row.path)) return giveUp(d, row);
  const { path, attempt, workerId, intent, clock } = fact;
  const others = subtractSpend(run.reserved, row.reserved ?? NO_SPEND);
  // S3: an effect is undone whatever it costs.
  const wanted =
    row.kind !== 'undo' && intent.reserved && addSpend(addSpend(run.spent, others), intent.reserved);
  const missing = wanted && missingBudget(run.limits, wanted);
  if (missing) {
    d.append({
      type: 'nodeRun.waiting',
      path,
      attempt,
      data: { v: 1, status: 'blocked', reason: 'budget', detail: missing },
    });
    if (run.status !== 'paused') {
      d.append({
        type: 'run.statusChanged',
        path: '',
        attempt: 0,
        data: { v: 1, status: 'paused', reason: 'budget' },
      });
    }
    return 'blocked';
  }
  const lacking = wanted && missingAllowance(run, wanted);
  if (lacking) {
    const needs = intent.reserved!;
    const detail = lacking as Json;
    d.append({
      type: 'nodeRun.waiting',
      path,
      attempt,
      data: { v: 1, status: 'blocked', reason: 'allowance', detail, needs },
    });
    return 'blocked';
  }
  // J8: what is looked for comes first, what may be long comes last.
  const { call, effect, target, key, requestHash, ...rest } = intent;
  const known = { ...(clock !== undefined && { clock }), workerId, call, effect, target, key, requestHash };
  d.append({ type: 'intent.recorded', path, attempt, data: { v: 1, ...known, ...rest } });
  return 'applied';
}
