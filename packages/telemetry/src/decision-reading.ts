import type { Failure, NodeRunStatus, RunStatus } from '@pawl/dag-core';
import type { RunDecision } from '@pawl/run-store/work';
import type { AttemptNote } from './attempt-note.ts';

/** How an attempt ended. `laid_out` is that of a map, `turn_begun` that of a loop or an agent, `flow_started` that of a sub-flow, `given_back` that of a worker that was asked to stop. */
export type AttemptOutcome =
  | 'succeeded'
  | 'failed'
  | 'lost'
  | 'uncertain'
  | 'blocked'
  | 'waiting'
  | 'cancelled'
  | 'laid_out'
  | 'turn_begun'
  | 'flow_started'
  | 'given_back';

export interface AboutNodeRun {
  readonly path: string;
  readonly nodeId: string;
  readonly kind: string;
}

export interface EndedAttempt extends AboutNodeRun {
  readonly attempt: number;
  readonly outcome: AttemptOutcome;
  /** What repeating it does, as far as it is known. */
  readonly effect?: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly failure?: Pick<Failure, 'code' | 'class'>;
  /** What follows a failure. */
  readonly next?: string;
  /** Its output was kept from an earlier call. */
  readonly isCached?: true;
  /** The worker that made it. */
  readonly workerId?: string;
  /** Where its newest intent stands, when an answer may be missing. */
  readonly intentSeq?: number;
  readonly note?: AttemptNote;
}

/** A wait that is over: `for` is `retry`, `uncertain`, `budget`, or the reason of a waiting node run. */
export interface EndedWait extends AboutNodeRun {
  readonly attempt: number;
  readonly for: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** An answer that came when its attempt did not count any more. */
export interface LateOutcome extends AboutNodeRun {
  readonly seq: number;
  readonly attempt: number;
  readonly failure?: Pick<Failure, 'code'>;
  readonly startMs: number;
  readonly endMs: number;
}

/** A container node run that has ended, with everything inside it. */
export interface EndedContainer extends AboutNodeRun {
  readonly status: NodeRunStatus;
  readonly failure?: Pick<Failure, 'code'>;
}

export interface EndedRun {
  readonly status: RunStatus;
  readonly failure?: Pick<Failure, 'code'>;
  readonly degradedCount: number;
}

export interface DecisionReading {
  readonly runId: string;
  readonly decision: RunDecision;
  readonly attempts: readonly EndedAttempt[];
  readonly waits: readonly EndedWait[];
  readonly late: readonly LateOutcome[];
  readonly containers: readonly EndedContainer[];
  readonly end?: EndedRun;
}
