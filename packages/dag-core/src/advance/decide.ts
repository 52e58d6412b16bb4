import type { BudgetLimits, OnError, RetryPolicy } from '../graph/document.ts';
import { parsePath } from '../graph/topology.ts';
import type { Failure, JournalEvent, Spend } from '../journal/events.ts';
import { kindOf } from '../kinds/index.ts';
import { retryDelayMs } from '../state/retry.ts';
import { addSpend, NO_SPEND, type NodeRunState, subtractSpend } from '../state/run-state.ts';
import { isTerminalNodeRun, isTerminalRun } from '../state/status.ts';
import { applyEvent } from './apply-event.ts';
import type { ControlFact, Fact, Verdict, WorkerFact } from './facts.ts';
import { mayStartWork, type RunView } from './run-view.ts';
import { isStopping, stopDue } from './stop-scope.ts';

// Rules kept here: A2 a fact is answered against the state under the run's lock, never against what its sender believed;
// A3 everything that follows is appended at once, so a committed journal never owes an event.

/** How many times in a row a node run may be lost with its worker before a person is asked (crash.md §3.5). */
export const LOSSES_BEFORE_PAUSE = 10;

/** Collects the events that facts lead to, applying each as it is appended. */
export class Decider {
  readonly view: RunView;
  readonly nowMs: number;
  readonly events: JournalEvent[] = [];

  constructor(view: RunView, nowMs: number) {
    this.view = view;
    this.nowMs = nowMs;
  }

  /**
   * Answers one fact.
   *
   * @throws {RowsMissingError} when the view lacks rows; the view and this decider must then be dropped
   */
  decide(fact: Fact): Verdict {
    const verdict =
      'workerId' in fact && fact.type !== 'lost' ? this.#byWorker(fact) : this.#control(fact as ControlFact);
    this.#drain();
    return verdict;
  }

  #append(event: JournalEvent): void {
    this.events.push(event);
    applyEvent(this.view, event);
  }

  /** Appends what must follow until nothing must. */
  #drain(): void {
    for (let due = this.view.due.shift(); due; due = this.view.due.shift()) {
      switch (due.kind) {
        case 'skip':
          this.#append({
            type: 'nodeRun.skipped',
            path: due.path,
            attempt: 0,
            data: { v: 1, killedBy: due.killedBy },
          });
          break;
        case 'cancel': {
          const row = this.view.rows.get(due.path);
          if (!row || isTerminalNodeRun(row.status)) break;
          const doubt = row.status === 'uncertain' ? { doubt: true as const } : {};
          const data = { v: 1 as const, reason: due.reason, ...doubt };
          this.#append({ type: 'nodeRun.cancelled', path: row.path, attempt: row.attempt, data });
          break;
        }
        case 'failScope':
          this.#failScope(due.path);
          break;
        case 'endCancelled':
          this.#endCancelled();
      }
    }
  }

  /** V11: a run ends cancelled with every node run ended; what is in doubt is kept as doubt. */
  #endCancelled(): void {
    const { run, rows } = this.view;
    if (run.status !== 'cancelling') return;
    for (const row of rows.openUnder('')) {
      const doubt = row.status === 'uncertain' ? { doubt: true as const } : {};
      this.#append({
        type: 'nodeRun.cancelled',
        path: row.path,
        attempt: row.attempt,
        data: { v: 1, reason: 'cancel', ...doubt },
      });
    }
    this.#append({ type: 'run.statusChanged', path: '', attempt: 0, data: { v: 1, status: 'cancelled' } });
  }

  #failScope(path: string): void {
    const { run, rows } = this.view;
    if (path === '') {
      if (isTerminalRun(run.status) || run.failure === undefined) return;
      this.#append({
        type: 'run.statusChanged',
        path: '',
        attempt: 0,
        data: { v: 1, status: 'failed', failure: run.failure },
      });
      return;
    }
    const row = rows.get(path);
    if (!row || isTerminalNodeRun(row.status) || row.failure === undefined) return;
    const failure: Failure =
      row.kind === 'item'
        ? { ...row.failure, message: `Item ${row.itemIndex} failed: ${row.failure.message}` }
        : row.failure;
    const next = row.kind === 'item' ? 'continue' : nextAfter(this.#onError(path), failure);
    this.#fail(row, row.attempt, failure, next);
  }

  #byWorker(fact: WorkerFact): Verdict {
    const row = this.view.rows.get(fact.path);
    if (!row || !this.#isHeld(row, fact)) return this.#late(fact, row);
    const { path, attempt } = fact;
    switch (fact.type) {
      case 'succeeded': {
        const { output, outputRef, ports, answer, call, clock, degraded, effectId } = fact;
        const isAfterCancel = this.view.run.status === 'cancelling';
        this.#append({
          type: 'outcome.succeeded',
          path,
          attempt,
          data: {
            v: 1,
            ...(outputRef ? ({ outputRef } as unknown as { output: null }) : { output }),
            ...(ports && { ports }),
            ...(answer && { answer }),
            ...(call !== undefined && { call }),
            ...(clock !== undefined && { clock }),
            ...(degraded !== undefined && { degraded }),
            ...(effectId !== undefined && { effectId }),
            ...(isAfterCancel && { afterCancel: true as const }),
          },
        });
        return 'applied';
      }
      case 'failed':
        return this.#failed(fact, row);
      case 'intent':
        return this.#intent(fact, row);
      case 'answered': {
        const { call, answer, problem } = fact;
        this.#append({ type: 'call.answered', path, attempt, data: { v: 1, call, answer, problem } });
        return 'applied';
      }
      case 'expanded': {
        if (isStopping(this.view, path)) return this.#giveUp(row);
        const { count, itemsHash, clock } = fact;
        this.#append({
          type: 'map.expanded',
          path,
          attempt,
          data: { v: 1, count, itemsHash, ...(clock !== undefined && { clock }) },
        });
        return 'applied';
      }
      case 'artifact':
        this.#append({ type: 'artifact.created', path, attempt, data: { v: 1, ...fact.artifact } });
        return 'applied';
      case 'released':
        if (isStopping(this.view, path)) return this.#giveUp(row);
        this.view.move(row, 'release');
        return 'applied';
    }
  }

  /** V3: the row is running under this attempt and worker; or it became ready in this very decision and the worker ran ahead. */
  #isHeld(row: NodeRunState, fact: WorkerFact): boolean {
    if (row.status === 'running') return row.attempt === fact.attempt && row.workerId === fact.workerId;
    if (row.status !== 'ready' || row.attempt !== fact.attempt - 1 || !this.view.changed.has(row.path))
      return false;
    if (isStopping(this.view, row.path)) return false;
    this.view.move(row, 'claim');
    row.attempt = fact.attempt;
    row.workerId = fact.workerId;
    return true;
  }

  #late(fact: WorkerFact, row: NodeRunState | undefined): Verdict {
    if (!row || fact.attempt > row.attempt || row.intentSeq === undefined) return 'notMine';
    if (fact.type === 'succeeded') {
      const { output, answer } = fact;
      this.#append({
        type: 'outcome.late',
        path: fact.path,
        attempt: fact.attempt,
        data: { v: 1, output, ...(answer && { answer }) },
      });
      return 'late';
    }
    if (fact.type === 'failed') {
      const { failure, answer } = fact;
      this.#append({
        type: 'outcome.late',
        path: fact.path,
        attempt: fact.attempt,
        data: { v: 1, failure, ...(answer && { answer }) },
      });
      return 'late';
    }
    return 'notMine';
  }

  /** E9: what would start or go on in a scope that stops is cancelled instead. */
  #giveUp(row: NodeRunState): Verdict {
    const reason = this.view.run.status === 'cancelling' ? 'cancel' : 'stop';
    this.#append({ type: 'nodeRun.cancelled', path: row.path, attempt: row.attempt, data: { v: 1, reason } });
    stopDue(this.view, row.path);
    return 'stopped';
  }

  #intent(fact: Extract<WorkerFact, { type: 'intent' }>, row: NodeRunState): Verdict {
    const { run } = this.view;
    if (isStopping(this.view, row.path)) return this.#giveUp(row);
    const { path, attempt, intent, clock } = fact;
    const others = subtractSpend(run.reserved, row.reserved ?? NO_SPEND);
    const missing =
      intent.reserved && missingBudget(run.limits, addSpend(addSpend(run.spent, others), intent.reserved));
    if (missing) {
      this.#append({
        type: 'nodeRun.waiting',
        path,
        attempt,
        data: { v: 1, status: 'blocked', reason: 'budget', detail: missing },
      });
      if (run.status !== 'paused') {
        this.#append({
          type: 'run.statusChanged',
          path: '',
          attempt: 0,
          data: { v: 1, status: 'paused', reason: 'budget' },
        });
      }
      return 'blocked';
    }
    this.#append({
      type: 'intent.recorded',
      path,
      attempt,
      data: { v: 1, ...(clock !== undefined && { clock }), ...intent },
    });
    return 'applied';
  }

  /** Semantics §2 Retry and §3: what a failed attempt leads to. */
  #failed(fact: Extract<WorkerFact, { type: 'failed' }>, row: NodeRunState): Verdict {
    const { attempt, failure, answer, call } = fact;
    if (fact.isAmbiguous && row.effect === 'non_repeatable' && row.intentSeq !== undefined) {
      this.#append({
        type: 'nodeRun.waiting',
        path: row.path,
        attempt,
        data: { v: 1, status: 'uncertain', reason: failure.code, detail: { message: failure.message } },
      });
      stopDue(this.view, row.path);
      return 'applied';
    }
    const extra = {
      ...(answer && { answer }),
      ...(call !== undefined && { call }),
      ...(fact.isAmbiguous && row.reserved && !answer && { lostSpend: true as const }),
    };
    if (row.kind === 'item') {
      this.#fail(row, attempt, failure, 'continue');
      return 'applied';
    }
    const isRetryable =
      failure.class === 'transient' || failure.class === 'timed_out' || failure.class === 'lost';
    const mayGoOn = !isStopping(this.view, row.path);
    if (isRetryable && mayGoOn) {
      const delayMs = retryDelayMs(
        row.failures + 1,
        { ...this.#defaultRetry(row.path), ...fact.retry, ...this.#retry(row.path) },
        fact.random,
        failure.retryAfterMs,
      );
      if (delayMs !== undefined) {
        const retryAt = this.nowMs + delayMs;
        this.#append({
          type: 'outcome.failed',
          path: row.path,
          attempt,
          data: { v: 1, failure, next: 'retry', retryAt, ...extra },
        });
        return 'applied';
      }
    }
    this.#fail(row, attempt, failure, mayGoOn ? nextAfter(this.#onError(row.path), failure) : 'stop', extra);
    return 'applied';
  }

  #fail(
    row: NodeRunState,
    attempt: number,
    failure: Failure,
    next: NextAfterFailure,
    extra: object = {},
  ): void {
    const onError = next === 'fallback' ? this.#onError(row.path) : undefined;
    const isAfterCancel = this.view.run.status === 'cancelling';
    this.#append({
      type: 'outcome.failed',
      path: row.path,
      attempt,
      data: {
        v: 1,
        failure,
        next,
        ...extra,
        ...(onError?.do === 'fallback' && { fallback: onError.value }),
        ...(isAfterCancel && { afterCancel: true as const }),
      },
    });
  }

  /** E7: a map whose items were stopped is not laid out again; its items and what they did are gone from it. */
  #isStoppedMap(row: NodeRunState): boolean {
    if (row.itemCount === undefined) return false;
    const { config } = parsePath(this.view.graph, row.path)!.node;
    const isStoppedByItem = config.kind === 'map' && (config.onItemError ?? 'fail') === 'fail';
    return row.doneItems !== row.itemCount || (isStoppedByItem && (row.failedItems ?? 0) > 0);
  }

  #onError(path: string): OnError | undefined {
    return parsePath(this.view.graph, path)?.node.config.onError;
  }

  /** K13: the kind's own policy stands under what tool and node say. */
  #defaultRetry(path: string): RetryPolicy | undefined {
    const target = parsePath(this.view.graph, path);
    return target && kindOf(target.node.config).defaultRetry;
  }

  #retry(path: string): RetryPolicy | undefined {
    return parsePath(this.view.graph, path)?.node.config.retry;
  }

  #control(fact: ControlFact): Verdict {
    const { run, rows } = this.view;
    switch (fact.type) {
      case 'runEnded': {
        if (run.openCount > 0 || !mayStartWork(run) || run.status === 'paused') return 'notMine';
        const status = fact.failure ? 'failed' : run.isPartial ? 'partial' : 'succeeded';
        const output = fact.outputRef
          ? { outputRef: fact.outputRef }
          : fact.failure
            ? {}
            : { output: fact.output ?? null };
        this.#append({
          type: 'run.statusChanged',
          path: '',
          attempt: 0,
          data: {
            v: 1,
            status,
            ...output,
            ...(fact.failure && { failure: fact.failure }),
            ...(run.degraded.length > 0 && { degraded: run.degraded }),
          },
        });
        return 'applied';
      }
      case 'lost':
        return this.#lost(fact);
      case 'timerDue': {
        const row = rows.get(fact.path);
        if (row?.status !== 'retry_wait' || (row.wakeAt ?? 0) > this.nowMs || !mayStartWork(run))
          return 'notMine';
        this.#resume(row, 'timer');
        return 'applied';
      }
      case 'cancel':
        if (isTerminalRun(run.status)) return 'refused';
        if (run.status === 'cancelling') return 'applied';
        this.#append({
          type: 'run.cancelRequested',
          path: '',
          attempt: 0,
          data: { v: 1, by: fact.by, ...(fact.reason !== undefined && { reason: fact.reason }) },
        });
        return 'applied';
      case 'graceOver':
        if (run.status !== 'cancelling') return 'notMine';
        for (const row of rows.openUnder('')) {
          const doubt =
            row.intentSeq !== undefined && row.effect === 'non_repeatable' ? { doubt: true as const } : {};
          this.#append({
            type: 'nodeRun.cancelled',
            path: row.path,
            attempt: row.attempt,
            data: { v: 1, reason: 'grace', ...doubt },
          });
        }
        this.view.due.push({ kind: 'endCancelled' });
        return 'applied';
      case 'settle':
        return this.#settle(fact);
      case 'retryNode': {
        const row = rows.get(fact.path);
        if (row?.status !== 'waiting' || row.reason !== 'failure' || !mayStartWork(run)) return 'refused';
        if (this.#isStoppedMap(row)) return 'refused';
        this.#resume(row, 'retry', fact.by);
        return 'applied';
      }
      case 'raiseBudget': {
        if (isTerminalRun(run.status)) return 'refused';
        this.#append({
          type: 'run.budgetChanged',
          path: '',
          attempt: 0,
          data: { v: 1, limits: { ...run.limits, ...fact.limits } as never, by: fact.by },
        });
        for (const row of rows.openUnder(''))
          if (row.status === 'blocked') this.#resume(row, 'budget', fact.by);
        if (run.status === 'paused') {
          this.#append({
            type: 'run.statusChanged',
            path: '',
            attempt: 0,
            data: { v: 1, status: 'running', reason: 'budget' },
          });
        }
        return 'applied';
      }
      case 'overtime':
        if (run.status !== 'pending' && run.status !== 'running' && run.status !== 'waiting')
          return 'notMine';
        this.#append({
          type: 'run.statusChanged',
          path: '',
          attempt: 0,
          data: { v: 1, status: 'paused', reason: 'wall_clock' },
        });
        return 'applied';
    }
  }

  #resume(row: NodeRunState, reason: 'timer' | 'settled' | 'budget' | 'retry', by?: string): void {
    this.#append({
      type: 'nodeRun.resumed',
      path: row.path,
      attempt: row.attempt,
      data: { v: 1, reason, ...(by !== undefined && { by }) },
    });
  }

  /** V5: a lost non-repeatable attempt with an intent is doubt; everything else is run again. */
  #lost(fact: Extract<ControlFact, { type: 'lost' }>): Verdict {
    const row = this.view.rows.get(fact.path);
    if (row?.status !== 'running' || row.workerId !== fact.workerId || row.attempt !== fact.attempt)
      return 'notMine';
    const { path, attempt } = row;
    const isDoubt = row.effect === 'non_repeatable' && row.intentSeq !== undefined;
    const { workerId, reason } = fact;
    this.#append({
      type: 'attempt.lost',
      path,
      attempt,
      data: { v: 1, workerId, next: isDoubt ? 'uncertain' : 'ready', reason },
    });
    if (isDoubt) return 'applied';
    if (isStopping(this.view, path)) {
      this.#giveUp(row);
    } else if ((row.losses ?? 0) >= LOSSES_BEFORE_PAUSE) {
      const message = `Node run ${path} was lost with its worker ${LOSSES_BEFORE_PAUSE} times; look at the workers, then retry, settle or skip it.`;
      this.#fail(row, attempt, { code: 'lost_too_often', message, class: 'lost' }, 'pause');
    }
    return 'applied';
  }

  #settle(fact: Extract<ControlFact, { type: 'settle' }>): Verdict {
    const { run, rows } = this.view;
    const row = rows.get(fact.path);
    const isOpen = row?.status === 'uncertain' || (row?.status === 'waiting' && row.reason === 'failure');
    if (!row || !isOpen || isTerminalRun(run.status)) return 'refused';
    const { path, attempt } = row;
    switch (fact.verdict) {
      case 'happened':
        this.#append({
          type: 'outcome.succeeded',
          path,
          attempt,
          data: { v: 1, output: fact.output, settledBy: fact.by },
        });
        return 'applied';
      case 'did_not_happen':
        if (this.#isStoppedMap(row)) return 'refused';
        if (isStopping(this.view, path)) this.#giveUp(row);
        else this.#resume(row, 'settled', fact.by);
        return 'applied';
      case 'skip':
        this.#append({
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
        const next = nextAfter(this.#onError(path), failure);
        this.#fail(row, attempt, failure, next === 'pause' || isStopping(this.view, path) ? 'stop' : next, {
          settledBy: fact.by,
        });
        return 'applied';
      }
    }
  }
}

type NextAfterFailure = 'continue' | 'fallback' | 'stop' | 'pause';

/** E8: what the flow says; else `pause` after transient failures ran out of attempts, `stop` otherwise. */
function nextAfter(onError: OnError | undefined, failure: Failure): NextAfterFailure {
  if (onError) return onError.do === 'fail' ? 'stop' : onError.do;
  return failure.class === 'transient' || failure.class === 'timed_out' || failure.class === 'lost'
    ? 'pause'
    : 'stop';
}

/** V6: which limits `wanted` would pass, with the numbers; undefined when it fits. */
export function missingBudget(
  limits: BudgetLimits,
  wanted: Spend,
): Record<string, { limit: number; wanted: number }> | undefined {
  const missing: Record<string, { limit: number; wanted: number }> = {};
  const check = (name: string, limit: number | undefined, amount: number) => {
    if (limit !== undefined && amount > limit) missing[name] = { limit, wanted: amount };
  };
  check('costUsd', limits.costUsd, wanted.costNanoUsd / 1e9);
  check('tokens', limits.tokens, wanted.tokens);
  check('modelCalls', limits.modelCalls, wanted.modelCalls);
  return Object.keys(missing).length > 0 ? missing : undefined;
}
