import { addSpend, NO_SPEND, type Spend, subtractSpend } from '@pawl/dag-core';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { DecisionReading } from '../decision-reading.ts';
import type { FlowLabel } from './flow-label.ts';

/** From a millisecond to an hour: nodes compute for microseconds and models think for minutes. */
const SECONDS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600];
/** Runs wait for people, too: up to a week. */
const LONG_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1_800, 3_600, 14_400, 86_400, 604_800];

/** Counts what was committed, by the process that committed it: added up over all processes, each thing counts once. */
export class CommitMetrics {
  readonly #flows: FlowLabel;
  readonly #attempts;
  readonly #waits;
  readonly #runs;
  readonly #runSeconds;
  readonly #lostAttempts;
  readonly #lostCalls;
  readonly #uncertain;
  readonly #late;
  readonly #refused;
  readonly #blocked;
  readonly #usd;
  readonly #tokens;
  readonly #calls;

  constructor(registry: Registry, flows: FlowLabel) {
    this.#flows = flows;
    const registers = [registry];
    const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
      new Counter({ name, help, labelNames, registers });
    const histogram = <L extends string>(name: string, help: string, labelNames: L[], buckets: number[]) =>
      new Histogram({ name, help, labelNames, buckets, registers });
    this.#attempts = histogram(
      'pawl_attempt_seconds',
      'Attempts of node runs that ended',
      ['kind', 'outcome'],
      SECONDS,
    );
    this.#waits = histogram('pawl_wait_seconds', 'Waits of node runs that are over', ['for'], LONG_SECONDS);
    this.#runs = counter('pawl_runs_ended_total', 'Runs that ended', ['flow', 'status']);
    this.#runSeconds = histogram(
      'pawl_run_seconds',
      'Runs from admission to their end',
      ['flow'],
      LONG_SECONDS,
    );
    this.#lostAttempts = counter('pawl_attempts_lost_total', 'Attempts taken over from lost workers', [
      'effect',
    ]);
    this.#lostCalls = counter('pawl_calls_lost_total', 'Calls that were announced and never answered', [
      'effect',
    ]);
    this.#uncertain = counter(
      'pawl_effects_uncertain_total',
      'Effects that may or may not have happened',
      [],
    );
    this.#late = counter(
      'pawl_outcomes_late_total',
      'Outcomes kept as evidence only: they came too late',
      [],
    );
    this.#refused = counter('pawl_facts_refused_total', 'Facts of workers that were fenced off', ['verdict']);
    this.#blocked = counter('pawl_budget_blocks_total', 'Calls not made because the budget has no room', [
      'flow',
    ]);
    this.#usd = counter('pawl_spent_usd_total', 'US dollars spent on models, by the price table', ['flow']);
    this.#tokens = counter('pawl_spent_tokens_total', 'Tokens spent on models', ['flow']);
    this.#calls = counter('pawl_spent_model_calls_total', 'Calls of models that were paid for or lost', [
      'flow',
    ]);
  }

  committed(reading: DecisionReading): void {
    for (const { kind, outcome, startMs, endMs } of reading.attempts)
      this.#attempts.observe({ kind, outcome }, (endMs - startMs) / 1_000);
    for (const wait of reading.waits)
      this.#waits.observe({ for: wait.for }, (wait.endMs - wait.startMs) / 1_000);
    this.#losses(reading);
    this.#verdicts(reading);
    this.#spend(reading);
    if (reading.end) this.#end(reading);
  }

  #losses({ decision, attempts, late }: DecisionReading): void {
    for (const { outcome, intentSeq, next, effect = 'pure' } of attempts) {
      const isLost = outcome === 'lost';
      if (isLost) this.#lostAttempts.inc({ effect });
      if ((isLost && intentSeq !== undefined) || outcome === 'uncertain') this.#lostCalls.inc({ effect });
      if (outcome === 'uncertain' || (isLost && next === 'uncertain')) this.#uncertain.inc();
    }
    for (const event of decision.events)
      if (event.type === 'outcome.failed' && event.data.lostSpend) this.#lostCalls.inc({ effect: 'model' });
    if (late.length > 0) this.#late.inc(late.length);
  }

  /** V3: what a worker told after its attempt was taken from it. */
  #verdicts({ decision }: DecisionReading): void {
    for (const [{ facts }, { verdicts }] of decision.results) {
      verdicts.forEach((verdict, i) => {
        const isByWorker = 'workerId' in facts[i]! && facts[i]!.type !== 'lost';
        if (isByWorker && (verdict === 'notMine' || verdict === 'late')) this.#refused.inc({ verdict });
      });
    }
  }

  /** V6: what a commit added to what its run has spent. */
  #spend({ decision, attempts }: DecisionReading): void {
    const { spent: all } = decision.view.run;
    const before = decision.run.state.spent;
    for (const { outcome } of attempts)
      if (outcome === 'blocked') this.#blocked.inc({ flow: this.#flow(decision) });
    if (all === before || all.modelCalls === before.modelCalls) return;
    const spent = subtractSpend(all, spentBelow(decision));
    const flow = this.#flow(decision);
    this.#usd.inc({ flow }, Math.max(0, spent.costNanoUsd - before.costNanoUsd) / 1e9);
    this.#tokens.inc({ flow }, Math.max(0, spent.tokens - before.tokens));
    this.#calls.inc({ flow }, Math.max(0, spent.modelCalls - before.modelCalls));
  }

  #end({ decision, end }: DecisionReading): void {
    const flow = this.#flow(decision);
    this.#runs.inc({ flow, status: end!.status });
    this.#runSeconds.observe({ flow }, Math.max(0, decision.run.nowMs - decision.run.createdAtMs) / 1_000);
  }

  #flow({ view }: DecisionReading['decision']): string {
    return this.#flows.of(view.graph.document.name);
  }
}

/** What runs of sub-flows told that they spent: it was counted where it was spent. */
function spentBelow({ view }: DecisionReading['decision']): Spend {
  let below = NO_SPEND;
  for (const { row, before } of view.changed.values()) {
    const now = row.more?.subFlow;
    const was = before?.more?.subFlow;
    if (now)
      below = addSpend(below, was?.runId === now.runId ? subtractSpend(now.spent, was.spent) : now.spent);
  }
  return below;
}
