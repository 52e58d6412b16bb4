import type { BudgetLimits, RetryPolicy } from '../graph/document.ts';
import type { FlowGraph } from '../graph/graph-node.ts';
import type {
  Allowance,
  Failure,
  Intent,
  ModelAnswer,
  OwnOrigin,
  Question,
  Spend,
  ToolCallFate,
  TraceContext,
  UndoPlan,
} from '../journal/events.ts';
import type { Json } from '../json.ts';
import type { RunStatus } from '../state/status.ts';
import type { OutputOrigin } from '../testing/test-setup.ts';
import type { Duration } from '../time/duration.ts';

/**
 * What somebody outside the rules saw or wants: a worker's outcome, a sweeper's finding, a person's decision. The decider
 * turns each into events, or refuses it. Facts of a worker carry its id and the attempt they were made under (V3).
 */
export type Fact = WorkerFact | ControlFact;

/** Where a ready node run stands until it may go on; nobody is rung for it meanwhile (L1). */
export interface Line {
  /** `tool:<name>@<version>` or `provider:<name>`: a worker that has it (L2). `limit:<key>`: a limit of calls (L3). */
  readonly key: string;
  /** What its call takes of a limit, at most. */
  readonly tokens?: number;
}

interface ByWorker {
  readonly path: string;
  readonly attempt: number;
  readonly workerId: string;
}

export type WorkerFact = ByWorker &
  (
    | {
        readonly type: 'succeeded';
        readonly output: Json;
        /** Where the output is when it was put aside (values above 256 KB). */
        readonly outputRef?: { readonly hash: string; readonly bytes: number };
        readonly ports?: string[];
        readonly answer?: ModelAnswer;
        readonly call?: number;
        readonly clock?: number;
        readonly degraded?: string;
        /** Kept from an earlier call, made at this instant. */
        readonly cached?: { readonly at: number };
        /** Of a test run: where the output comes from, for which nothing was called. */
        readonly given?: OutputOrigin;
        readonly calls?: ToolCallFate[];
        readonly effectId?: string;
      }
    | {
        readonly type: 'failed';
        readonly failure: Failure;
        /** The effect may have happened all the same: the request was sent and no answer proves otherwise. */
        readonly isAmbiguous?: boolean;
        /** The attempt was told to stop and has not ended: it may still send. */
        readonly stillRuns?: true;
        /** Told by a callback: the hash of what it said. */
        readonly callback?: string;
        /** The effect has happened; only what it gave cannot be used. */
        readonly hasHappened?: boolean;
        readonly answer?: ModelAnswer;
        readonly call?: number;
        /** What an earlier call with the same arguments gave, and when; for a fallback that may use it. */
        readonly stale?: { readonly output: Json; readonly at: number };
        /** 0…1, spreads the retry delay. */
        readonly random: number;
        /** What the tool declares for itself; the node's own policy goes over it. */
        readonly retry?: RetryPolicy;
        /** The model of an agent asked for what cannot be called: it is told, whatever else a failure leads to. */
        readonly tells?: true;
      }
    | { readonly type: 'intent'; readonly intent: Intent; readonly clock?: number }
    | {
        readonly type: 'answered';
        readonly call: number;
        readonly answer: ModelAnswer;
        readonly problem: Failure;
      }
    | {
        readonly type: 'expanded';
        readonly count: number;
        readonly itemsHash: string;
        readonly clock?: number;
      }
    /**
     * The node run waits from now on, without a worker: for a time or until an instant (epoch milliseconds); or for a signal,
     * with a time or an instant at most.
     */
    | {
        readonly type: 'waits';
        readonly for?: Duration;
        readonly until?: number;
        readonly signal?: { readonly name: string; readonly key: string; readonly waitKey: string };
        readonly clock?: number;
      }
    /** A run of another flow is to be admitted, and to end, before the node run does. */
    | ({ readonly type: 'startsFlow'; readonly clock?: number } & SubFlowStart)
    /** A loop or an agent is to begin this turn, counted from 0. */
    | { readonly type: 'continued'; readonly turn: number; readonly clock?: number }
    /** A person is asked, with the time there is for an answer. */
    | {
        readonly type: 'asks';
        readonly question: Question;
        readonly for?: Duration;
        readonly until?: number;
        readonly clock?: number;
      }
    /**
     * What a tool says about an effect in doubt. `not_applied` counts: nothing that was sent can take effect any more, and nobody
     * sends any more. `unknown` is asked again while there are tries.
     */
    | ({
        readonly type: 'probed';
        /** 0…1, spreads the delay until it is asked again. */
        readonly random: number;
      } & (
        | ({ readonly answer: 'applied' } & GivenOutput)
        | { readonly answer: 'not_applied' }
        | {
            readonly answer: 'unknown';
            readonly reason: string;
            /** Asked again no sooner. */
            readonly retryAfterMs?: number;
          }
      ))
    /** The service took the call and tells later how it ended, within this time; nobody holds the node run meanwhile. */
    | {
        readonly type: 'accepted';
        readonly deadlineMs: number;
        readonly data?: Json;
        /** Its tool is asked meanwhile, first after this time, about what the service gave to ask with. */
        readonly poll?: { readonly everyMs: number; readonly reference?: Json };
        readonly clock?: number;
      }
    /** What a tool says about a call that its service took; `callback` is the hash of attempt and what it said. */
    | ({
        readonly type: 'polled';
        /** 0…1, spreads the delay until it is asked again, or the call tried again. */
        readonly random: number;
      } & (
        | ({ readonly answer: 'done'; readonly callback: string } & GivenOutput)
        | { readonly answer: 'failed'; readonly callback: string; readonly failure: Failure }
        | {
            readonly answer: 'not_yet';
            /** Asked again after this time. */
            readonly retryAfterMs?: number;
          }
      ))
    /** The worker gives the node run back untouched: it drains, has no room, or what the node run needs is not to be had now. */
    | { readonly type: 'released'; readonly line?: Line }
    | {
        readonly type: 'artifact';
        readonly artifact: {
          artifactId: string;
          name: string;
          version: number;
          mediaType: string;
          bytes: number;
          hash: string;
        };
      }
  );

/** What an effect gave, by somebody's word; or where it is when it was put aside (values above 256 KB). */
export interface GivenOutput {
  readonly output: Json;
  readonly outputRef?: { readonly hash: string; readonly bytes: number };
}

/** The run of a sub-flow as its worker prepared it: its input fits the schema. */
export interface SubFlowStart {
  readonly runId: string;
  readonly flow: string;
  readonly versionId: string;
  readonly graph: FlowGraph;
  readonly input: Json;
  /** Where the input is when it was put aside (values above 256 KB). */
  readonly inputRef?: { readonly hash: string; readonly bytes: number };
  readonly budget: BudgetLimits;
  readonly timeoutMs?: number;
  readonly trace?: TraceContext;
  /** Of an undo run: the ended run, and what of it is undone (F9). */
  readonly undoing?: { readonly runId: string; readonly plan: UndoPlan };
}

/** The run of a sub-flow that a decision admits. */
export interface StartedFlow extends SubFlowStart {
  readonly path: string;
  readonly undoes?: true;
  readonly allowance?: Allowance;
}

/** Which question a person answers; absent: the one that is open. An answered or closed one is refused. */
interface ByPerson {
  readonly path: string;
  readonly question?: number;
  readonly by: string;
}

export type ControlFact =
  /** The output of the run was computed, or could not be. */
  | {
      readonly type: 'runEnded';
      readonly output?: Json;
      readonly outputRef?: { hash: string; bytes: number };
      readonly failure?: Failure;
    }
  | {
      readonly type: 'lost';
      readonly path: string;
      readonly attempt: number;
      readonly workerId: string;
      readonly reason: string;
      /** Told by the worker itself: it is not at it any more. */
      readonly isEnded?: true;
    }
  | { readonly type: 'timerDue'; readonly path: string }
  /** What a service says later about a call that it took; `callback` is the hash of attempt and what it said. Told again it changes nothing. */
  | ({
      readonly type: 'callback';
      readonly path: string;
      readonly attempt: number;
      readonly callback: string;
      readonly random: number;
    } & ((GivenOutput & { readonly failure?: undefined }) | { readonly failure: Failure }))
  /** A signal that was set aside for this node run. Told again it changes nothing. */
  | {
      readonly type: 'signal';
      readonly path: string;
      readonly waitKey: string;
      readonly signal: Signal;
    }
  | {
      readonly type: 'cancel';
      readonly by: string;
      readonly reason?: string;
      /** Undo completed effects before the run ends. */
      readonly compensate?: boolean;
    }
  /** The word of the run of a sub-flow, told to the node run that it is for. */
  | { readonly type: 'subFlowSaid'; readonly path: string; readonly word: WordUp }
  /** The word of the run above, told to the run of a sub-flow. */
  | { readonly type: 'parentSaid'; readonly word: WordDown }
  /** The time given to running effects after a cancel is over. */
  | { readonly type: 'graceOver' }
  /** About an uncertain node run, or one that waits after a failure. */
  | (ByPerson & { readonly type: 'settle' } & (
        | ({ readonly verdict: 'happened' } & GivenOutput)
        | { readonly verdict: 'did_not_happen' | 'skip' }
        /** The late answer at this place counts after all. */
        | ({ readonly verdict: 'adopt'; readonly late: number } & (
            | (GivenOutput & { readonly failure?: undefined })
            | { readonly failure: Failure }
          ))
        /** It counts as happened, and the run is cancelled and undoes what it did. */
        | ({ readonly verdict: 'compensate' } & GivenOutput)
        | { readonly verdict: 'fail'; readonly reason?: string }
      ))
  /** Try a node run again that waits for a person after a failure. */
  | (ByPerson & {
      readonly type: 'retryNode';
      /** The arguments to try it with; absent: those it had. */
      readonly values?: Json;
    })
  /** To a question that a node run asked. */
  | (ByPerson & {
      readonly type: 'answer';
      readonly decision: 'approved' | 'rejected';
      readonly values?: Json;
      readonly reason?: string;
    })
  | { readonly type: 'raiseBudget'; readonly limits: BudgetLimits; readonly by: string }
  | { readonly type: 'overtime' }
  /** A person holds the run up, or lets it go on. */
  | { readonly type: 'pauseRun'; readonly by: string; readonly reason?: string }
  | { readonly type: 'resumeRun'; readonly by: string }
  /** The time that the flow gives its runs is over. */
  | { readonly type: 'timedOut' };

/** What the run of a sub-flow says to the run above: how it stands. A later word says all that an earlier one did (F4). */
export interface WordUp {
  readonly runId: string;
  /** Place of its last event; orders the words of one run. */
  readonly seq: number;
  readonly spent: Spend;
  /** What it wants to be able to spend beyond that, reservations included; absent: it asks for nothing. */
  readonly wants?: Spend;
  /** Of a run that has ended: something of it can be undone. */
  readonly undoable?: true;
  readonly end?: {
    readonly status: RunStatus;
    readonly failure?: Failure;
    readonly output?: Json;
    readonly outputRef?: { readonly hash: string; readonly bytes: number };
  };
}

/** What a run says to the run of a sub-flow: what holds for it. A later word says all that an earlier one did (F4). */
export interface WordDown {
  /** Place of the last event of the run above. */
  readonly seq: number;
  /** Nothing more is claimed. */
  readonly isHeld: boolean;
  readonly allowance?: Allowance;
  readonly stop?: {
    readonly reason: 'cancel' | 'stop';
    readonly origin: OwnOrigin;
    readonly compensate?: true;
  };
}

/** A signal as it was sent. */
export interface Signal {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly payload: Json;
  /** Who sent it: `user:<name>`, `key:<name>`, `local`, or `run`. */
  readonly by: string;
  /** Epoch milliseconds. */
  readonly sentAt: number;
  /** The run that sent it. */
  readonly fromRun?: string;
}

/**
 * What became of a fact. `applied` · `late` kept as evidence, nothing changed (V2) · `notMine` the attempt is not the
 * worker's any more (V3) · `blocked` no budget (V6) · `stopped` the run starts no new work · `refused` the state does not
 * allow it (a person's decision came too late).
 */
export type Verdict = 'applied' | 'late' | 'notMine' | 'blocked' | 'stopped' | 'refused';
