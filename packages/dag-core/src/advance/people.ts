import { parsePath } from '../graph/topology.ts';
import type { Failure } from '../journal/events.ts';
import type { NodeRunState } from '../state/run-state.ts';
import { isTerminalRun } from '../state/status.ts';
import type { Decision } from './decision.ts';
import type { ControlFact, Verdict } from './facts.ts';
import { fail, nextAfter, onError } from './failures.ts';
import { giveUp } from './give-up.ts';
import { answered, isAsked } from './questions.ts';
import { resume } from './resume.ts';
import { mayStart } from './run-view.ts';
import { isStopping } from './stop-scope.ts';

// Rules kept here: T9: what people decide about an effect that may have happened, and about a failure.

type Told<T extends ControlFact['type']> = Extract<ControlFact, { type: T }>;

/** About an effect that may have happened, or a failure that waits (T9). */
export function settle(d: Decision, fact: Told<'settle'>): Verdict {
  const { run, rows } = d.view;
  const row = rows.get(fact.path);
  const isOpen = row?.status === 'uncertain' || (row?.status === 'waiting' && row.reason === 'failure');
  if (!row || !isOpen || isTerminalRun(run.status) || !isAsked(row, fact)) return 'refused';
  const { path, attempt } = row;
  if (fact.verdict === 'did_not_happen' && isStoppedContainer(d, row)) return 'refused';
  answered(d, row, fact.by, fact.verdict, 'reason' in fact ? { reason: fact.reason } : {});
  switch (fact.verdict) {
    case 'happened':
      d.append({
        type: 'outcome.succeeded',
        path,
        attempt,
        data: { v: 1, output: fact.output, settledBy: fact.by },
      });
      return 'applied';
    case 'did_not_happen':
      if (isStopping(d.view, path)) giveUp(d, row);
      else resume(d, row, 'settled', fact.by);
      return 'applied';
    case 'skip':
      d.append({
        type: 'nodeRun.skipped',
        path,
        attempt,
        data: { v: 1, killedBy: [`settled by ${fact.by}`], settledBy: fact.by },
      });
      return 'applied';
    case 'fail': {
      const message = fact.reason ?? `Node run ${path} was settled as failed by ${fact.by}.`;
      const failure: Failure = { code: 'settled_as_failed', message, class: 'permanent' };
      // A person's word ends it: to wait for a person again would make `fail` mean nothing.
      const next = nextAfter(onError(d, path), failure);
      fail(d, row, attempt, failure, next === 'pause' || isStopping(d.view, path) ? 'stop' : next, {
        settledBy: fact.by,
      });
      return 'applied';
    }
  }
}

/** Tries again what waits for a person after a failure. */
export function retryNode(d: Decision, fact: Told<'retryNode'>): Verdict {
  const row = d.view.rows.get(fact.path);
  if (row?.status !== 'waiting' || row.reason !== 'failure' || !mayStart(d.view.run, row)) return 'refused';
  if (!isAsked(row, fact) || isStoppedContainer(d, row)) return 'refused';
  answered(d, row, fact.by, 'retry');
  resume(d, row, 'retry', fact.by);
  return 'applied';
}

/** E7: a container whose items were stopped is not gone on with; its items and what they did are gone from it. */
function isStoppedContainer(d: Decision, row: NodeRunState): boolean {
  if (row.itemCount === undefined) return false;
  const { config } = parsePath(d.view.graph, row.path)!.node;
  const isStoppedByItem = config.kind !== 'map' || (config.onItemError ?? 'fail') === 'fail';
  return row.doneItems !== row.itemCount || (isStoppedByItem && (row.failedItems ?? 0) > 0);
}
