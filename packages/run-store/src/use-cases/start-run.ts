import { createHash } from 'node:crypto';
import {
  canonicalJson,
  concurrencyKey,
  ExpressionError,
  type FlowDocument,
  type Json,
  validateInput,
} from '@pawl/dag-core';
import { StoreError } from '../errors.ts';
import type { HotStore } from '../hot-store.ts';
import { newRunId } from '../ids.ts';
import { findDedupe } from '../sql/find-dedupe.ts';
import type { Started, StartRequest } from '../store-types.ts';
import { mergeBudget } from './merge-budget.ts';

/**
 * Starts a run: finds the version, fills in defaults, checks the input, admits.
 *
 * @param refuse says why no run may be started now, if so; asked for one that is about to be
 * @throws {StoreError} what `refuse` says, `flow_not_found`, `flow_paused`, `flow_not_published`, `version_not_found`, `input_invalid`, `dedupe_conflict`
 */
export async function startRun(
  store: HotStore,
  request: StartRequest,
  refuse?: () => Promise<StoreError | undefined>,
): Promise<Started> {
  const { workspaceId, flow, version, dedupeKey, priority } = request;
  const found = await store.findVersion({ workspaceId, flow, ...(version !== undefined && { version }) });
  if (!found.isFlow) throw new StoreError('flow_not_found', { flow });
  if (version === undefined && found.publishedVersion === null)
    throw new StoreError('flow_not_published', { flow });
  if (found.versionId === null)
    throw new StoreError('version_not_found', { version: version ?? found.publishedVersion!, flow });
  if (found.isPaused) return earlierOr(store, request, new StoreError('flow_paused', { flow }));
  const graph = await store.graphs.get(workspaceId, found.versionId);
  const { value: input, issues } = validateInput(graph.document.input, request.input);
  if (issues.length > 0) return earlierOr(store, request, new StoreError('input_invalid', { flow, issues }));
  const key = await keyOf(graph.document, input, flow);
  const refusal = await refuse?.();
  if (refusal) return earlierOr(store, request, refusal);
  const runId = request.runId ?? newRunId();
  const { isAdmitted } = await store.admit({
    runId,
    workspaceId,
    flow,
    versionId: found.versionId,
    graph,
    input,
    budget: mergeBudget(graph.document.budget, request.budget),
    trigger: request.trigger,
    ...(priority !== undefined && { priority }),
    ...(key !== undefined && { concurrency: { key, most: graph.document.concurrency?.limit ?? 1 } }),
    ...(request.by !== undefined && { by: request.by }),
    seed: runId,
    ...(request.tags && { tags: request.tags }),
    ...(request.trace && { trace: request.trace }),
    ...(dedupeKey !== undefined && { dedupe: { key: dedupeKey, bodyHash: bodyHash(request) } }),
  });
  if (isAdmitted) return { result: 'started', runId };
  return (await earlierStart(store, request)) ?? startRun(store, request, refuse); // the key ran out in between
}

/** L10. @throws {StoreError} `input_invalid` when the input gives no key */
async function keyOf(document: FlowDocument, input: Json, flow: string): Promise<string | undefined> {
  try {
    return await concurrencyKey(document, input);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { code, message } = error;
    throw new StoreError('input_invalid', { flow, issues: [{ code, pointer: '', message }] });
  }
}

/** A start that is sent again is the run that it started, though the flow was paused or has changed meanwhile. */
async function earlierOr(store: HotStore, request: StartRequest, refusal: StoreError): Promise<Started> {
  const earlier = request.dedupeKey === undefined ? undefined : await earlierStart(store, request);
  if (earlier) return earlier;
  throw refusal;
}

/** The same key and body name the run that they started; the same key with another body is refused (C38). */
async function earlierStart(store: HotStore, request: StartRequest): Promise<Started | undefined> {
  const { workspaceId, flow, dedupeKey } = request;
  const earlier = await findDedupe(store.pool, workspaceId, flow, dedupeKey!);
  if (!earlier) return undefined;
  if (earlier.bodyHash !== bodyHash(request))
    throw new StoreError('dedupe_conflict', { flow, key: dedupeKey!, runId: earlier.runId });
  return { result: 'duplicate', runId: earlier.runId };
}

const bodyHash = ({ input, version, tags, budget, priority, dedupeHash }: StartRequest): string =>
  dedupeHash ??
  createHash('sha256')
    .update(
      canonicalJson({
        input,
        version: version ?? null,
        tags: tags ?? null,
        budget: (budget as Json) ?? null,
        ...(priority !== undefined && { priority }),
      }),
    )
    .digest('hex');
