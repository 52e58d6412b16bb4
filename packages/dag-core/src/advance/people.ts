import { parsePath } from '../graph/topology.ts';
import type { Failure } from '../journal/events.ts';
import { outputData } from '../journal/output-data.ts';
import type { Json } from '../json.ts';
import type { NodeRunState } from '../state/run-state.ts';
import { isTerminalRun } from '../state/status.ts';
import type { Decision } from './decision.ts';
import { whyNotEditable } from './edits.ts';
import type { ControlFact, Verdict } from './facts.ts';
import { fail, nextAfter, onError } from './failures.ts';
import { giveUp } from './give-up.ts';
import { answered, isAsked } from './questions.ts';
import { resume } from './resume.ts';
import { mayStart, undoesOnFailure } from './run-view.ts';
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
  const isAboutDoubts = fact.verdict === 'adopt' || fact.verdict === 'compensate';
  if (isAboutDoubts && row.status !== 'uncertain') return 'refused';
  if (fact.verdict === 'compensate') {
    // A cancel under way that undoes nothing is not turned into one that does.
    const isPlainCancel = run.status === 'cancelling' && !run.more?.undoOnCancel;
    if (!row.more?.compensates || isPlainCancel) return 'refused';
    undoInTheEnd(d, fact.by);
  }
  answered(d, row, fact.by, fact.verdict, {
    ...('reason' in fact && { reason: fact.reason }),
    ...('late' in fact && { late: fact.late }),
  });
  switch (fact.verdict) {
    case 'happened':
    case 'compensate':
      happened(d, row, fact);
      return 'applied';
    case 'did_not_happen':
      didNotHappen(d, row, fact.by);
      return 'applied';
    case 'adopt':
      if (!fact.failure) happened(d, row, fact);
      else if (fact.failure.class === 'permanent') settledAsFailed(d, row, fact.failure, fact.by);
      else didNotHappen(d, row, fact.by);
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
      settledAsFailed(d, row, { code: 'settled_as_failed', message, class: 'permanent' }, fact.by);
      return 'applied';
    }
  }
}

function happened(
  d: Decision,
  { path, attempt }: NodeRunState,
  { by, ...given }: { readonly output: Json; readonly outputRef?: object; readonly by: string },
): void {
  d.append({ type: 'outcome.succeeded', path, attempt, data: { v: 1, ...outputData(given), settledBy: by } });
}

function didNotHappen(d: Decision, row: NodeRunState, by: string): void {
  if (isStopping(d.view, row.path)) giveUp(d, row);
  else resume(d, row, 'settled', by);
}

/** A person's word ends it: to wait for a person again would make it mean nothing. */
function settledAsFailed(d: Decision, row: NodeRunState, failure: Failure, by: string): void {
  const next = nextAfter(onError(d, row.path), failure);
  const isOver = next === 'pause' || isStopping(d.view, row.path);
  fail(d, row, row.attempt, failure, isOver ? 'stop' : next, { settledBy: by });
}

/** The run undoes what it did: asked for here, unless it is about to anyway. */
function undoInTheEnd(d: Decision, by: string): void {
  const { run } = d.view;
  const isFailing = run.failure !== undefined && undoesOnFailure(d.view);
  if (isFailing || run.more?.undoOnCancel) return;
  d.append({
    type: 'run.cancelRequested',
    path: '',
    attempt: 0,
    data: { v: 1, by, reason: 'settled_as_compensate', compensate: true },
  });
}

/** Tries again what waits for a person after a failure. */
export function retryNode(d: Decision, fact: Told<'retryNode'>): Verdict {
  const row = d.view.rows.get(fact.path);
  if (row?.status !== 'waiting' || row.reason !== 'failure' || !mayStart(d.view.run, row)) return 'refused';
  if (!isAsked(row, fact) || isStoppedContainer(d, row)) return 'refused';
  const { values } = fact;
  if (values !== undefined && whyNotEditable(d.view.graph, row)) return 'refused';
  answered(d, row, fact.by, 'retry', { values });
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
