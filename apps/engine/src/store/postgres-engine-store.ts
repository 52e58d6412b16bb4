import type { DoorbellQueue, QueueConfig } from '@pawl/queue';
import {
  answerQuestion,
  bulkRuns,
  cancelRun,
  countInbox,
  createFlow,
  exportEffects,
  exportFlow,
  getArtifact,
  getEffect,
  getFlow,
  getNodeRun,
  getQuestion,
  getRun,
  getVersion,
  type HotStore,
  listArtifacts,
  listCallLimits,
  listEffects,
  listFlows,
  listInbox,
  listNodeRuns,
  listRuns,
  listSignals,
  listVersions,
  listWork,
  listWorkspaceArtifacts,
  type Orm,
  openArtifact,
  openValue,
  pauseFlow,
  pauseRun,
  planDraftTest,
  publishFlow,
  putArtifact,
  raiseBudget,
  readEvents,
  receiveCallback,
  removeCallLimit,
  resumeFlow,
  resumeRun,
  retryRun,
  runsById,
  type SealingKey,
  type SessionTimes,
  StoreError,
  saveDraft,
  sendSignal,
  setCallLimit,
  settleNodeRun,
  startRun,
  startTest,
  versionToRun,
  WorkspaceGate,
} from '@pawl/run-store';
import type { EngineStore } from '../http/index.ts';
import type { Catalog } from './catalog.ts';
import { postgresAccessStore } from './postgres-access-store.ts';
import { postgresCredentialStore } from './postgres-credential-store.ts';
import { postgresScheduleStore } from './postgres-schedule-store.ts';
import { postgresToolStore } from './postgres-tool-store.ts';
import { postgresWebhookStore } from './postgres-webhook-store.ts';
import { workState } from './work-state.ts';

export interface StoreParts {
  readonly orm: Orm;
  readonly hot: HotStore;
  readonly queue: DoorbellQueue;
  readonly queueKind: QueueConfig['backend'];
  readonly catalog: Catalog;
  readonly sessions: SessionTimes;
  /** What credentials are sealed with; undefined: none are stored. */
  readonly sealingKey: SealingKey | undefined;
  /** Starts are refused while more doorbells than this wait. */
  readonly queueLimit: number;
  /** Starts of a workspace are refused while more of its runs than this wait to start. */
  readonly workspaceLimit: number;
}

/** What the routes ask, answered by PostgreSQL. Only wiring: each line is one use case or query of run-store. */
export function postgresEngineStore({
  orm,
  hot,
  queue,
  queueKind,
  catalog,
  sessions,
  sealingKey,
  ...limits
}: StoreParts): EngineStore {
  const decisions = { orm, hot };
  const { queueLimit, workspaceLimit } = limits;
  const gate = queueGate(queue, queueLimit);
  const workspaces = new WorkspaceGate(hot.pool, workspaceLimit);
  const refusal =
    ({ workspaceId }: { readonly workspaceId: string }) =>
    async () =>
      gate() ?? (await workspaces.refusal(workspaceId));
  return {
    ...postgresAccessStore({ orm, hot, sessions }),
    ...postgresCredentialStore({ orm, sealingKey }),
    ...postgresScheduleStore({ orm, hot }),
    ...postgresToolStore({ orm, hot, catalog, refusal }),
    ...postgresWebhookStore({ orm, hot }),
    getWorkState: (workspaceId) => workState({ orm, queue, queueKind }, workspaceId),
    listFlows: (workspaceId) => listFlows(orm, workspaceId),
    getFlow: (ref) => getFlow(orm, ref),
    createFlow: (request) => createFlow(orm, request),
    saveDraft: (request) => saveDraft(orm, request),
    pauseFlow: (request) => pauseFlow(orm, request),
    resumeFlow: (ref) => resumeFlow(orm, ref),
    bulkRuns: (request) => bulkRuns(decisions, request),
    publishFlow: async (request) => publishFlow(orm, { ...request, registered: await catalog.registered() }),
    listVersions: (ref) => listVersions(orm, ref),
    getVersion: (ref) => getVersion(orm, ref),
    exportFlow: (ref) => exportFlow(orm, ref),
    documentToRun: async (ref) => (await versionToRun(orm, ref)).document,
    startRun: (request) => startRun(hot, request, refusal(request)),
    planTest: async (request) =>
      (await planDraftTest(orm, { ...request, registered: await catalog.registered() })).plan,
    startTest: async (request) =>
      startTest({ orm, hot }, { ...request, registered: await catalog.registered() }, refusal(request)),
    listRuns: (workspaceId, filter) => listRuns(orm, workspaceId, filter),
    getRun: (ref) => getRun(orm, ref),
    cancelRun: (request) => cancelRun(decisions, request),
    pauseRun: (request) => pauseRun(decisions, request),
    resumeRun: (request) => resumeRun(decisions, request),
    retryRun: (request) => retryRun(decisions, request),
    raiseBudget: (request) => raiseBudget(decisions, request),
    listNodeRuns: (ref) => listNodeRuns(orm, ref),
    listWork: (ref) => listWork(orm, ref),
    getNodeRun: (ref) => getNodeRun(orm, ref),
    settleNodeRun: (request) => settleNodeRun(decisions, request),
    runsById: (workspaceIds, runIds) => runsById(orm, workspaceIds, runIds),
    countInbox: (workspaceId, filter) => countInbox(orm, workspaceId, filter),
    listInbox: (workspaceId, filter) => listInbox(orm, workspaceId, filter),
    getQuestion: (ref) => getQuestion(orm, ref),
    answerQuestion: (request) => answerQuestion(decisions, request),
    receiveCallback: (request) => receiveCallback(decisions, request),
    listLimits: (workspaceId) => listCallLimits(hot, workspaceId),
    setLimit: (request) => setCallLimit(hot, request),
    removeLimit: (ref) => removeCallLimit(hot, ref),
    sendSignal: (signal) => sendSignal(hot, signal),
    listSignals: (workspaceId, filter) => listSignals(orm, workspaceId, filter),
    readEvents: (ref) => readEvents(orm, ref),
    openValue: (ref) => openValue(orm, ref),
    listArtifacts: (ref) => listArtifacts(orm, ref),
    findArtifacts: (filter) => listWorkspaceArtifacts(orm, filter),
    uploadArtifact: (request) => putArtifact(orm.pool, request),
    getArtifact: (workspaceId, artifactId) => getArtifact(orm, { workspaceId, artifactId }),
    openArtifact: (workspaceId, artifactId) => openArtifact(orm, { workspaceId, artifactId }),
    listEffects: (filter) => listEffects(orm, filter),
    exportEffects: (filter) => exportEffects(orm, filter),
    getEffect: (ref) => getEffect(orm, ref),
    ready: async () => ({
      database: await answers(() => hot.pool.query('select 1')),
      queue: await answers(() => queue.depth()),
    }),
  };
}

const READY_TIMEOUT_MS = 2_000;

async function answers(ask: () => Promise<unknown>): Promise<boolean> {
  const timeout = new Promise<false>((resolve) => setTimeout(() => resolve(false), READY_TIMEOUT_MS).unref());
  return Promise.race([
    ask().then(
      () => true,
      () => false,
    ),
    timeout,
  ]);
}

/** Bounded admission: the depth is looked at now and then, never per start. */
function queueGate(queue: DoorbellQueue, limit: number): () => StoreError | undefined {
  let waiting = 0;
  let lookedAt = 0;
  return () => {
    const now = performance.now();
    if (now - lookedAt > 1_000) {
      lookedAt = now;
      queue.depth().then(
        (depth) => (waiting = depth.waiting),
        () => {},
      );
    }
    return waiting > limit
      ? new StoreError('queue_full', { waiting, limit, retryAfterMs: 5_000 })
      : undefined;
  };
}
