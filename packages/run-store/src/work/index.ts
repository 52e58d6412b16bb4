// What a worker needs of the store: the contended operations and the bytes of values and artifacts, without the mapper for
// ordinary access, whose loading alone takes as long as everything else a worker starts with (measured: 1.1 s of 2.5 s).

export {
  INLINE_LIMIT_BYTES,
  offloadValue,
  resolveEventData,
  resolveValue,
} from '../artifacts/large-values.ts';
export { readArtifact } from '../artifacts/open-for-tool.ts';
export { putArtifact } from '../artifacts/put-artifact.ts';
export { artifactIdsIn, holdArtifacts } from '../artifacts/used-artifacts.ts';
export { type AcceptedInWork, acceptedInWork } from '../callbacks/accepted-call.ts';
export { callbackToken } from '../callbacks/callback-token.ts';
export { wordHash } from '../callbacks/word-hash.ts';
export { SealingKey } from '../credentials/sealing-key.ts';
export { isDatabaseTrouble, throughTrouble } from '../database-trouble.ts';
export { DEFAULT_TIMES } from '../doctor/time-constants.ts';
export { isStoreError } from '../errors.ts';
export { GroupCommitter } from '../group-committer.ts';
export type { HotPool } from '../hot-pool.ts';
export { HotStore } from '../hot-store.ts';
export { newId, newRunId } from '../ids.ts';
export { lineOfLimit } from '../limits/limit-shapes.ts';
export { type DoubtInWork, doubtInWork } from '../live/doubt-in-work.ts';
export { LeaseKeeper } from '../live/lease-keeper.ts';
export { PresenceLock } from '../live/presence-lock.ts';
export { isProvenDead, ownIdentity } from '../live/worker-identity.ts';
export { sendSignal } from '../signals/send-signal.ts';
export {
  isSignalKey,
  MOST_KEY_UNITS,
  type SentSignal,
  type SignalToSend,
  waitKeyOf,
} from '../signals/signal-shapes.ts';
export { declareCatalog } from '../sql/catalog.ts';
export { type CachedOutput, type CacheKey, findCached } from '../sql/find-cached.ts';
export { findCredential } from '../sql/find-credential.ts';
export { findEffects } from '../sql/find-effects.ts';
export {
  findHeldNodeRuns,
  findLiveWorkers,
  findRunsToAbort,
} from '../sql/find-work-to-sweep.ts';
export { type CacheEntry, keepCached } from '../sql/keep-cached.ts';
export { takeFromLines } from '../sql/lines.ts';
export { loadEvents } from '../sql/load-events.ts';
export { loadCompletedEffects, loadNodeRuns, type NodeRunKey } from '../sql/load-node-runs.ts';
export { type LoadedOutput, loadOutputs } from '../sql/load-outputs.ts';
export { loadNodeRunStarts, loadRunOrigins, type RunOrigin } from '../sql/load-run-origins.ts';
export { loadCallbackKey } from '../sql/load-signing-key.ts';
export {
  registerWorker,
  type ServerOffer,
  stopWorker,
  tellOffers,
  type WorkerIdentity,
  type WorkerOffer,
} from '../sql/worker-leases.ts';
export type { GroupedWrite, StoreObserver } from '../store-observer.ts';
export type { Admission, Admitted } from '../use-cases/admit-runs.ts';
export { type ClaimedNodeRun, claimNodeRuns } from '../use-cases/claim-node-runs.ts';
export type { FactEntry, FactResult, Keep, NodeRunHandle, RunDecision } from '../use-cases/decide-entries.ts';
export { mergeBudget } from '../use-cases/merge-budget.ts';
export { takeOver } from '../use-cases/take-over.ts';
