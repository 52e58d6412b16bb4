export {
  findByPassword,
  getWorkspace,
  isPasswordOf,
  type UserHolder,
  type Workspace,
} from './access/sign-in.ts';
export * from './access/users.ts';
export type { ArtifactSummary } from './artifacts/artifact-shapes.ts';
export type { ByteRange, Queryable } from './artifacts/chunks.ts';
export * from './artifacts/collect-content.ts';
export * from './artifacts/get-artifact.ts';
export * from './artifacts/large-values.ts';
export * from './artifacts/list-artifacts.ts';
export * from './artifacts/open-for-tool.ts';
export * from './artifacts/put-artifact.ts';
export type { Content } from './artifacts/upload-content.ts';
export { receiveCallback } from './callbacks/receive-callback.ts';
export type { CallbackBody } from './callbacks/word-hash.ts';
export * from './credentials/credentials.ts';
export { SealingKey } from './credentials/sealing-key.ts';
export { isDatabaseTrouble, throughTrouble } from './database-trouble.ts';
export * from './doctor/check-content.ts';
export * from './doctor/check-rows.ts';
export * from './doctor/check-schema.ts';
export type { RowDifference } from './doctor/compare-with-fold.ts';
export { type RunRepair, repairRows } from './doctor/repair-rows.ts';
export * from './doctor/time-constants.ts';
export type * from './effects/effect-shapes.ts';
export { getEffect } from './effects/get-effect.ts';
export { exportEffects, listEffects } from './effects/list-effects.ts';
export { type Orm, openOrm } from './entities/orm.ts';
export * from './errors.ts';
export { findFlows } from './flows/find-flows.ts';
export type { FlowRef } from './flows/flow-shapes.ts';
export * from './flows/pause-flow.ts';
export * from './flows/publish.ts';
export * from './flows/read-flows.ts';
export * from './flows/write-drafts.ts';
export { GroupCommitter } from './group-committer.ts';
export { type HotPool, openHotPool } from './hot-pool.ts';
export { HotStore, type HotStoreOptions } from './hot-store.ts';
export * from './ids.ts';
export { answerQuestion } from './inbox/answer-question.ts';
export type { GivenAnswer, InboxItem, InboxQuestion } from './inbox/inbox-shapes.ts';
export {
  countInbox,
  getQuestion,
  type InboxCount,
  type InboxFilter,
  listInbox,
  type QuestionRef,
} from './inbox/read-inbox.ts';
export type { InboxAnswer } from './inbox/what-follows.ts';
export * from './keys/keys.ts';
export * from './limits/configure-limits.ts';
export type { LiveDelta, LiveMessage } from './live/live-bus.ts';
export { PresenceLock } from './live/presence-lock.ts';
export * from './migrations/migrate.ts';
export { applyRetention, type Retention } from './partitions/apply-retention.ts';
export * from './partitions/drop-partitions.ts';
export { ensurePartitions } from './partitions/ensure-partitions.ts';
export { type EventPage, openValue, readEvents } from './queries/events.ts';
export type { RunRef } from './queries/find-run.ts';
export * from './queries/get-run.ts';
export * from './queries/list-runs.ts';
export { listWork, type WorkItem } from './queries/list-work.ts';
export * from './queries/list-workers.ts';
export * from './queries/node-runs.ts';
export { runsById } from './queries/runs-by-id.ts';
export * from './queries/waiting-for.ts';
export * from './schedules/backfill.ts';
export * from './schedules/read-schedules.ts';
export type {
  NewSchedule,
  Schedule,
  ScheduleChanges,
  ScheduleRef,
  ScheduleSpec,
  SlotRecord,
} from './schedules/schedule-shapes.ts';
export {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  importSchedules,
  pauseSchedule,
  resumeSchedule,
} from './schedules/write-schedules.ts';
export * from './signals/list-signals.ts';
export * from './signals/send-signal.ts';
export * from './signals/signal-shapes.ts';
export * from './sql/catalog.ts';
export { countWork, type WorkCount } from './sql/count-work.ts';
export { endSession, endSessionsOf } from './sql/end-sessions.ts';
export { findCredential } from './sql/find-credential.ts';
export { findHook, type Hook, noteRefusal } from './sql/find-hook.ts';
export { findSchedulesToLookAt } from './sql/find-schedules-to-look-at.ts';
export { findSession, type SessionHolder } from './sql/find-session.ts';
export { findUnrung } from './sql/find-unrung.ts';
export type { UserSummary } from './sql/find-users.ts';
export * from './sql/find-work-to-sweep.ts';
export { forgetOld } from './sql/forget-old.ts';
export { loadEvents } from './sql/load-events.ts';
export type { NodeRunKey } from './sql/load-node-runs.ts';
export { type LoadedOutput, loadOutputs } from './sql/load-outputs.ts';
export { type OpenedSession, openSession, type SessionOwner, type SessionTimes } from './sql/open-session.ts';
export { ringThroughOutbox } from './sql/ring-through-outbox.ts';
export * from './sql/worker-leases.ts';
export type { GroupedWrite, StoreObserver } from './store-observer.ts';
export * from './store-types.ts';
export { planDraftTest } from './testing/plan-draft-test.ts';
export { startTest } from './testing/start-test.ts';
export type { StartedTest, TestRequest, TestStart, WishedOutput } from './testing/test-shapes.ts';
export { type ToolTry, TRIES_FLOW, type TriedTool, tryTool } from './testing/try-tool.ts';
export { type CallCount, countToolCalls, MOST_CALLS, type ToolCalls } from './tools/count-tool-calls.ts';
export { findToolUsers, MOST_USERS, type ToolUser } from './tools/find-tool-users.ts';
export type { Admission, Admitted } from './use-cases/admit-runs.ts';
export { type BulkAnswer, type BulkRequest, bulkRuns } from './use-cases/bulk-runs.ts';
export { type ClaimedNodeRun, claimNodeRuns } from './use-cases/claim-node-runs.ts';
export type { FactEntry, FactResult, NodeRunHandle, RunDecision } from './use-cases/decide-entries.ts';
export * from './use-cases/decide-run.ts';
export type { DecisionParts } from './use-cases/decision-parts.ts';
export type { OutboxBell } from './use-cases/outbox-bell.ts';
export { startRun } from './use-cases/start-run.ts';
export { takeOver } from './use-cases/take-over.ts';
export { type Ticked, tickSchedule } from './use-cases/tick-schedule.ts';
export { WorkspaceGate } from './use-cases/workspace-gate.ts';
export { getWebhook, listWebhooks } from './webhooks/read-webhooks.ts';
export type {
  NewWebhook,
  Webhook,
  WebhookChanges,
  WebhookRef,
} from './webhooks/webhook-shapes.ts';
export {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  type WebhookWithSecret,
} from './webhooks/write-webhooks.ts';
