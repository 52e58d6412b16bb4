import type {
  Failure,
  GraphNode,
  Intent,
  Json,
  ModelAnswer,
  OutputOrigin,
  RetryPolicy,
  SubFlowStart,
  ToolCallFate,
  WorkerFact,
} from '@pawl/dag-core';
import type { NodeRunHandle } from '@pawl/run-store/work';
import type { AttemptNote } from '@pawl/telemetry';
import type { ModelRequest } from '@pawl/tool-sdk';
import type { AgentPlace } from './agent-place.ts';
import type { CompiledNode } from './compiled-flow.ts';
import type { RunContext } from './run-context.ts';

/** One node run to be executed. */
export interface Step {
  readonly context: RunContext;
  readonly handle: NodeRunHandle;
  readonly node: GraphNode;
  readonly compiled: CompiledNode;
  /** Path of the scope its templates see. */
  readonly scopePath: string;
  /** What is noticed about the attempt; absent when nobody wants to know. */
  readonly note?: AttemptNote | undefined;
  /** Of a part of an agent: where it stands. */
  readonly agent?: AgentPlace;
}

/** How a node run ended, or went on. */
export type Done =
  | {
      readonly type: 'succeeded';
      readonly output: Json;
      readonly ports?: string[];
      readonly degraded?: string;
      /** Kept from an earlier call, made at this instant (epoch milliseconds). */
      readonly cached?: { readonly at: number };
      /** Of a test run: nothing was called for it. */
      readonly given?: OutputOrigin;
      readonly clock?: number;
      readonly answer?: ModelAnswer;
      readonly call?: number;
      /** Of the model call of an agent's turn: what becomes of the calls it asked for. */
      readonly calls?: ToolCallFate[];
    }
  | {
      readonly type: 'failed';
      readonly failure: Failure;
      readonly isAmbiguous?: boolean;
      /** It did not end when it was told to stop, and may still send. */
      readonly stillRuns?: true;
      /** The effect has happened; only what it gave cannot be used. */
      readonly hasHappened?: boolean;
      /** What an earlier call with the same arguments gave, for a fallback. */
      readonly stale?: { readonly output: Json; readonly at: number };
      /** What the tool declares for itself. */
      readonly retry?: RetryPolicy;
      /** The model of an agent asked for what cannot be called. */
      readonly tells?: true;
      readonly answer?: ModelAnswer;
      readonly call?: number;
    }
  | {
      readonly type: 'expanded';
      readonly count: number;
      readonly itemsHash: string;
      readonly clock?: number;
    }
  | { readonly type: 'continued'; readonly turn: number; readonly clock?: number }
  /** It waits for a run of another flow, without a worker. */
  | StartsFlow
  /** It waits from now on, without a worker. */
  | Waits
  /** A person is asked. */
  | Asks
  /** What a tool said about an effect in doubt. */
  | Probed
  /** What a tool said about a call that its service took. */
  | Polled
  /** The service took the call and tells later how it ended. */
  | {
      readonly type: 'accepted';
      readonly deadlineMs: number;
      readonly data?: Json;
      /** Its tool is asked meanwhile: first after this time, with what the service gave. */
      readonly poll?: { readonly everyMs: number; readonly reference?: Json };
      readonly clock?: number;
    };

/** This worker does not have what the node run needs: it goes to one that does, and nothing was tried (C53). */
export interface Lacks {
  readonly type: 'lacks';
  /** `tool:<name>@<version>` or `provider:<name>`. */
  readonly needs: string;
}

type Asks = { readonly type: 'asks' } & Omit<
  Extract<WorkerFact, { type: 'asks' }>,
  'path' | 'attempt' | 'workerId'
>;
type StartsFlow = { readonly type: 'startsFlow'; readonly clock?: number } & SubFlowStart;
type Probed = { readonly type: 'probed'; readonly clock?: number } & (
  | { readonly answer: 'applied'; readonly output: Json }
  | { readonly answer: 'not_applied' }
  | { readonly answer: 'unknown'; readonly reason: string; readonly retryAfterMs?: number }
);
type Polled = { readonly type: 'polled'; readonly clock?: number } & (
  | { readonly answer: 'done'; readonly callback: string; readonly output: Json }
  | { readonly answer: 'failed'; readonly callback: string; readonly failure: Failure }
  | { readonly answer: 'not_yet'; readonly retryAfterMs?: number }
);
type Waits = { readonly type: 'waits'; readonly clock?: number } & Pick<
  Extract<WorkerFact, { type: 'waits' }>,
  'for' | 'until' | 'signal'
>;

/** Computes without touching the world; may be repeated at will. Answers at once where it can. */
export type PureExecutor = (step: Step) => Done | Lacks | Promise<Done | Lacks>;

/** What an effect is about to send, once its intent is committed. */
export interface Prepared {
  readonly intent: Intent;
  readonly clock?: number;
  /** Arguments as the tool takes them, when they were just checked and hold no secret. */
  readonly args?: unknown;
  /** What is sent to a model, where the intent does not hold all of it. */
  readonly sent?: ModelRequest;
}

/** Touches the world: prepares what its intent says, and sends after that is committed (V1). */
export interface EffectExecutor {
  prepare(step: Step): Promise<Prepared | Lacks | Extract<Done, { type: 'failed' | 'asks' }>>;
  send(step: Step, prepared: Prepared, host: SendHost): Promise<Done>;
}

/** What an effect may ask of its worker while it is sent. */
export interface SendHost {
  /** Commits facts of this attempt; false when the attempt is not this worker's any more or may not go on. */
  commit(facts: readonly WorkerFact[]): Promise<boolean>;
  /** Facts to be committed together with the outcome, such as artifacts made. */
  note(fact: Extract<WorkerFact, { type: 'artifact' }>): void;
  delta(text: string): void;
}
