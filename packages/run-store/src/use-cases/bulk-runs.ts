import { isTerminalRun, type RunStatus } from '@pawl/dag-core';
import { isStoreError } from '../errors.ts';
import { type CallsToRetry, callsToRetry } from '../queries/calls-to-retry.ts';
import { listRuns } from '../queries/list-runs.ts';
import type { RunFilter, RunSummary } from '../store-types.ts';
import { cancelRun, pauseRun, resumeRun, retryRun } from './decide-run.ts';
import type { DecisionParts } from './decision-parts.ts';

/** What is done to each run that the filter finds. */
type BulkAction = 'cancel' | 'pause' | 'resume' | 'retry';

export interface BulkRequest {
  readonly workspaceId: string;
  readonly by: string;
  readonly action: BulkAction;
  readonly filter: Omit<RunFilter, 'cursor' | 'limit'>;
  readonly reason?: string;
  /** Counts only. */
  readonly isPreview: boolean;
}

export interface BulkAnswer {
  /** Open runs that the filter finds, at most 1,000. */
  readonly matched: number;
  /** There are more than these; ask again when they are done. */
  readonly hasMore: boolean;
  /** Runs that took the action; 0 in a preview. */
  readonly done: number;
  /** Runs to which the action means nothing now, and why. */
  readonly refused: readonly { readonly runId: string; readonly code: string }[];
  /** Of the preview of a retry: what it would call. */
  readonly calls?: readonly CallsToRetry[];
}

/** Runs of one call: a request is not the lifetime of work, so more are done by asking again. */
const MOST_RUNS = 1_000;
const AT_ONCE = 16;

const OPEN: readonly RunStatus[] = ['pending', 'running', 'waiting', 'paused', 'cancelling', 'compensating'];

/**
 * Does the same to every open run that a filter finds, newest first; each by its own recorded decision. A preview counts.
 *
 * @throws {StoreError} `cursor_invalid` never; what a single run refuses is part of the answer
 */
export async function bulkRuns(parts: DecisionParts, request: BulkRequest): Promise<BulkAnswer> {
  const runs = await openRuns(parts, request);
  const matched = runs.slice(0, MOST_RUNS);
  const hasMore = runs.length > MOST_RUNS;
  if (request.isPreview) {
    const ids = matched.map(({ id }) => id);
    const calls = request.action === 'retry' && { calls: await callsToRetry(parts.orm, ids) };
    return { matched: matched.length, hasMore, done: 0, refused: [], ...calls };
  }
  const refused: { runId: string; code: string }[] = [];
  const queue = [...matched];
  const work = async () => {
    for (let run = queue.shift(); run; run = queue.shift()) {
      const code = await actOn(parts, request, run.id);
      if (code !== undefined) refused.push({ runId: run.id, code });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { matched: matched.length, hasMore, done: matched.length - refused.length, refused };
}

async function openRuns({ orm }: DecisionParts, { workspaceId, filter }: BulkRequest): Promise<RunSummary[]> {
  const status = filter.status?.filter((word) => !isTerminalRun(word)) ?? OPEN;
  const found: RunSummary[] = [];
  if (status.length === 0) return found;
  let cursor: string | undefined;
  do {
    const wish = { ...filter, status, limit: 200, ...(cursor !== undefined && { cursor }) };
    const page = await listRuns(orm, workspaceId, wish);
    found.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined && found.length <= MOST_RUNS);
  return found;
}

/** The code of the refusal; undefined when the run took it. */
async function actOn(parts: DecisionParts, request: BulkRequest, runId: string): Promise<string | undefined> {
  const { workspaceId, by, action, reason } = request;
  const wish = { workspaceId, runId, by, ...(reason !== undefined && { reason }) };
  const acts = { cancel: cancelRun, pause: pauseRun, resume: resumeRun, retry: retryRun };
  try {
    await acts[action](parts, wish);
    return undefined;
  } catch (error) {
    if (isStoreError(error)) return error.code;
    throw error;
  }
}
