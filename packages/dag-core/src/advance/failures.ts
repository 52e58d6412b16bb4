import type { OnError, RetryPolicy } from '../graph/document.ts';
import { parsePath } from '../graph/topology.ts';
import type { Failure } from '../journal/events.ts';
import type { Json } from '../json.ts';
import { kindOf } from '../kinds/index.ts';
import { retryDelayMs } from '../state/retry.ts';
import type { NodeRunState } from '../state/run-state.ts';
import type { Decision } from './decision.ts';
import { isItem } from './edges-and-scopes.ts';
import type { Verdict, WorkerFact } from './facts.ts';
import { asksTool, probeFailed } from './probes.ts';
import { isStopping, stopDue } from './stop-scope.ts';

// Rules kept here: T8, T9, E8: what a failed attempt leads to.

/** What a failure leads to by the flow's word; a call of an agent's tool may say `tell`. */
type Said = OnError | { readonly do: 'tell' } | undefined;
type NextAfterFailure = 'continue' | 'fallback' | 'stop' | 'pause' | 'tell';

/** Semantics §2 Retry and §3: what a failed attempt leads to. */
export function failed(
  d: Decision,
  fact: Extract<WorkerFact, { type: 'failed' }>,
  row: NodeRunState,
): Verdict {
  const { attempt, failure, answer, call } = fact;
  if (fact.isAmbiguous && row.effect === 'non_repeatable' && row.intentSeq !== undefined) {
    d.append({
      type: 'nodeRun.waiting',
      path: row.path,
      attempt,
      data: {
        v: 1,
        status: 'uncertain',
        reason: failure.code,
        detail: { message: failure.message },
        ...(fact.stillRuns && { stillRuns: true as const }),
        ...asksTool(d, row),
      },
    });
    stopDue(d.view, row.path);
    return 'applied';
  }
  const extra = {
    ...(answer && { answer }),
    ...(call !== undefined && { call }),
    ...(fact.callback !== undefined && { callback: fact.callback }),
    ...(fact.isAmbiguous && row.reserved && !answer && { lostSpend: true as const }),
    ...(mayHaveHappened(fact, row) && { mayHaveHappened: true as const }),
  };
  const isRetryable =
    failure.class === 'transient' || failure.class === 'timed_out' || failure.class === 'lost';
  const mayGoOn = !isStopping(d.view, row.path);
  if (isRetryable && mayGoOn) {
    const delayMs = retryDelayMs(
      row.failures + 1,
      // K13: what an item computes is no effect and no part of what its container's policy tries again.
      isItem(row) ? {} : { ...defaultRetry(d, row.path), ...fact.retry, ...retry(d, row.path) },
      fact.random,
      failure.retryAfterMs,
    );
    if (delayMs !== undefined) {
      const retryAt = d.nowMs + delayMs;
      d.append({
        type: 'outcome.failed',
        path: row.path,
        attempt,
        data: { v: 1, failure, next: 'retry', retryAt, ...extra },
      });
      return 'applied';
    }
  }
  if (isItem(row)) {
    fail(d, row, attempt, failure, 'continue');
    return 'applied';
  }
  if (row.kind === 'probe') {
    probeFailed(d, row, failure);
    return 'applied';
  }
  const next = isTold(d, fact) ? 'tell' : nextAfter(onError(d, row.path), failure);
  fail(d, row, attempt, failure, mayGoOn ? next : 'stop', extra, fact.stale);
  return 'applied';
}

/** T19: of an effect that changes something, sent, without proof that it did not. */
const mayHaveHappened = (
  { isAmbiguous, hasHappened }: Extract<WorkerFact, { type: 'failed' }>,
  { effect, intentSeq }: NodeRunState,
): boolean => (isAmbiguous || hasHappened) === true && intentSeq !== undefined && effect !== 'model';

/** K19: a model is told what is wrong with its call. */
const isTold = (d: Decision, { path, tells }: Extract<WorkerFact, { type: 'failed' }>): boolean =>
  tells === true && parsePath(d.view.graph, path)?.call !== undefined;

export function fail(
  d: Decision,
  row: NodeRunState,
  attempt: number,
  failure: Failure,
  next: NextAfterFailure,
  extra: object = {},
  stale?: Stale,
): void {
  const instead = next === 'fallback' ? fallbackOf(onError(d, row.path), stale) : undefined;
  // E8: a fallback that has nothing to give is as good as none.
  const follows = next === 'fallback' && !instead ? nextAfter(undefined, failure) : next;
  const isAfterCancel = d.view.run.status === 'cancelling';
  d.append({
    type: 'outcome.failed',
    path: row.path,
    attempt,
    data: {
      v: 1,
      failure,
      next: follows,
      ...extra,
      ...instead,
      ...(isAfterCancel && { afterCancel: true as const }),
    },
  });
}

type Stale = NonNullable<Extract<WorkerFact, { type: 'failed' }>['stale']>;

/** What goes on instead of the output: what an earlier call gave, where the flow allows it, else the value it names. */
function fallbackOf(
  said: Said,
  stale: Stale | undefined,
): { fallback: Json; stale?: { at: number } } | undefined {
  if (said?.do !== 'fallback') return undefined;
  if (said.cached && stale) return { fallback: stale.output, stale: { at: stale.at } };
  return said.value === undefined ? undefined : { fallback: said.value };
}

export function onError(d: Decision, path: string): Said {
  const node = parsePath(d.view.graph, path)?.node;
  return node?.tells ? { do: 'tell' } : node?.config.onError;
}

/** K13: the kind's own policy stands under what tool and node say. */
function defaultRetry(d: Decision, path: string): RetryPolicy | undefined {
  const target = parsePath(d.view.graph, path);
  return target && kindOf(target.node.config).defaultRetry;
}

function retry(d: Decision, path: string): RetryPolicy | undefined {
  return parsePath(d.view.graph, path)?.node.config.retry;
}

/** E8: what the flow says; else `pause` after transient failures ran out of attempts, `stop` otherwise. */
export function nextAfter(onError: Said, failure: Failure): NextAfterFailure {
  if (onError) return onError.do === 'fail' ? 'stop' : onError.do;
  return failure.class === 'transient' || failure.class === 'timed_out' || failure.class === 'lost'
    ? 'pause'
    : 'stop';
}
