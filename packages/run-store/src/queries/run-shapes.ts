import type { InferEntity } from '@mikro-orm/postgresql';
import type {
  BudgetLimits,
  Degraded,
  Failure,
  JournalEvent,
  JsonObject,
  NodeRunMore,
  RecordedEvent,
  RunMore,
} from '@pawl/dag-core';
import type { JournalEntity } from '../entities/journal.ts';
import type { NodeRunEntity } from '../entities/node-run.ts';
import type { RunEntity } from '../entities/run.ts';
import { questionId } from '../inbox/question-id.ts';
import type { NodeRunSummary, RunSummary } from '../store-types.ts';
import type { Place } from './places-in-line.ts';
import { nodeRunWaitsFor, type RunWaitColumns, runWaitsFor } from './waiting-for.ts';

/** What ready node runs of a run may wait for: pools that live workers serve, and who stands in which line, by path. */
export interface ReadyWaits {
  readonly served: ReadonlySet<string>;
  readonly places: ReadonlyMap<string, Place>;
}

/** What the node runs of a run wait for. */
export type RunWaits = Pick<RunWaitColumns, 'openWork' | 'unserved' | 'place'>;

export type RunRow = InferEntity<typeof RunEntity>;
export type NodeRunRow = InferEntity<typeof NodeRunEntity>;
export type JournalRow = InferEntity<typeof JournalEntity>;

const NANO_PER_USD = 1e9;

/** @param waits what its node runs wait for, see `waitsOf` */
export function runSummary(row: RunRow, waits?: RunWaits): RunSummary {
  const failure = failureOf(row);
  const { compensation, mode, parent, pause, priority, undoesRun, warned } = parsed<RunMore>(row.more) ?? {};
  const waitingFor = runWaitsFor({ ...row, pause, parentRunId: parent?.runId, ...waits });
  return {
    id: row.id,
    flow: row.flowName,
    version: row.versionId,
    ...(parent && { parent: { runId: parent.runId, path: parent.path } }),
    ...(mode && { mode }),
    status: row.status,
    ...(waitingFor && { waitingFor }),
    ...(failure && { failure }),
    degraded: parsed<Degraded[]>(row.degraded) ?? [],
    ...(undoesRun !== undefined && { undoes: undoesRun }),
    ...(compensation && { compensation }),
    ...(priority !== undefined && { priority }),
    budget: {
      limits: parsed<BudgetLimits>(row.budgetLimits) ?? {},
      reserved: {
        costNanoUsd: row.reservedCostNanoUsd,
        tokens: row.reservedTokens,
        modelCalls: row.reservedModelCalls,
      },
      spent: { costNanoUsd: row.spentCostNanoUsd, tokens: row.spentTokens, modelCalls: row.spentModelCalls },
      ...(warned && { warned }),
    },
    tags: parsed<JsonObject>(row.tags) ?? {},
    createdAt: row.createdAt.toISOString(),
    ...(row.startedAt && { startedAt: row.startedAt.toISOString() }),
    ...(row.finishedAt && { finishedAt: row.finishedAt.toISOString() }),
    lastSeq: row.nextSeq - 1,
  };
}

/** @param ready what is known about those that wait for a worker, see `readyWaits` */
export function nodeRunSummary(row: NodeRunRow, ready?: ReadyWaits): NodeRunSummary {
  const {
    question: asked,
    awaits,
    cached,
    given,
    subFlow,
    probing,
    polling,
  } = parsed<NodeRunMore>(row.more) ?? {};
  const waitingFor = nodeRunWaitsFor({
    ...row,
    failure: failureOf(row),
    ...(ready && { served: ready.served, place: ready.places.get(row.path) }),
    ...(asked !== undefined && { question: questionId(row.runId, asked) }),
    ...(awaits && { awaits }),
    ...(subFlow && { subFlow }),
    ...(probing && { probing }),
    ...(polling !== undefined && { isPolled: true as const }),
  });
  return {
    path: row.path,
    nodeId: row.nodeId,
    kind: row.kind,
    ...(row.effect != null && { effect: row.effect }),
    status: row.status,
    attempt: row.attempt,
    ...(row.pool != null && { pool: row.pool }),
    ...(waitingFor && { waitingFor }),
    ...(row.itemIndex != null && { itemIndex: row.itemIndex }),
    ...(subFlow && {
      subFlow: { runId: subFlow.runId, flow: subFlow.flow, version: subFlow.versionId },
    }),
    ...(cached && { cached: true as const }),
    ...(given && { given }),
    costUsd: row.costNanoUsd / NANO_PER_USD,
    tokens: row.tokens,
    ...(row.startedAt && { startedAt: row.startedAt.toISOString() }),
    ...(row.finishedAt && { finishedAt: row.finishedAt.toISOString() }),
  };
}

/** An event as it was recorded; values that lie outside the journal are still references. */
export function recordedEvent(row: JournalRow): RecordedEvent {
  return {
    seq: row.seq,
    at: row.at.getTime(),
    type: row.type,
    path: row.path,
    attempt: row.attempt,
    data: JSON.parse(row.data) as JournalEvent['data'],
  } as RecordedEvent;
}

/** The failure a run or node run carries. */
export function failureOf(row: Pick<RunRow | NodeRunRow, 'failure'>): Failure | undefined {
  return parsed<Failure>(row.failure);
}

function parsed<T>(text: string | null | undefined): T | undefined {
  return text == null ? undefined : ((JSON.parse(text) as T | null) ?? undefined);
}
