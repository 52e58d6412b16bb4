import { parsePath } from '../graph/topology.ts';
import type { Failure, JournalEvent } from '../journal/events.ts';
import type { NodeRunState } from '../state/run-state.ts';
import { isTerminalNodeRun, isTerminalRun } from '../state/status.ts';
import { applyEvent } from './apply-event.ts';
import { endCompensation, planCompensation } from './compensation.ts';
import { control } from './control-facts.ts';
import type { Decision } from './decision.ts';
import { isItem } from './edges-and-scopes.ts';
import type { ControlFact, Fact, StartedFlow, Verdict } from './facts.ts';
import { fail, nextAfter, onError } from './failures.ts';
import { type RunView, undoesOnFailure } from './run-view.ts';
import { stopDue } from './stop-scope.ts';
import { stopFlow } from './sub-flows.ts';
import { byWorker } from './worker-facts.ts';

// Rules kept here: A2 a fact is answered against the state under the run's lock, never against what its sender believed;
// A3 everything that follows is appended at once, so a committed journal never owes an event.

/** Collects the events that facts lead to, applying each as it is appended. */
export class Decider implements Decision {
  readonly view: RunView;
  readonly nowMs: number;
  readonly events: JournalEvent[] = [];
  readonly starts: StartedFlow[] = [];

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
      'workerId' in fact && fact.type !== 'lost' ? byWorker(this, fact) : control(this, fact as ControlFact);
    this.#drain();
    return verdict;
  }

  append(event: JournalEvent): void {
    this.events.push(event);
    applyEvent(this.view, event);
  }

  /** Appends what must follow until nothing must. */
  #drain(): void {
    for (let due = this.view.due.shift(); due; due = this.view.due.shift()) {
      switch (due.kind) {
        case 'skip':
          this.append({
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
          this.append({ type: 'nodeRun.cancelled', path: row.path, attempt: row.attempt, data });
          break;
        }
        case 'stopFlow':
          stopFlow(this, due.path, due.reason);
          break;
        case 'failScope':
          this.#failScope(due.path);
          break;
        case 'endCancelled':
          this.#endCancelled();
          break;
        case 'warn': {
          const { kind: _, ...near } = due;
          if (isTerminalRun(this.view.run.status) || this.view.run.more?.warned?.includes(due.unit)) break;
          this.append({ type: 'run.budgetWarned', path: '', attempt: 0, data: { v: 1, ...near } });
          break;
        }
        case 'endCompensation':
          endCompensation(this);
      }
    }
  }

  /** V11: a run ends cancelled with every node run ended; what is in doubt is kept as doubt. */
  #endCancelled(): void {
    const { run, rows } = this.view;
    if (run.status !== 'cancelling') return;
    for (const row of rows.openUnder('')) {
      const doubt = row.status === 'uncertain' ? { doubt: true as const } : {};
      this.append({
        type: 'nodeRun.cancelled',
        path: row.path,
        attempt: row.attempt,
        data: { v: 1, reason: 'cancel', ...doubt },
      });
    }
    if (run.more?.undoOnCancel && planCompensation(this, 'cancel')) return;
    this.append({ type: 'run.statusChanged', path: '', attempt: 0, data: { v: 1, status: 'cancelled' } });
  }

  #failScope(path: string): void {
    const { run, rows } = this.view;
    if (path === '') {
      if (isTerminalRun(run.status) || run.status === 'compensating' || run.failure === undefined) return;
      if (undoesOnFailure(this.view) && planCompensation(this, 'failure')) return;
      this.append({
        type: 'run.statusChanged',
        path: '',
        attempt: 0,
        data: { v: 1, status: 'failed', failure: run.failure },
      });
      return;
    }
    const row = rows.get(path);
    if (!row || row.failure === undefined) return;
    if (isTerminalNodeRun(row.status)) {
      stopDue(this.view, path); // cancelled by a wider stop meanwhile: that may be over now
      return;
    }
    const failure: Failure = isItem(row)
      ? { ...row.failure, message: `${this.#itemName(row)} failed: ${row.failure.message}` }
      : row.failure;
    const next = isItem(row) ? 'continue' : nextAfter(onError(this, path), failure);
    fail(this, row, row.attempt, failure, next);
  }

  #itemName({ path, itemIndex }: NodeRunState): string {
    const { config } = parsePath(this.view.graph, path)!.node;
    return `${config.kind === 'map' ? 'Item' : 'Turn'} ${itemIndex}`;
  }
}
