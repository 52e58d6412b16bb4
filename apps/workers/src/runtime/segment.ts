import type { Fact } from '@pawl/dag-core';
import type { NodeRunHandle } from '@pawl/run-store/work';
import type { EffectExecutor, Prepared, Step } from './step.ts';

/** An effect whose intent is part of a commit, to be sent after it. */
export interface Sending {
  readonly step: Step;
  readonly prepared: Prepared;
  readonly executor: EffectExecutor;
}

/**
 * What computing a segment took: processor time of this thread, and the time spent waiting for what runs elsewhere (the sandbox,
 * a file). Not wall time: on a busy machine that would make everything look dear.
 */
export class Effort {
  readonly #cpu = process.cpuUsage();
  #waitedMs = 0;

  async waitingFor<T>(answer: Promise<T>): Promise<T> {
    const from = performance.now();
    const value = await answer;
    this.#waitedMs += performance.now() - from;
    return value;
  }

  spentMs(): number {
    const { user, system } = process.cpuUsage(this.#cpu);
    return (user + system) / 1_000 + this.#waitedMs;
  }
}

/** What is committed together. */
export class Segment {
  readonly facts: Fact[] = [];
  /** Claimed node runs that this segment did not get to. */
  readonly unreached: NodeRunHandle[] = [];
  /** It was cut although its node runs were cheap: the worker keeps the rest. */
  isCheap = false;
  next: Sending | undefined;
  nextAt = -1;
}
