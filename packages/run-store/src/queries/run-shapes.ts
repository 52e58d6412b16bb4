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
import { nodeRunWaitsFor, type RunWaitColumns, runWaitsFor } from './waiting-for.ts';

export type RunRow = InferEntity<typeof RunEntity>;
export type NodeRunRow = InferEntity<typeof NodeRunEntity>;
export type JournalRow = InferEntity<typeof JournalEntity>;

const NANO_PER_USD = 1e9;

/** @param openWork of a waiting or paused run, see `openWorkOf` */
export function runSummary(row: RunRow, openWork?: RunWaitColumns['openWork']): RunSummary {
  const failure = failureOf(row);
  const { compensation, pause } = parsed<RunMore>(row.more) ?? {};
  const waitingFor = runWaitsFor({ ...row, pause, ...(openWork && { openWork }) });
  return {
    id: row.id,
    flow: row.flowName,
    version: row.versionId,
    status: row.status,
    ...(waitingFor && { waitingFor }),
    ...(failure && { failure }),
    degraded: parsed<Degraded[]>(row.degraded) ?? [],
    ...(compensation && { compensation }),
    budget: {
      limits: parsed<BudgetLimits>(row.budgetLimits) ?? {},
      reserved: {
        costNanoUsd: row.reservedCostNanoUsd,
        tokens: row.reservedTokens,
        modelCalls: row.reservedModelCalls,
      },
      spent: { costNanoUsd: row.spentCostNanoUsd, tokens: row.spentTokens, modelCalls: row.spentModelCalls },
    },
    tags: parsed<JsonObject>(row.tags) ?? {},
    createdAt: row.createdAt.toISOString(),
    ...(row.startedAt && { startedAt: row.startedAt.toISOString() }),
    ...(row.finishedAt && { finishedAt: row.finishedAt.toISOString() }),
    lastSeq: row.nextSeq - 1,
  };
}

export function nodeRunSummary(row: NodeRunRow): NodeRunSummary {
  const asked = parsed<NodeRunMore>(row.more)?.question;
  const waitingFor = nodeRunWaitsFor({
    ...row,
    failure: failureOf(row),
    ...(asked !== undefined && { question: questionId(row.runId, asked) }),
  });
  return {
    path: row.path,
    nodeId: row.nodeId,
    kind: row.kind,
    ...(row.effect != null && { effect: row.effect }),
    status: row.status,
    attempt: row.attempt,
    ...(waitingFor && { waitingFor }),
    ...(row.itemIndex != null && { itemIndex: row.itemIndex }),
    ...(parsed<NodeRunMore>(row.more)?.cached && { cached: true as const }),
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
