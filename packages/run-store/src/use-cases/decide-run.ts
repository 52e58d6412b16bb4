import type { BudgetLimits, Fact, Json, NodeRunMore, RecordedEvent, Verdict } from '@pawl/dag-core';
import { NodeRunEntity } from '../entities/node-run.ts';
import type { Orm } from '../entities/orm.ts';
import { StoreError } from '../errors.ts';
import { answerQuestion } from '../inbox/answer-question.ts';
import { questionId } from '../inbox/question-id.ts';
import { findQuestion, listInbox } from '../inbox/read-inbox.ts';
import { demandPossible, factOf, type InboxAnswer, putAside } from '../inbox/what-follows.ts';
import { getRun } from '../queries/get-run.ts';
import { getNodeRun, listNodeRuns } from '../queries/node-runs.ts';
import type { NodeRunSummary, RunDetail, RunSummary, Settlement } from '../store-types.ts';
import type { DecisionParts } from './decision-parts.ts';

/** Names a run in a workspace. */
interface RunRef {
  readonly workspaceId: string;
  readonly runId: string;
}

/** Asks a run to stop (V11). Asking twice is harmless. @throws {StoreError} `run_not_found`, `run_not_open` */
export async function cancelRun(
  parts: DecisionParts,
  request: RunRef & { by: string; reason?: string; compensate?: boolean },
): Promise<RunSummary> {
  const { by, reason, compensate } = request;
  const verdict = await decide(parts, request, {
    type: 'cancel',
    by,
    ...(reason !== undefined && { reason }),
    ...(compensate && { compensate }),
  });
  return after(parts, request, verdict, 'cancelled');
}

/** Holds a run up (T15). Asking twice is harmless. @throws {StoreError} `run_not_found`, `run_not_pausable` */
export async function pauseRun(
  parts: DecisionParts,
  { by, reason, ...ref }: RunRef & { by: string; reason?: string },
): Promise<RunSummary> {
  const fact = { type: 'pauseRun', by, ...(reason !== undefined && { reason }) } as const;
  const verdict = await decide(parts, ref, fact);
  const run = await known(parts, ref);
  if (verdict === 'refused') throw new StoreError('run_not_pausable', { runId: run.id, status: run.status });
  return run;
}

/** Lets a run go on that a person holds up (T15). @throws {StoreError} `run_not_found`, `run_not_resumable` */
export async function resumeRun(
  parts: DecisionParts,
  { by, ...ref }: RunRef & { by: string },
): Promise<RunSummary> {
  const verdict = await decide(parts, ref, { type: 'resumeRun', by });
  const run = await known(parts, ref);
  if (verdict === 'refused') throw new StoreError('run_not_resumable', { runId: run.id, status: run.status });
  return run;
}

/** Raises limits of a run and goes on if it waits for them (V6). @throws {StoreError} also `budget_not_raised` */
export async function raiseBudget(
  parts: DecisionParts,
  request: RunRef & { by: string; limits: BudgetLimits },
): Promise<RunSummary> {
  const run = await known(parts, request);
  for (const [unit, limit] of Object.entries(request.limits)) {
    const used = usedOf(run, unit as keyof BudgetLimits);
    if (limit !== undefined && limit < used) throw new StoreError('budget_not_raised', { unit, limit, used });
  }
  const verdict = await decide(parts, request, {
    type: 'raiseBudget',
    limits: request.limits,
    by: request.by,
  });
  return after(parts, request, verdict, 'given more budget');
}

/**
 * Tries again what waits for a person after a failure: one node run, or every one.
 *
 * @param request `args`: what one node run is tried with, instead of what it had (T19)
 * @throws {StoreError} `run_not_found`, `node_run_not_found`, `run_not_open`, `run_not_retryable`; with `args` also
 *         `arguments_not_editable`, `answer_invalid`
 */
export async function retryRun(
  parts: DecisionParts,
  request: RunRef & { by: string; path?: string; args?: Json },
): Promise<RunSummary> {
  const run = await known(parts, request);
  if (request.path !== undefined && !(await getNodeRun(parts.orm, { ...request, path: request.path }))) {
    throw new StoreError('node_run_not_found', { runId: request.runId, path: request.path });
  }
  if (run.finishedAt)
    throw new StoreError('run_not_open', { runId: run.id, status: run.status, wish: 'retried' });
  if (request.path !== undefined && request.args !== undefined)
    return retryWith(parts, { ...request, path: request.path, args: request.args });
  const paths = request.path !== undefined ? [request.path] : await pausedPaths(parts, request);
  const facts = paths.map((path): Fact => ({ type: 'retryNode', path, by: request.by }));
  const verdicts = facts.length > 0 ? await decideAll(parts, request, facts) : [];
  if (!verdicts.includes('applied')) throw new StoreError('run_not_retryable', { runId: run.id });
  return known(parts, request);
}

/** The question that the failure asked is answered: so both ways to do it are one. */
async function retryWith(
  parts: DecisionParts,
  { args, path, ...request }: RunRef & { by: string; path: string; args: Json },
): Promise<RunSummary> {
  const { workspaceId, by } = request;
  const { items } = await listInbox(parts.orm, workspaceId, {
    kind: ['failure'],
    runId: request.runId,
    path,
  });
  if (!items[0]) throw new StoreError('run_not_retryable', { runId: request.runId });
  const answer = { decision: 'retry', values: args } as const;
  await answerQuestion(parts, { workspaceId, question: items[0].question, by, answer });
  return known(parts, request);
}

/**
 * Settles an uncertain or paused node run (V5). The first decision wins.
 *
 * @throws {StoreError} `run_not_found`, `node_run_not_found`, `run_not_open`, `node_run_not_settleable`, `effect_may_be_sent`,
 *         `decision_not_offered`
 */
export async function settleNodeRun(
  parts: DecisionParts,
  request: RunRef & { path: string; settlement: Settlement; by: string },
): Promise<NodeRunSummary> {
  const { path, runId } = request;
  const run = await known(parts, request);
  if (!(await getNodeRun(parts.orm, request))) throw new StoreError('node_run_not_found', { runId, path });
  const verdict = await decide(parts, request, await settlementFact(parts, request));
  const now = await getNodeRun(parts.orm, request);
  if (verdict === 'refused') {
    const decision = decisionIn(now!.events);
    if (run.finishedAt && !decision)
      throw new StoreError('run_not_open', { runId: run.id, status: run.status, wish: 'settled' });
    throw new StoreError('node_run_not_settleable', {
      runId: run.id,
      path,
      status: now!.status,
      ...(decision && { decision }),
    });
  }
  return now!;
}

/** What decides about a doubt must be possible as things stand, and is about the question that is open now. */
async function settlementFact(
  parts: DecisionParts,
  { workspaceId, runId, path, settlement, by }: RunRef & { path: string; settlement: Settlement; by: string },
): Promise<Fact> {
  const seq = await openDoubtOf(parts.orm, runId, path);
  const ref = seq !== undefined && { workspaceId, question: questionId(runId, seq) };
  const question = ref && (await findQuestion(parts.orm, ref));
  const { verdict: decision, ...rest } = settlement;
  if (!question) return { type: 'settle', path, by, verdict: decision, ...rest } as Fact;
  demandPossible(question, decision);
  return putAside(parts.hot, runId, factOf(question, { decision, ...rest } as InboxAnswer, by));
}

/** The place of the event that asked about a doubt which is open. */
async function openDoubtOf(orm: Orm, runId: string, path: string): Promise<number | undefined> {
  const node = await orm.fork().findOne(NodeRunEntity, { runId, path, status: 'uncertain' });
  return node?.more == null ? undefined : (JSON.parse(node.more) as NodeRunMore).question;
}

/** The newest answer of a person that the journal of a node run holds. */
function decisionIn(
  events: readonly RecordedEvent[],
): { verdict: string; by: string; at: string } | undefined {
  const answered = events.findLast((event) => event.type === 'inbox.answered');
  if (answered?.type !== 'inbox.answered') return undefined;
  const { decision, by } = answered.data;
  return { verdict: decision, by, at: new Date(answered.at).toISOString() };
}

/** What a run has used of a unit, reservations included. */
function usedOf({ budget: { spent, reserved }, createdAt }: RunDetail, unit: keyof BudgetLimits): number {
  switch (unit) {
    case 'costUsd':
      return (spent.costNanoUsd + reserved.costNanoUsd) / 1e9;
    case 'tokens':
      return spent.tokens + reserved.tokens;
    case 'modelCalls':
      return spent.modelCalls + reserved.modelCalls;
    case 'wallClockMs':
      return Date.now() - Date.parse(createdAt);
  }
}

async function pausedPaths(parts: DecisionParts, ref: RunRef): Promise<string[]> {
  const paths: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listNodeRuns(parts.orm, {
      ...ref,
      limit: 1_000,
      ...(cursor !== undefined && { cursor }),
    });
    for (const node of page?.items ?? [])
      if (node.status === 'waiting' && node.waitingFor?.kind === 'person') paths.push(node.path);
    cursor = page?.nextCursor;
  } while (cursor !== undefined);
  return paths;
}

async function known({ orm }: DecisionParts, ref: RunRef): Promise<RunDetail> {
  const run = await getRun(orm, ref);
  if (!run) throw new StoreError('run_not_found', { runId: ref.runId });
  return run;
}

const decide = async (parts: DecisionParts, ref: RunRef, fact: Fact): Promise<Verdict> =>
  (await decideAll(parts, ref, [fact]))[0]!;

async function decideAll(
  parts: DecisionParts,
  ref: RunRef,
  facts: readonly Fact[],
): Promise<readonly Verdict[]> {
  const run = await known(parts, ref);
  const graph = await parts.hot.graphs.get(ref.workspaceId, run.version);
  return (await parts.hot.commit({ runId: run.id, graph, facts })).verdicts;
}

async function after(parts: DecisionParts, ref: RunRef, verdict: Verdict, wish: string): Promise<RunSummary> {
  const run = await known(parts, ref);
  if (verdict === 'refused')
    throw new StoreError('run_not_open', { runId: run.id, status: run.status, wish });
  return run;
}
