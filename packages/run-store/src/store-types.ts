import type {
  BudgetLimits,
  Degraded,
  EffectClass,
  Failure,
  FlowDocument,
  Json,
  JsonObject,
  NodeRunStatus,
  OutputOrigin,
  RecordedEvent,
  RunStatus,
  Spend,
  TraceContext,
} from '@pawl/dag-core';

/** What something that is not finished waits for (V15). Instants as ISO 8601 in UTC. */
export interface WaitingFor {
  /** `worker` a free worker · `outcome` a running effect · `edges` inbound edges · `children` items or turns · `flow` the run of a sub-flow · `parent` the run above to go on · `timer` a retry, a wait · `signal` a signal ·
   *  `person` an answer to a question: an approval, an uncertain effect, a failure · `budget` more budget · `cancel` running effects to end · `limit` a turn under a limit of calls. */
  readonly kind:
    | 'worker'
    | 'outcome'
    | 'edges'
    | 'children'
    | 'flow'
    | 'parent'
    | 'timer'
    | 'signal'
    | 'person'
    | 'probe'
    | 'callback'
    | 'budget'
    | 'cancel'
    | 'limit'
    | 'nodes';
  readonly since: string;
  readonly until?: string;
  readonly detail?: Json;
  /** What somebody can do about it, where anybody can. */
  readonly hint?: string;
}

export interface FlowSummary {
  readonly name: string;
  readonly title?: string;
  readonly revision: number;
  readonly publishedVersion?: string;
  readonly versionCount: number;
  /** It starts no runs since then, and by whose word. */
  readonly pausedAt?: string;
  readonly pausedBy?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}
/** The newest runs of a flow, and how those that came to an end of themselves ended. */
export interface RecentRuns {
  readonly runs: readonly { readonly id: string; readonly status: RunStatus }[];
  readonly ended: number;
  readonly succeeded: number;
}
export interface ListedFlow extends FlowSummary {
  readonly recent: RecentRuns;
}
export interface FlowDraft extends FlowSummary {
  readonly document: Json;
}
export interface VersionSummary {
  /** SHA-256 (hex) of the canonical graph. */
  readonly id: string;
  readonly flow: string;
  /** 1, 2, … in order of first publication. */
  readonly number: number;
  readonly createdAt: string;
}
/** Without a number: made for a test run, and never published. */
export interface Version extends Omit<VersionSummary, 'number'> {
  readonly number?: number;
  readonly document: FlowDocument;
}

export interface RunSummary {
  readonly id: string;
  readonly flow: string;
  readonly version: string;
  /** Of the run of a sub-flow: the node run that it is for. */
  readonly parent?: { readonly runId: string; readonly path: string };
  /** It tries a draft out, or is part of a run that does. */
  readonly mode?: 'test';
  /** Of an undo run: the ended run whose effects it undoes. */
  readonly undoes?: string;
  readonly status: RunStatus;
  /** 1 (first) to 9 (last); absent: 5. */
  readonly priority?: number;
  readonly waitingFor?: WaitingFor;
  readonly failure?: Failure;
  /** What makes the run partial, and why. */
  readonly degraded: readonly Degraded[];
  /** Of a run that undoes its effects, or has: how many it planned to, and the paths of what stays. */
  readonly compensation?: { readonly planned: number; readonly left: readonly string[] };
  /** `warned`: the limits of which four fifths are spent. */
  readonly budget: {
    readonly limits: BudgetLimits;
    readonly reserved: Spend;
    readonly spent: Spend;
    readonly warned?: readonly ('costUsd' | 'tokens' | 'modelCalls')[];
  };
  readonly tags: JsonObject;
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  /** Last journal sequence number. */
  readonly lastSeq: number;
}
export interface RunDetail extends RunSummary {
  readonly input: Json;
  readonly output?: Json;
  /** Number of node runs by status. */
  readonly nodeRuns: Readonly<Partial<Record<NodeRunStatus, number>>>;
}
export interface NodeRunSummary {
  readonly path: string;
  readonly nodeId: string;
  readonly kind: string;
  readonly effect?: EffectClass | 'model';
  readonly status: NodeRunStatus;
  readonly attempt: number;
  /** Whose workers run it, where that is not the default pool. */
  readonly pool?: string;
  readonly waitingFor?: WaitingFor;
  readonly itemIndex?: number;
  /** The run of its sub-flow: the open one, or the last. */
  readonly subFlow?: { readonly runId: string; readonly flow: string; readonly version: string };
  /** Its output was kept from an earlier call of the same tool with the same arguments. */
  readonly cached?: true;
  /** Of a test run: nothing was called for its output; where that comes from. */
  readonly given?: OutputOrigin;
  readonly costUsd: number;
  readonly tokens: number;
  readonly startedAt?: string;
  readonly finishedAt?: string;
}
export interface NodeRunDetail extends NodeRunSummary {
  readonly output?: Json;
  readonly failure?: Failure;
  /** Everything the journal says about this node run, in order. */
  readonly events: readonly RecordedEvent[];
}

export interface RunFilter {
  /** Of these runs only. */
  readonly runIds?: readonly string[];
  readonly flow?: string;
  /** Runs of the sub-flows of this run. */
  readonly parent?: string;
  readonly mode?: 'live' | 'test';
  readonly status?: readonly RunStatus[];
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly tag?: { readonly key: string; readonly value: string };
  /** A version id. */
  readonly version?: string;
  /** What they wait for; only open runs wait. */
  readonly waitingFor?: readonly WaitingFor['kind'][];
  /** Spent more than this, in US dollars. */
  readonly costAbove?: number;
  /** A node run of the node with this id failed, wherever in the flow it stands. */
  readonly failedNode?: string;
  /** Opaque, from the previous page. Newest first. */
  readonly cursor?: string;
  /** 1…200, default 50. */
  readonly limit?: number;
}
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

export interface StartRequest {
  readonly workspaceId: string;
  readonly flow: string;
  /** A version id; absent: the published one. */
  readonly version?: string;
  readonly input: Json;
  readonly dedupeKey?: string;
  /** What starts with one key have in common. Absent: the hash of input, version, tags and budget. */
  readonly dedupeHash?: string;
  /** The id that the run will have, for whoever has written it down already: a UUIDv7 of now. */
  readonly runId?: string;
  readonly tags?: JsonObject;
  /** Lowers or sets limits of the flow document for this run. */
  readonly budget?: BudgetLimits;
  /** `api`, `cli`, `schedule`, … recorded in the journal. */
  readonly trigger: string;
  /** Of whoever starts it; no part of what a dedupe key compares. */
  readonly trace?: TraceContext;
  /** 1 (first) to 9 (last); absent: 5. */
  readonly priority?: number;
  /** Who starts it: `user:<name>`, `key:<name>`, `local`, `schedule:<name>`; recorded as well. */
  readonly by?: string;
}
/** `started` a new run · `duplicate` the run that the same key and body started. */
export interface Started {
  readonly result: 'started' | 'duplicate';
  readonly runId: string;
}

/** How a person settles an uncertain (or paused) node run. */
export type Settlement =
  | { readonly verdict: 'happened'; readonly output: Json }
  | { readonly verdict: 'did_not_happen' }
  | { readonly verdict: 'adopt' }
  | { readonly verdict: 'compensate'; readonly output?: Json }
  | { readonly verdict: 'skip' }
  | { readonly verdict: 'fail'; readonly reason?: string };
