import type { BudgetLimits, DeadlineRule } from '../graph/document.ts';
import type {
  Allowance,
  Degraded,
  Failure,
  OwnOrigin,
  ParentRun,
  Spend,
  UndoableRun,
} from '../journal/events.ts';
import type { OutputOrigin } from '../testing/test-setup.ts';
import type { EffectClass, NodeRunStatus, RunStatus } from './status.ts';

/** State of a run: the fold of its journal (J2). The run row stores exactly these facts (V12). */
export interface RunState {
  status: RunStatus;
  /** Sequence number of the next event. */
  nextSeq: number;
  /** Nodes of the root graph that have not ended. */
  openCount: number;
  /** Node runs, at any depth, that are ready or running. */
  activeCount: number;
  /** Why the run stopped starting new work; it ends as failed when its running effects have ended (E9). */
  failure?: Failure;
  /** What makes the run partial, at most {@link DEGRADED_KEPT}; `isPartial` tells that there was any. */
  degraded: Degraded[];
  /** Something failed and was continued past, or is degraded: the run ends as partial (E10). */
  isPartial: boolean;
  limits: BudgetLimits;
  reserved: Spend;
  spent: Spend;
  outputSeq?: number;
  /** Facts that few runs have. Replaced as a whole, never changed in place. */
  more?: RunMore;
}

/** Facts that few runs have; stored in one column. */
export interface RunMore {
  /** It took longer than its flow allows (T16); what still runs is aborted. */
  readonly timedOut?: true;
  /** Of the run of a sub-flow: the node run that it is for, and the last word of its run that was heard (F4). */
  readonly parent?: ParentRun & { readonly heard?: number; readonly isHeld?: true };
  /** What it may spend in all before it asks the run above, and what it asks for (F7). */
  readonly allowance?: Allowance;
  readonly asks?: Spend;
  /** Limits of which four fifths were spent when it was warned. */
  readonly warned?: readonly ('costUsd' | 'tokens' | 'modelCalls')[];
  /** Node runs whose sub-flow has not ended. */
  readonly subFlows?: number;
  /** What holds a paused run up. */
  readonly pause?: {
    readonly reason: 'person' | 'budget' | 'wall_clock' | 'parent';
    readonly by?: string;
  };
  /** It, or a run above, tries a draft out (Y1); absent: it is in earnest. */
  readonly mode?: 'test';
  /** How urgent it is among the runs of its workspace: 1 before 2 and so on to 9; absent: 5. */
  readonly priority?: number;
  /** The key by which it waits for other runs of its flow (L10). */
  readonly concurrency?: string;
  /** The pool whose workers compute its end; absent: the default pool. */
  readonly pool?: string;
  /** A cancel asked that completed effects be undone, or came while they were: the run ends as cancelled. */
  readonly undoOnCancel?: true;
  /** What asked it to cancel; kept where there is a run above or below. */
  readonly origin?: OwnOrigin;
  /** Of the run of a sub-flow: it, or a run below it, holds effects that can be undone (S1). */
  readonly undoable?: true;
  /** Of an undo run: the ended run whose effects it undoes (F9). */
  readonly undoesRun?: string;
  /** Of a run that undoes or has undone its effects: how many it planned to, and what could not be undone. */
  readonly compensation?: { readonly planned: number; readonly left: readonly string[] };
}

/** State of a node run, an item of a map included. */
export interface NodeRunState {
  readonly path: string;
  readonly nodeId: string;
  /** The node's kind, or `item`. */
  readonly kind: string;
  /** The pool whose workers run it; absent: the default pool. */
  readonly pool?: string;
  effect?: EffectClass | 'model';
  status: NodeRunStatus;
  attempt: number;
  /** Failed tries; `attempt` also counts lost ones. */
  failures: number;
  /** Attempts lost with their worker since the last outcome or decision; absent means none. */
  losses?: number;
  workerId?: string;
  pendingEdges: number;
  liveEdges: number;
  /** Names of the edges that were resolved dead. */
  deadEdges: string[];
  /** Of an item: nodes of its graph that have not ended. */
  openCount?: number;
  itemIndex?: number;
  /** Of a map, once expanded; of a loop: turns begun. */
  itemCount?: number;
  nextItem?: number;
  doneItems?: number;
  failedItems?: number;
  /** Epoch milliseconds. */
  wakeAt?: number;
  /** Under which a signal that it waits for is found; opaque. */
  waitKey?: string;
  /** Why it is `waiting`, `blocked`, `uncertain`: reason word for V15. */
  reason?: string;
  /** Of a failed node run; of a container that stops: why. */
  failure?: Failure;
  /** Journal position of the newest intent that may still count. */
  intentSeq?: number;
  outputSeq?: number;
  reserved?: Spend;
  costNanoUsd: number;
  tokens: number;
  /** Facts that few node runs have. Replaced as a whole, never changed in place. */
  more?: NodeRunMore;
}

/** Facts that few node runs have; stored in one column. */
export interface NodeRunMore {
  /** Its effect can be undone once it has succeeded (S1). */
  readonly compensates?: true;
  /** Its tool can be asked whether its effect happened. */
  readonly probes?: true;
  /** The callback that counted, by its hash; told again it changes nothing. */
  readonly callback?: string;
  /** Its service took the call and its tool is asked how it stands: journal position of what the service gave. */
  readonly polling?: number;
  /** The deadline that has come: its tool is asked one last time. */
  readonly lastAsk?: number;
  /** Of what asks about a call: the pause it began with. */
  readonly pollEveryMs?: number;
  /** Its effect is in doubt and its tool is being asked. */
  readonly probing?: true;
  /** Of one that waits for a person: journal position of the event that asked, which names the question. */
  readonly question?: number;
  /** What follows when nobody has answered by `wakeAt`. */
  readonly onDeadline?: DeadlineRule;
  /** Journal position of the answer with which the node run goes on. */
  readonly answer?: number;
  /** Journal position of the answer that holds the arguments to use, instead of those that the flow gives (T19). */
  readonly edited?: number;
  /** With the arguments that count now, an attempt was made whose effect may have happened. */
  readonly unproven?: true;
  /** The signal that it waits for. */
  readonly awaits?: { readonly name: string; readonly key: string };
  /** The signal that it took. */
  readonly signal?: string;
  /** What its run asks the run above for in its name. */
  readonly needs?: Spend;
  /** The run of its sub-flow: the open one, or the last. */
  readonly subFlow?: SubFlow;
  /** Runs of its sub-flow that have ended and hold effects that can be undone, in the order in which they ended. */
  readonly toUndo?: readonly UndoableRun[];
  /** Its output was kept from an earlier call with the same arguments (K16). */
  readonly cached?: true;
  /** Of a test run: nothing was called for its output (Y3). */
  readonly given?: OutputOrigin;
}

/** What a node run knows of the run of its sub-flow. */
export interface SubFlow {
  readonly runId: string;
  readonly flow: string;
  readonly versionId: string;
  /** The last word of it that was heard (F4). */
  readonly heard?: number;
  /** It was asked to stop. */
  readonly stop?: {
    readonly reason: 'cancel' | 'stop';
    readonly origin: OwnOrigin;
    readonly compensate?: true;
  };
  /** What it may spend in all, and what it wants beyond what it has spent (F7). */
  readonly allowance?: Allowance;
  readonly wants?: Spend;
  /** What it has spent, as far as is known here. */
  readonly spent: Spend;
}

/** The facts without some of them; undefined when none is left, so that a row without facts has no object. */
export function withoutFacts<M extends object>(more: M | undefined, ...names: (keyof M)[]): M | undefined {
  if (!more || !names.some((name) => more[name] !== undefined)) return more;
  const rest = { ...more };
  for (const name of names) delete rest[name];
  return Object.keys(rest).length > 0 ? rest : undefined;
}

/** How many degraded node runs a run keeps. */
export const DEGRADED_KEPT = 100;

export const NO_SPEND: Spend = Object.freeze({ costNanoUsd: 0, tokens: 0, modelCalls: 0 });

export const addSpend = (a: Spend, b: Spend): Spend => ({
  costNanoUsd: a.costNanoUsd + b.costNanoUsd,
  tokens: a.tokens + b.tokens,
  modelCalls: a.modelCalls + b.modelCalls,
});

export const subtractSpend = (a: Spend, b: Spend): Spend => ({
  costNanoUsd: a.costNanoUsd - b.costNanoUsd,
  tokens: a.tokens - b.tokens,
  modelCalls: a.modelCalls - b.modelCalls,
});

/** A run before its first event. */
export const emptyRun = (): RunState => ({
  status: 'pending',
  nextSeq: 1,
  openCount: 0,
  activeCount: 0,
  degraded: [],
  isPartial: false,
  limits: {},
  reserved: NO_SPEND,
  spent: NO_SPEND,
});
