import type { Fact } from '@pawl/dag-core';
import type { NodeRunHandle } from '@pawl/run-store/work';
import type { AttemptNote } from '@pawl/telemetry';
import type { Leave } from './limited-calls.ts';
import type { EffectExecutor, Prepared, Step } from './step.ts';

/** An effect whose intent is part of a commit, to be sent after it. */
export interface Sending {
  readonly step: Step;
  readonly prepared: Prepared;
  readonly executor: EffectExecutor;
  /** Of the limits that cover the call. */
  readonly leave: Leave | undefined;
}

/** Node runs of a segment before its processor time is measured. */
const UNMEASURED = 4;

/**
 * What computing a segment took: processor time of this thread, and the time spent waiting for what runs elsewhere (the sandbox,
 * a file). Not wall time: on a busy machine that would make everything look dear.
 */
export class Effort {
  #cpu: NodeJS.CpuUsage | undefined;
  #waitedMs = 0;
  #counted = 0;

  /** Another node run was computed. Most segments are short, and asking for processor time costs as much as a small node run. */
  count(): void {
    this.#counted += 1;
    if (this.#counted === UNMEASURED) this.#cpu = process.cpuUsage();
  }

  async waitingFor<T>(answer: Promise<T>): Promise<T> {
    const from = performance.now();
    const value = await answer;
    this.#waitedMs += performance.now() - from;
    return value;
  }

  /** Milliseconds per node run; of a segment too short to measure, only what was waited for counts. */
  averageMs(): number {
    const measured = this.#counted - UNMEASURED;
    const waitedMs = this.#waitedMs / Math.max(1, this.#counted);
    if (!this.#cpu || measured <= 0) return waitedMs;
    const { user, system } = process.cpuUsage(this.#cpu);
    return (user + system) / 1_000 / measured + waitedMs;
  }
}

/** What is committed together. */
export class Segment {
  readonly facts: Fact[] = [];
  /** What was noticed about the attempts that these facts end. */
  readonly notes: AttemptNote[] = [];
  /** Claimed node runs that this segment did not get to. */
  readonly unreached: NodeRunHandle[] = [];
  /** It was cut although its node runs were cheap: the worker keeps the rest. */
  isCheap = false;
  next: Sending | undefined;
  nextAt = -1;
}
