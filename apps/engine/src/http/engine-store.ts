import type { Artifact } from '@pawl/api';
import type { BudgetLimits, FlowDocument, Json, RecordedEvent, TestPlan } from '@pawl/dag-core';
import type {
  BulkAnswer,
  BulkRequest,
  CallbackBody,
  EffectDetail,
  EffectFilter,
  EffectSummary,
  FlowDraft,
  FlowSummary,
  InboxAnswer,
  InboxCount,
  InboxFilter,
  InboxItem,
  InboxQuestion,
  KeptSignal,
  ListedFlow,
  NodeRunDetail,
  NodeRunSummary,
  Page,
  QuestionRef,
  RunDetail,
  RunFilter,
  RunSummary,
  SentSignal,
  Settlement,
  SignalFilter,
  SignalToSend,
  Started,
  StartedTest,
  StartRequest,
  TestRequest,
  TestStart,
  ValueName,
  Version,
  VersionSummary,
  WorkItem,
} from '@pawl/run-store';
import type { AccessStore } from './access/access-store.ts';
import type { CredentialStore } from './credential-store.ts';
import type { LimitStore } from './limit-store.ts';
import type { ScheduleStore } from './schedule-store.ts';
import type { ToolStore } from './tool-store.ts';
import type { WebhookStore } from './webhook-store.ts';
import type { WorkStore } from './work-store.ts';

/** Names a flow in a workspace. */
export interface FlowRef {
  readonly workspaceId: string;
  readonly flow: string;
}
/** Names a run in a workspace. `runId` is a UUID, in any letter case. */
export interface RunRef {
  readonly workspaceId: string;
  readonly runId: string;
}
/** A page asked for: `cursor` from the page before, `limit` at least 1 where given. */
interface PageWish {
  readonly cursor?: string;
  readonly limit?: number;
}
/** Names and media types may hold `*` for anything. */
interface ArtifactWish extends PageWish {
  readonly name?: string;
  readonly mediaType?: string;
}
/** An artifact with its bytes, or a part of them (`end` not included), read as they are asked for. */
interface OpenArtifact {
  readonly artifact: Artifact;
  readonly read: (range?: { readonly start: number; readonly end: number }) => AsyncIterable<Uint8Array>;
}

/**
 * All that the HTTP routes need of the store; nothing here knows of requests.
 *
 * - A refusal is thrown as a `StoreError`, whose `code` is one of the problem catalogue or mapped in `store-answers.ts`.
 * - A thing of another workspace is a thing that does not exist (V14). Reads of runs say so with undefined; everything else
 *   throws `*_not_found`.
 * - `by` names who asked, for the journal: `user:<name>`, `key:<name>` or `local`.
 * - Without a database every method rejects: with a `StoreError` `store_unavailable`, or with the connection's own error.
 */
export interface EngineStore
  extends AccessStore,
    CredentialStore,
    LimitStore,
    ScheduleStore,
    ToolStore,
    WebhookStore,
    WorkStore {
  listFlows(workspaceId: string): Promise<readonly ListedFlow[]>;
  /** @throws `flow_not_found` */
  getFlow(ref: FlowRef): Promise<FlowDraft>;
  /** Makes a flow at revision 1. @throws `flow_exists` */
  createFlow(request: FlowRef & { readonly document: Json }): Promise<FlowDraft>;
  /** @throws `flow_not_found` */
  pauseFlow(request: FlowRef & { readonly by: string }): Promise<FlowSummary>;
  /** @throws `flow_not_found` */
  resumeFlow(ref: FlowRef): Promise<FlowSummary>;
  /** @throws `flow_not_found`; `draft_conflict` with `current`, `yours` and `currentRevision` as values */
  saveDraft(
    request: FlowRef & { readonly expectedRevision: number; readonly document: Json },
  ): Promise<FlowDraft>;
  /**
   * Publishes the draft, or `document`. With a document the flow is made when it is new (the document is then its draft too);
   * the draft of an existing flow stays as it is, so that nobody's unfinished work is overwritten.
   * @throws `flow_not_found` (without a document); `flow_invalid` with `issues`
   */
  publishFlow(
    request: FlowRef & { readonly document?: Json },
  ): Promise<{ version: VersionSummary; created: boolean }>;
  /** Newest first. @throws `flow_not_found` */
  listVersions(ref: FlowRef): Promise<readonly VersionSummary[]>;
  /** @throws `flow_not_found`, `version_not_found` (also for a version of another flow) */
  getVersion(ref: FlowRef & { readonly version: string }): Promise<Version>;
  /** The document as it was saved or published. @throws `flow_not_found`, `version_not_found` */
  exportFlow(ref: FlowRef & { readonly version?: string }): Promise<Json>;
  /**
   * The document that a start would run: the version, or the published one. Asked only when an input holds integers that a
   * flow may want to keep as strings.
   * @throws `flow_not_found`, `version_not_found`, `flow_not_published`
   */
  documentToRun(ref: FlowRef & { readonly version?: string }): Promise<FlowDocument>;

  /**
   * @throws `flow_not_found`, `version_not_found`, `flow_not_published`, `input_invalid` with `issues`, `dedupe_conflict` with
   *         `runId`, `dedupe_in_progress`, `queue_full` with `retryAfterMs`
   */
  startRun(request: StartRequest): Promise<Started>;
  /** What a test run of the draft would do; nothing is started. @throws `flow_not_found` */
  planTest(request: TestRequest): Promise<TestPlan>;
  /**
   * @throws `flow_not_found`, `test_node_unknown`, `test_runs_nothing`, `effects_undecided` with `nodes`, `test_output_missing`,
   *         `test_outputs_too_large`, `test_invalid` and `input_invalid` with `issues`, `queue_full` with `retryAfterMs`
   */
  startTest(request: TestStart): Promise<StartedTest>;
  /** What single runs refuse is part of the answer. */
  bulkRuns(request: BulkRequest): Promise<BulkAnswer>;
  /** @throws `cursor_invalid` */
  listRuns(workspaceId: string, filter: RunFilter): Promise<Page<RunSummary>>;
  getRun(ref: RunRef): Promise<RunDetail | undefined>;
  /** Asking twice is harmless. @throws `run_not_found`, `run_not_open` (finished) */
  cancelRun(
    request: RunRef & { readonly by: string; readonly reason?: string; readonly compensate?: boolean },
  ): Promise<RunSummary>;
  /** Asking twice is harmless. @throws `run_not_found`, `run_not_pausable` */
  pauseRun(request: RunRef & { readonly by: string; readonly reason?: string }): Promise<RunSummary>;
  /** @throws `run_not_found`, `run_not_resumable` */
  resumeRun(request: RunRef & { readonly by: string }): Promise<RunSummary>;
  /** One node run, or everything that is paused. @throws `run_not_found`, `node_run_not_found`, `run_not_open`, `run_not_retryable` */
  retryRun(
    request: RunRef & { readonly by: string; readonly path?: string; readonly args?: Json },
  ): Promise<RunSummary>;
  /** Limits that are absent stay. @throws `run_not_found`, `run_not_open`, `budget_not_raised` */
  raiseBudget(request: RunRef & { readonly by: string; readonly limits: BudgetLimits }): Promise<RunSummary>;

  /** `node`: only those of the node with this id; `path`: only the one there. */
  listNodeRuns(
    ref: RunRef & PageWish & { readonly node?: string; readonly path?: string },
  ): Promise<Page<NodeRunSummary> | undefined>;
  /** Node runs that workers hold now. */
  listWork(ref: RunRef): Promise<{ readonly items: readonly WorkItem[] } | undefined>;
  /** Undefined when the run or its node run does not exist. */
  getNodeRun(ref: RunRef & { readonly path: string }): Promise<NodeRunDetail | undefined>;
  /** @throws `run_not_found`, `node_run_not_found`, `run_not_open`, `node_run_not_settleable` with `decision` where one is stored */
  settleNodeRun(
    request: RunRef & { readonly path: string; readonly settlement: Settlement; readonly by: string },
  ): Promise<NodeRunSummary>;

  /** Runs that are of one of the workspaces, with which. */
  runsById(
    workspaceIds: readonly string[],
    runIds: readonly string[],
  ): Promise<readonly { readonly workspaceId: string; readonly run: RunSummary }[]>;

  /** Up to 1,000. */
  countInbox(workspaceId: string, filter: Pick<InboxFilter, 'kind' | 'flow' | 'by'>): Promise<InboxCount>;
  /** What waits for a person, oldest first. @throws `cursor_invalid` */
  listInbox(workspaceId: string, filter: InboxFilter): Promise<Page<InboxItem>>;
  getQuestion(ref: QuestionRef): Promise<InboxQuestion | undefined>;
  /**
   * The first answer wins.
   * @throws `question_not_found`, `question_answered` with `answer`, `question_closed`, `answer_not_allowed` with `who`,
   *         `answer_invalid` with `issues`, `decision_not_offered` with `offered`
   */
  answerQuestion(
    request: QuestionRef & { readonly by: string; readonly answer: InboxAnswer },
  ): Promise<InboxQuestion>;

  /** What a service says about a call that it took. @throws `callback_unknown`, `callback_invalid` with `issues`, `callback_late` */
  receiveCallback(request: {
    readonly token: string;
    readonly body: CallbackBody;
  }): Promise<{ readonly state: 'taken' | 'duplicate' }>;

  /** @throws `signal_conflict`, `signals_full` with `retryAfterMs`, `signal_too_large` */
  sendSignal(signal: SignalToSend): Promise<SentSignal>;
  /** Signals that nobody has taken, oldest first. @throws `cursor_invalid` */
  listSignals(workspaceId: string, filter: SignalFilter): Promise<Page<KeptSignal>>;

  /**
   * Events after a sequence number, in order, without gaps; a page may be shorter than `limit`. `ended`: the run is finished
   * and nothing lies after this page.
   */
  readEvents(
    ref: RunRef & { readonly after: number; readonly limit: number; readonly values?: 'whole' | 'short' },
  ): Promise<{ readonly events: readonly RecordedEvent[]; readonly ended: boolean } | undefined>;
  /** A value that an event holds, as its JSON text; `hash` is the SHA-256 (hex) of that. */
  openValue(
    ref: RunRef & { readonly seq: number; readonly name: ValueName },
  ): Promise<({ readonly hash: string; readonly bytes: number } & Pick<OpenArtifact, 'read'>) | undefined>;

  /** In the order they were made. @throws `cursor_invalid` */
  listArtifacts(ref: RunRef & ArtifactWish): Promise<Page<Artifact> | undefined>;
  /** Newest first. @throws `cursor_invalid` */
  findArtifacts(
    filter: ArtifactWish & {
      readonly workspaceId: string;
      readonly flow?: string;
      readonly uploaded?: boolean;
    },
  ): Promise<Page<Artifact>>;
  /**
   * Keeps the bytes as the next version of the name, unless the newest one has the same (`isNew` is then false). Nothing is
   * kept when `content` throws, and its error is thrown.
   * @throws `upload_interrupted`
   */
  uploadArtifact(request: {
    readonly workspaceId: string;
    readonly by: string;
    readonly name: string;
    readonly mediaType: string;
    readonly content: AsyncIterable<Uint8Array>;
  }): Promise<{ readonly artifact: Artifact; readonly isNew: boolean }>;
  getArtifact(workspaceId: string, artifactId: string): Promise<Artifact | undefined>;
  openArtifact(workspaceId: string, artifactId: string): Promise<OpenArtifact | undefined>;

  /** Newest first. @throws `cursor_invalid` */
  listEffects(filter: EffectFilter & { readonly workspaceId: string }): Promise<Page<EffectSummary>>;
  /** All that fit, as they are asked for. */
  exportEffects(
    filter: EffectFilter & { readonly workspaceId: string; readonly withRequest: boolean },
  ): AsyncIterable<EffectSummary & { readonly request?: Json }>;
  getEffect(ref: RunRef & { readonly seq: number }): Promise<EffectDetail | undefined>;

  /** What works, by name (`database`, `queue`, …). Never rejects. */
  ready(): Promise<Readonly<Record<string, boolean>>>;
}
