import { randomUUID } from 'node:crypto';
import {
  canonicalJson,
  isTerminalRun,
  type JournalEvent,
  type Json,
  type JsonObject,
  type RecordedEvent,
  type RunStatus,
} from '@pawl/dag-core';
import type {
  BulkAnswer,
  BulkRequest,
  NodeRunDetail,
  Page,
  RecentRuns,
  RunDetail,
  RunFilter,
  RunSummary,
  Settlement,
  Started,
  StartRequest,
  TestStart,
} from '@pawl/run-store';
import type { RunRef } from '../../src/http/engine-store.ts';
import type { MemoryBus } from './memory-bus.ts';
import type { MemoryFlows } from './memory-flows.ts';
import { refusal } from './refusal.ts';

const AT = '2026-01-02T03:04:05.000Z';
const NOTHING = { costNanoUsd: 0, tokens: 0, modelCalls: 0 };
type Mutable<T> = { -readonly [K in keyof T]: T[K] };
interface Run {
  readonly workspaceId: string;
  detail: Mutable<RunDetail>;
  readonly journal: RecordedEvent[];
  readonly nodeRuns: NodeRunDetail[];
}

/** Runs of all workspaces in memory, with journals that tests write. */
export class MemoryRuns {
  readonly runs = new Map<string, Run>();
  readonly #keys = new Map<string, { body: string; runId: string }>();
  readonly #flows: MemoryFlows;
  readonly #bus: MemoryBus;
  /** Requests of starts that reached the store, in order. */
  readonly starts: StartRequest[] = [];
  /** Starts are refused above this number of runs. */
  openLimit = Number.POSITIVE_INFINITY;
  /** Keys whose first start is not finished. */
  readonly inProgress = new Set<string>();

  constructor(flows: MemoryFlows, bus: MemoryBus) {
    this.#flows = flows;
    this.#bus = bus;
  }

  find({ workspaceId, runId }: RunRef): Run | undefined {
    const run = this.runs.get(runId.toLowerCase());
    return run?.workspaceId === workspaceId ? run : undefined;
  }

  recent(workspaceId: string, flow: string): RecentRuns {
    const runs = [...this.runs.values()]
      .filter((run) => run.workspaceId === workspaceId && run.detail.flow === flow)
      .map(({ detail: { id, status } }) => ({ id, status }))
      .reverse();
    const countOf = (...statuses: RunStatus[]) =>
      runs.filter(({ status }) => statuses.includes(status)).length;
    return { runs, ended: countOf('succeeded', 'partial', 'failed'), succeeded: countOf('succeeded') };
  }

  #demand(ref: RunRef): Run {
    const run = this.find(ref);
    if (!run)
      throw refusal('run_not_found', `There is no run ${ref.runId} in this workspace. List the runs.`);
    return run;
  }

  #demandOpen(ref: RunRef, wish: string): Run {
    const run = this.#demand(ref);
    const { status } = run.detail;
    if (isTerminalRun(status))
      throw refusal('run_not_open', `Run ${ref.runId} cannot be ${wish}: it is ${status}.`, { status, wish });
    return run;
  }

  start(request: StartRequest): Started {
    this.starts.push(request);
    const version = this.#flows.toRun(request);
    const key = request.dedupeKey && canonicalJson([request.workspaceId, request.flow, request.dedupeKey]);
    const body =
      request.dedupeHash ??
      canonicalJson({
        version: request.version ?? null,
        input: request.input,
        tags: request.tags ?? null,
      });
    const first = key === undefined ? undefined : this.#keys.get(key);
    if (request.dedupeKey !== undefined && this.inProgress.has(request.dedupeKey))
      throw refusal(
        'dedupe_in_progress',
        `The first start with key ${request.dedupeKey} is not finished. Try again.`,
      );
    if (first && first.body !== body)
      throw refusal('dedupe_conflict', `The key was used for run ${first.runId}. Use a new key.`, {
        runId: first.runId,
      });
    if (first) return { result: 'duplicate', runId: first.runId };
    this.#demandFit(version.document.input as JsonObject | undefined, request);
    if (this.runs.size >= this.openLimit)
      throw refusal('queue_full', 'Too many runs are open. Try again later.', { retryAfterMs: 2_500 });
    const runId = this.#admit(request, version.id);
    if (key !== undefined) this.#keys.set(key, { body, runId });
    return { result: 'started', runId };
  }

  startTest(request: TestStart): { runId: string; versionId: string } {
    const versionId = '0'.repeat(64);
    const runId = this.#admit({ ...request, trigger: 'test' }, versionId);
    this.runs.get(runId)!.detail.mode = 'test';
    return { runId, versionId };
  }

  #demandFit(schema: JsonObject | undefined, { flow, input }: StartRequest): void {
    const required = (schema?.required ?? []) as string[];
    const issues = required
      .filter((name) => !Object.hasOwn(input as object, name))
      .map((name) => ({
        pointer: `/input/${name}`,
        code: 'required',
        message: `Expected a value for ${name}`,
      }));
    if (issues.length > 0) throw refusal('input_invalid', `The input does not fit flow ${flow}.`, { issues });
  }

  #admit(
    {
      workspaceId,
      flow,
      input,
      tags = {},
      budget = {},
      trigger,
    }: Pick<StartRequest, 'workspaceId' | 'flow' | 'input' | 'tags' | 'budget' | 'trigger'>,
    version: string,
  ): string {
    const id = randomUUID();
    const detail: RunDetail = {
      id,
      flow,
      version,
      status: 'running',
      waitingFor: { kind: 'worker', since: AT },
      degraded: [],
      budget: { limits: budget, reserved: NOTHING, spent: NOTHING },
      tags,
      createdAt: AT,
      lastSeq: 0,
      input,
      nodeRuns: { ready: 1 },
    };
    this.runs.set(id, { workspaceId, detail, journal: [], nodeRuns: [aNodeRun('each/3/score')] });
    const data = {
      v: 1 as const,
      versionId: version,
      input,
      budget: { ...budget },
      tags,
      trigger,
      seed: 'seed',
    };
    this.append(id, { type: 'run.admitted', path: '', attempt: 0, data });
    return id;
  }

  /** Writes the next event of a journal and wakes its followers. */
  append(runId: string, event: JournalEvent): void {
    const run = this.runs.get(runId)!;
    run.journal.push({ ...event, seq: run.journal.length + 1, at: 1_767_323_045_000 } as RecordedEvent);
    run.detail.lastSeq = run.journal.length;
    if (event.type === 'run.statusChanged') run.detail.status = event.data.status;
    this.#bus.publish(runId, { kind: 'grew' });
  }

  list(workspaceId: string, { cursor, limit = 50, ...filter }: RunFilter): Page<RunSummary> {
    const mine = [...this.runs.values()].filter((run) => run.workspaceId === workspaceId).reverse();
    const fitting = mine.map(({ detail }) => detail).filter((run) => fits(run, filter));
    const from = cursor === undefined ? 0 : fitting.findIndex((run) => run.id === cursor) + 1;
    if (cursor !== undefined && from === 0)
      throw refusal('cursor_invalid', 'The cursor is not one that a previous page gave. Leave it out.');
    const items = fitting
      .slice(from, from + limit)
      .map(({ input: _i, output: _o, nodeRuns: _n, ...run }) => run);
    return fitting.length > from + limit ? { items, nextCursor: items.at(-1)!.id } : { items };
  }

  byId(workspaceIds: readonly string[], runIds: readonly string[]) {
    return runIds.flatMap((id) => {
      const run = this.runs.get(id);
      if (!run || !workspaceIds.includes(run.workspaceId)) return [];
      const { input: _i, output: _o, nodeRuns: _n, ...summary } = run.detail;
      return [{ workspaceId: run.workspaceId, run: summary }];
    });
  }

  bulk({ workspaceId, by, action, filter, isPreview }: BulkRequest): BulkAnswer {
    const found = this.list(workspaceId, filter).items.filter((run) => run.finishedAt === undefined);
    const acts = { cancel: this.cancel, pause: this.pause, resume: this.resume, retry: this.retry };
    const refused: { runId: string; code: string }[] = [];
    for (const { id } of isPreview ? [] : found) {
      try {
        acts[action].call(this, { workspaceId, runId: id, by });
      } catch (error) {
        refused.push({ runId: id, code: (error as { code: string }).code });
      }
    }
    const done = isPreview ? 0 : found.length - refused.length;
    return { matched: found.length, hasMore: false, done, refused };
  }

  cancel(request: RunRef & { by: string; reason?: string }): RunDetail {
    const run = this.#demandOpen(request, 'cancelled');
    if (run.detail.status === 'cancelling') return run.detail;
    const reason = request.reason === undefined ? {} : { reason: request.reason };
    this.append(run.detail.id, {
      type: 'run.cancelRequested',
      path: '',
      attempt: 0,
      data: { v: 1, by: request.by, ...reason },
    });
    run.detail.status = 'cancelling';
    return run.detail;
  }

  retry(request: RunRef & { by: string; path?: string }): RunDetail {
    const run = this.#demandOpen(request, 'retried');
    if (request.path !== undefined) this.#nodeRun(run, request.path);
    if (run.detail.status !== 'paused')
      throw refusal('run_not_retryable', `Nothing in run ${run.detail.id} waits for a retry.`);
    run.detail.status = 'running';
    return run.detail;
  }

  pause(request: RunRef & { by: string }): RunDetail {
    const run = this.#demandOpen(request, 'paused');
    run.detail.status = 'paused';
    return run.detail;
  }

  resume(request: RunRef & { by: string }): RunDetail {
    const run = this.#demandOpen(request, 'resumed');
    if (run.detail.status !== 'paused')
      throw refusal('run_not_resumable', `Nobody holds run ${run.detail.id} up.`);
    run.detail.status = 'running';
    return run.detail;
  }

  raiseBudget(request: RunRef & { by: string; limits: RunDetail['budget']['limits'] }): RunDetail {
    const run = this.#demandOpen(request, 'given more budget');
    const { spent } = run.detail.budget;
    if (request.limits.tokens !== undefined && request.limits.tokens <= spent.tokens)
      throw refusal('budget_not_raised', `The limit lies below the ${spent.tokens} tokens spent. Raise it.`);
    run.detail.budget = { ...run.detail.budget, limits: { ...run.detail.budget.limits, ...request.limits } };
    return run.detail;
  }

  #nodeRun(run: Run, path: string): Mutable<NodeRunDetail> {
    const nodeRun = run.nodeRuns.find((each) => each.path === path);
    if (!nodeRun)
      throw refusal('node_run_not_found', `Run ${run.detail.id} has no node run at ${path}. List them.`);
    return nodeRun as Mutable<NodeRunDetail>;
  }

  settle(request: RunRef & { path: string; settlement: Settlement; by: string }): NodeRunDetail {
    const run = this.#demandOpen(request, 'settled');
    const nodeRun = this.#nodeRun(run, request.path);
    if (nodeRun.status !== 'uncertain')
      throw refusal('node_run_not_settleable', `${request.path} does not wait for a decision.`, {
        decision: this.decisions.get(request.path) ?? null,
      });
    this.decisions.set(request.path, request.settlement as unknown as Json);
    nodeRun.status = request.settlement.verdict === 'happened' ? 'succeeded' : 'ready';
    return nodeRun;
  }
  readonly decisions = new Map<string, Json>();

  events(ref: RunRef & { after: number; limit: number }) {
    const run = this.find(ref);
    if (!run) return undefined;
    const events = run.journal.filter(({ seq }) => seq > ref.after).slice(0, ref.limit);
    const last = events.at(-1)?.seq ?? ref.after;
    return { events, ended: isTerminalRun(run.detail.status) && last >= run.detail.lastSeq };
  }
}

function fits(run: RunDetail, filter: RunFilter): boolean {
  if (filter.runIds && !filter.runIds.some((id) => id.toLowerCase() === run.id)) return false;
  if (filter.flow !== undefined && run.flow !== filter.flow) return false;
  if (filter.status && !filter.status.includes(run.status)) return false;
  if (filter.createdAfter !== undefined && Date.parse(run.createdAt) <= Date.parse(filter.createdAfter))
    return false;
  if (filter.createdBefore !== undefined && Date.parse(run.createdAt) >= Date.parse(filter.createdBefore))
    return false;
  if (filter.version !== undefined && run.version !== filter.version) return false;
  if (filter.waitingFor && !filter.waitingFor.some((kind) => kind === run.waitingFor?.kind)) return false;
  if (filter.costAbove !== undefined && run.budget.spent.costNanoUsd <= filter.costAbove * 1e9) return false;
  return filter.tag === undefined || run.tags[filter.tag.key] === filter.tag.value;
}

/** A node run that waits for a person about an effect that may have happened. */
const aNodeRun = (path: string): NodeRunDetail => ({
  path,
  nodeId: path.split('/').at(-1)!,
  kind: 'tool',
  effect: 'non_repeatable',
  status: 'uncertain',
  attempt: 1,
  waitingFor: { kind: 'person', since: AT, detail: { key: 'abc' } },
  itemIndex: 3,
  costUsd: 0,
  tokens: 0,
  startedAt: AT,
  events: [],
});
