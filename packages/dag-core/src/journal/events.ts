import type { DeadlineRule } from '../graph/document.ts';
import type { Json, JsonSchema } from '../json.ts';
import type { EffectClass, RunStatus } from '../state/status.ts';
import type { OutputOrigin } from '../testing/test-setup.ts';

/**
 * The facts of a run, in the past tense. `seq` is gapless per run from 1 (J1). Payloads live here once; rows point here.
 * Every event carries the schema version `v` of its data; an unknown one stops a fold (J5).
 */
export const JOURNAL_VERSION = 1;

/** An error as data: what crosses the journal, the queue and the API. */
export interface Failure {
  /** Stable, snake_case. */
  readonly code: string;
  /** The thing, what was expected, the way out. Well-formed Unicode, at most 4,000 UTF-16 units. */
  readonly message: string;
  readonly class: FailureClass;
  /** Provider or service detail kept as evidence, never secrets (V13). */
  readonly detail?: Json;
  readonly retryAfterMs?: number;
}
/** How a failure is treated (semantics §2 Retry): `lost` = the attempt's outcome is not known. */
export type FailureClass = 'permanent' | 'transient' | 'cancelled' | 'timed_out' | 'budget' | 'lost';

/** A node run that gave less than it should, and why (E10). */
export interface Degraded {
  readonly path: string;
  /** A short sentence, or the code of the failure. */
  readonly reason: string;
  /** It failed and was continued past; absent: it gave something all the same. */
  readonly hasFailed?: true;
}

/** Units of a budget. Money in nano-USD (1e-9 USD), so that prices per token are whole numbers. */
export interface Spend {
  readonly costNanoUsd: number;
  readonly tokens: number;
  readonly modelCalls: number;
}

/** What a run of a sub-flow may spend in all, of the units that some run above limits (F7). */
export type Allowance = Partial<Spend>;

export interface TokenUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly reasoning?: number;
}

/** A tool call that a model asked for. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text as it came: also when it is empty, or no JSON. */
  readonly arguments: string;
}

/** What becomes of a tool call: a node run below the turn's path, or an error that the model is told. */
export type ToolCallFate = { readonly run: string } | { readonly refused: Failure };

/** What a model answered in one call (replay §2.1.4). */
export interface ModelAnswer {
  readonly provider: string;
  readonly model: string;
  readonly responseId?: string;
  readonly finishReason: string;
  /** Raw text as it came, also when it could not be parsed. */
  readonly text: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly usage: TokenUsage;
  readonly costNanoUsd: number;
  /** Version of the price table used, or `unpriced`. */
  readonly prices: string;
  readonly firstTokenMs?: number;
  readonly totalMs: number;
  readonly simulated?: true;
}

/** The node run that the run of a sub-flow is for. */
export interface ParentRun {
  readonly runId: string;
  readonly path: string;
  readonly versionId: string;
  /** How many runs are above: 1 below a run that somebody started. */
  readonly depth: number;
  /** Some run above undoes what it did when it fails: so does this one (F8). */
  readonly undoes?: true;
}

/** A run of a sub-flow that has ended, of which something can be undone (S1). */
export interface UndoableRun {
  readonly runId: string;
  readonly flow: string;
  readonly versionId: string;
  /** Where the journal of the run above tells that it ended: its place in the order in which effects are undone. */
  readonly endedSeq: number;
}

/** What of an ended run is undone: paths, the last that completed first; and the runs below that some of them stand for. */
export interface UndoPlan {
  readonly paths: readonly string[];
  readonly runs?: Readonly<Record<string, readonly UndoableRun[]>>;
}

/** What asked a tree of runs, or a part of it, to stop: the event of the topmost run that it reached. */
export interface StopOrigin {
  readonly runId: string;
  readonly seq: number;
}
/** Without a run: an event of the run that says so itself. */
export type OwnOrigin = Partial<Pick<StopOrigin, 'runId'>> & Pick<StopOrigin, 'seq'>;

/** What was about to be sent, committed before it was (V1). `call` counts the calls of a node run from 0. */
export interface Intent {
  readonly call: number;
  readonly effect: EffectClass | 'model';
  /** `<tool>@<version>` or `<provider>:<model>`. */
  readonly target: string;
  /** Idempotency key: from run id, path and call, never from the attempt (V4). */
  readonly key: string;
  /** Tool arguments, or the model request after rendering. Secrets are references (V13). */
  readonly request: Json;
  /** SHA-256 (hex) of the canonical JSON (RFC 8785) of `request`. */
  readonly requestHash: string;
  readonly reserved?: Spend;
  /** The tool can undo this effect once it has succeeded. */
  readonly compensates?: true;
  /** The tool can be asked whether this effect happened. */
  readonly probes?: true;
  /** What the tool declared when this was recorded: things it reads and writes, and how replay matches calls (replay §2.4). */
  readonly resources?: Json;
  readonly match?: Json;
}

/** What a person is asked, as it is shown. */
export interface Question {
  /** `approval` a node of that kind · `tool` a call that needs consent · `question` an agent asks. */
  readonly kind: 'approval' | 'tool' | 'question';
  /** One line. */
  readonly subject: string;
  /** What there is to know, as text. */
  readonly details?: string;
  /** What may be filled in. */
  readonly form?: JsonSchema;
  /** What is filled in already; may be changed before approving. */
  readonly values?: Json;
  /** Names of the keys that may answer; absent: everybody. */
  readonly who?: readonly string[];
  readonly onDeadline?: DeadlineRule;
  /** The values that count when the deadline approves; absent: `values`. */
  readonly deadlineValues?: Json;
  /** SHA-256 (hex) of the canonical JSON of subject, details, form and values. */
  readonly shown: string;
}

/** What a tool may say about an effect in doubt. */
export type ProbeWord = 'applied' | 'not_applied' | 'unknown';

/** What a tool may say about a call that its service took. */
export type PollWord = 'done' | 'failed' | 'not_yet' | 'unknown';

/** What a person may decide about a question. */
export type InboxDecision =
  | 'approved'
  | 'rejected'
  | 'happened'
  | 'did_not_happen'
  | 'adopt'
  | 'compensate'
  | 'skip'
  | 'fail'
  | 'retry';

/** W3C trace context of whoever started a run: its spans, whoever makes them, hang below it. Decides nothing. */
export interface TraceContext {
  /** `traceparent`: `00-<trace id>-<parent span id>-<flags>`, in lower case. */
  readonly parent: string;
  /** `tracestate`, as it came. */
  readonly state?: string;
}

interface Base<T extends string, D> {
  readonly type: T;
  /** Path of the node run; empty for facts of the run itself. */
  readonly path: string;
  /** Attempt the fact belongs to; 0 where none does. */
  readonly attempt: number;
  readonly data: D;
}

export type JournalEvent =
  | Base<
      'run.admitted',
      {
        v: 1;
        versionId: string;
        /** Who started it: `user:<name>`, `key:<name>`, `local`, `schedule:<name>`. */
        by?: string;
        input: Json;
        budget: Json;
        tags?: Json;
        trigger: string;
        /** It, or a run above, tries a draft out (Y1); absent: it is in earnest. */
        mode?: 'test';
        /** 1 (first) to 9 (last); absent: 5. */
        priority?: number;
        /** The key by which it waits for other runs of its flow (L10). */
        concurrency?: string;
        /** Seed of every random value of this run (X6). */
        seed: string;
        /** Release that admitted the run (replay §2.1.1). */
        build?: string;
        /** Carried, so that every process that works on the run knows it (J7). */
        trace?: TraceContext;
        /** Of the run of a sub-flow: the node run that it is for. */
        parent?: ParentRun;
        /** Of the run of a sub-flow: what it may spend before it asks (F7). */
        allowance?: Allowance;
        /** Of an undo run: the ended run whose effects it undoes (F9). */
        undoesRun?: string;
        /** How long it may take, where that is not what its flow says: milliseconds. */
        timeoutMs?: number;
      }
    >
  | Base<
      'run.statusChanged',
      {
        v: 1;
        status: RunStatus;
        output?: Json;
        failure?: Failure;
        degraded?: Degraded[];
        /** Of a pause by a person, and of its end: who, and why. */
        by?: string;
        why?: string;
        reason?: string;
      }
    >
  /** The time that the flow gives its runs was over. */
  | Base<'run.timedOut', { v: 1; timeoutMs: number }>
  /** Four fifths of a limit are spent. */
  | Base<
      'run.budgetWarned',
      { v: 1; unit: 'costUsd' | 'tokens' | 'modelCalls'; limit: number; spent: number }
    >
  | Base<'run.budgetChanged', { v: 1; limits: Json; by: string }>
  /** `origin`: of the run of a sub-flow, what made the run above ask. */
  | Base<'run.cancelRequested', { v: 1; by: string; reason?: string; compensate?: true; origin?: StopOrigin }>
  /** Of the run of a sub-flow: what the run above said holds for it; what follows comes next. `seq` orders its words. */
  | Base<'parent.heard', { v: 1; seq: number; isHeld: boolean; allowance?: Allowance }>
  /** `workerId`: who is about to send it. */
  | Base<'intent.recorded', { v: 1; clock?: number; workerId?: string } & Intent>
  /** A model call that was answered but did not end the node run (a repair call follows). */
  | Base<'call.answered', { v: 1; call: number; answer: ModelAnswer; problem: Failure }>
  | Base<
      'outcome.succeeded',
      {
        v: 1;
        output: Json;
        /** Live ports when not just the normal one. */
        ports?: string[];
        answer?: ModelAnswer;
        call?: number;
        /** Clock reading used by expressions, epoch milliseconds (X6). */
        clock?: number;
        degraded?: string;
        /** The output was kept from an earlier call with the same arguments, made at this instant (K16). */
        cached?: { at: number };
        /** Of a test run: nothing was called for the output, it was given (Y3). */
        given?: OutputOrigin;
        /** Of the model call of an agent's turn: what becomes of each of `answer.toolCalls`. */
        calls?: ToolCallFate[];
        effectId?: string;
        afterCancel?: true;
        settledBy?: string;
        /** Told by a callback: SHA-256 (hex) of the canonical JSON of the attempt it was about and what it said. */
        callback?: string;
      }
    >
  | Base<
      'outcome.failed',
      {
        v: 1;
        failure: Failure;
        call?: number;
        answer?: ModelAnswer;
        /** What follows: try again at an instant, continue past it, stop the scope, wait for a person, tell the model. */
        next: 'retry' | 'continue' | 'fallback' | 'stop' | 'pause' | 'tell';
        retryAt?: number;
        fallback?: Json;
        /** `fallback` is what an earlier call with the same arguments gave, and when. */
        stale?: { at: number };
        lostSpend?: true;
        /** As in `outcome.succeeded`. */
        callback?: string;
        /** Nothing proves that the effect of this attempt did not happen. */
        mayHaveHappened?: true;
        afterCancel?: true;
        settledBy?: string;
      }
    >
  /** `ambiguous`: the failure leaves open whether the effect happened. `stillRuns`: as in `nodeRun.waiting`. */
  | Base<
      'outcome.late',
      {
        v: 1;
        output?: Json;
        failure?: Failure;
        answer?: ModelAnswer;
        ambiguous?: true;
        stillRuns?: true;
        /** As in `outcome.succeeded`. */
        callback?: string;
      }
    >
  /** `ended`: the worker itself says that it is not at it any more. `probe`: as in `nodeRun.waiting`. */
  | Base<
      'attempt.lost',
      { v: 1; workerId: string; next: 'ready' | 'uncertain'; reason: string; ended?: true; probe?: true }
    >
  | Base<'nodeRun.skipped', { v: 1; killedBy: string[]; settledBy?: string }>
  | Base<'nodeRun.cancelled', { v: 1; reason: 'cancel' | 'stop' | 'grace'; doubt?: true }>
  | Base<
      'nodeRun.waiting',
      {
        v: 1;
        status: 'uncertain' | 'blocked' | 'waiting';
        reason: string;
        detail?: Json;
        /** What the run above is asked for. */
        needs?: Spend;
        /** Of a doubt: the attempt was told to stop and has not ended; it may still send. */
        stillRuns?: true;
        /** Of a doubt: the tool is asked what happened, in a node run of its own. */
        probe?: true;
        /** When the wait is over at the latest, epoch milliseconds. */
        wakeAt?: number;
        /** The signal that is waited for, and under which it is found. */
        signal?: { name: string; key: string };
        waitKey?: string;
        clock?: number;
        /** Of a call that its service took: when its tool is asked first, the pause it begins with, and what it asks with. */
        poll?: { at: number; everyMs: number; reference?: Json };
      }
    >
  /** The deadline of a call has come: its tool is asked one last time, until `wakeAt`. */
  | Base<'poll.lastAsked', { v: 1; deadline: number; wakeAt: number }>
  /** What a tool says about a call, by the node run that asked it; what follows for the call comes next. `unknown`: nobody asks any more. */
  | Base<'poll.answered', { v: 1; says: PollWord; failure?: Failure }>
  /** What a tool says about an effect in doubt, by the node run that asked it; what follows for the effect comes next. */
  | Base<'probe.answered', { v: 1; says: ProbeWord; failure?: Failure }>
  /** Completed effects that will be undone, in this order: the last that completed first (S2). `runs`: of an undo run (F9). */
  | Base<'compensation.planned', { v: 1; reason: 'failure' | 'cancel' | 'parent' } & UndoPlan>
  /** `left`: what could not be undone. */
  | Base<'compensation.done', { v: 1; left: string[] }>
  | Base<
      'nodeRun.resumed',
      { v: 1; reason: 'timer' | 'settled' | 'budget' | 'retry' | 'answered'; by?: string }
    >
  /** The signal that the node run waited for; its payload is in the outcome that follows. */
  | Base<
      'signal.received',
      { v: 1; signal: string; name: string; key: string; by: string; sentAt: number; fromRun?: string }
    >
  /** A person is asked; the question is named by the place of this event. */
  | Base<'inbox.asked', { v: 1; wakeAt?: number; clock?: number } & Question>
  /** The one answer to the question that the event at `question` asked. */
  | Base<
      'inbox.answered',
      {
        v: 1;
        question: number;
        decision: InboxDecision;
        /** Who; `deadline` when nobody did in time. */
        by: string;
        /** What the person filled in or changed; only these are used. Absent: as they were shown. Of a retry: the arguments. */
        values?: Json;
        reason?: string;
        /** With `adopt`: the place of the late answer that counts now. */
        late?: number;
      }
    >
  | Base<'map.expanded', { v: 1; count: number; itemsHash: string; clock?: number }>
  /** A run of another flow was admitted for this node run, in the same commit. `undoes`: the ended run that it undoes (F9). */
  | Base<
      'flow.started',
      {
        v: 1;
        runId: string;
        flow: string;
        versionId: string;
        allowance?: Allowance;
        undoes?: string;
        clock?: number;
      }
    >
  /** The run of the sub-flow says what it has spent, and what it wants to be able to spend beyond that. `seq` orders its words. */
  | Base<'flow.asked', { v: 1; seq: number; spent: Spend; wants?: Spend }>
  /** What the run of the sub-flow may spend in all from here on. */
  | Base<'flow.granted', { v: 1; allowance: Allowance }>
  /** This run may not spend so much itself, and asks the run above. */
  | Base<'flow.passedOn', { v: 1; needs: Spend }>
  /** The run of the sub-flow is to stop. */
  | Base<'flow.stopAsked', { v: 1; reason: 'cancel' | 'stop'; origin: OwnOrigin; compensate?: true }>
  /**
   * The run of the sub-flow has ended; what follows for the node run comes next. `undoable`: something of it can be undone. `left`:
   * of an undo run, what stays, by paths of its own.
   */
  | Base<
      'flow.ended',
      { v: 1; runId: string; status: RunStatus; spent: Spend; undoable?: true; left?: readonly string[] }
    >
  /** A loop begins its next turn, counted from 0. */
  | Base<'loop.continued', { v: 1; turn: number; clock?: number }>
  /** An agent begins its next turn, counted from 0. */
  | Base<'agent.continued', { v: 1; turn: number; clock?: number }>
  | Base<
      'artifact.created',
      {
        v: 1;
        artifactId: string;
        name: string;
        version: number;
        mediaType: string;
        bytes: number;
        hash: string;
      }
    >;

export type JournalEventType = JournalEvent['type'];
/** An event with its place in the journal. `at` in epoch milliseconds, database clock. */
export type RecordedEvent = JournalEvent & { readonly seq: number; readonly at: number };
