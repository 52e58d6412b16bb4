import { z } from 'zod';
import {
  BulkAnswer,
  BulkRuns,
  CancelRun,
  Cursor,
  DedupeKey,
  FlowName,
  Id,
  Instant,
  Limit,
  NodeId,
  PauseRun,
  RaiseBudget,
  RetryRun,
  RunDetail,
  RunPage,
  RunStatusWord,
  RunSummary,
  Started,
  StartRun,
  VersionId,
  WaitWord,
} from '../schemas/index.ts';
import { json, route } from './route.ts';

export const byRun = z.object({ runId: Id });

/** Repeated (`status=a&status=b`) or with commas (`status=a,b`). */
const Statuses = z.preprocess(
  (value) => (Array.isArray(value) ? value : [value]).flatMap((word) => String(word).split(',')),
  z.array(RunStatusWord).min(1),
);

/** As statuses. */
const Waits = z.preprocess(
  (value) => (Array.isArray(value) ? value : [value]).flatMap((word) => String(word).split(',')),
  z.array(WaitWord).min(1),
);

const RunFilterQuery = z.strictObject({
  flow: FlowName.optional(),
  mode: z.enum(['live', 'test']).optional().meta({ description: 'Absent: both.' }),
  run: Id.optional().meta({ description: 'This run only: its summary, without what went in and came out.' }),
  parent: Id.optional().meta({ description: 'Runs of the sub-flows of this run.' }),
  status: Statuses.optional(),
  createdAfter: Instant.optional(),
  createdBefore: Instant.optional(),
  version: VersionId.optional(),
  waitingFor: Waits.optional().meta({ description: 'What they wait for; only open runs wait.' }),
  costAbove: z.coerce.number().min(0).optional().meta({ description: 'Spent more than this, in USD.' }),
  failedNode: NodeId.optional().meta({ description: 'A node run of the node with this id failed.' }),
  tag: z
    .string()
    .regex(/^[^:\u0000]+:[^\u0000]*$/)
    .optional()
    .meta({ description: '<key>:<value>' }),
  cursor: Cursor,
  limit: Limit,
});

/** W3C Trace Context: carried on the run, so that its spans hang below the caller's. Ones that cannot be read are ignored. */
const traceHeaders = {
  traceparent: z.string().optional().meta({ description: 'W3C Trace Context; carried on the run.' }),
  tracestate: z.string().optional().meta({ description: 'Goes with traceparent.' }),
};

export const runRoutes = {
  startRun: route({
    method: 'POST',
    path: '/v1/runs',
    summary: 'Start a run; with an Idempotency-Key at most once',
    tag: 'runs',
    auth: 'operator',
    headers: z.strictObject({ 'idempotency-key': DedupeKey.optional(), ...traceHeaders }),
    body: StartRun,
    replies: {
      201: json(Started, 'A new run'),
      200: json(Started, 'The run that the same key and body started before'),
    },
    errors: [
      'flow_not_found',
      'version_not_found',
      'flow_not_published',
      'flow_paused',
      'input_invalid',
      'dedupe_conflict',
      'dedupe_in_progress',
      'queue_full',
    ],
  }),
  bulkRuns: route({
    method: 'POST',
    path: '/v1/runs/bulk',
    summary: 'Do the same to every open run that a filter finds, or count them',
    tag: 'runs',
    auth: 'operator',
    body: BulkRuns,
    replies: { 200: json(BulkAnswer, 'What was found, and what was done') },
    errors: [],
  }),
  listRuns: route({
    method: 'GET',
    path: '/v1/runs',
    summary: 'List runs, newest first',
    tag: 'runs',
    auth: 'viewer',
    query: RunFilterQuery,
    replies: { 200: json(RunPage, 'A page of runs') },
    errors: ['cursor_invalid'],
  }),
  getRun: route({
    method: 'GET',
    path: '/v1/runs/:runId',
    summary: 'Get a run with input, output and what it waits for',
    tag: 'runs',
    auth: 'viewer',
    params: byRun,
    replies: { 200: json(RunDetail, 'The run') },
    errors: ['run_not_found'],
  }),
  cancelRun: route({
    method: 'POST',
    path: '/v1/runs/:runId/cancel',
    summary: 'Ask to cancel a run; asking twice is harmless',
    tag: 'runs',
    auth: 'operator',
    params: byRun,
    body: CancelRun,
    bodyOptional: true,
    replies: { 200: json(RunSummary, 'The run, cancelled or about to be (running effects end first)') },
    errors: ['run_not_found', 'run_not_open'],
  }),
  pauseRun: route({
    method: 'POST',
    path: '/v1/runs/:runId/pause',
    summary: 'Hold a run up; what is under way ends, nothing more starts',
    tag: 'runs',
    auth: 'operator',
    params: byRun,
    body: PauseRun,
    bodyOptional: true,
    replies: { 200: json(RunSummary, 'The run, paused') },
    errors: ['run_not_found', 'run_not_pausable'],
  }),
  resumeRun: route({
    method: 'POST',
    path: '/v1/runs/:runId/resume',
    summary: 'Let a run go on that a person holds up',
    tag: 'runs',
    auth: 'operator',
    params: byRun,
    replies: { 200: json(RunSummary, 'The run, going on') },
    errors: ['run_not_found', 'run_not_resumable'],
  }),
  retryRun: route({
    method: 'POST',
    path: '/v1/runs/:runId/retry',
    summary: 'Retry what is paused on a failure, or one node run of it',
    tag: 'runs',
    auth: 'operator',
    params: byRun,
    body: RetryRun,
    bodyOptional: true,
    replies: { 200: json(RunSummary, 'The run, going on') },
    errors: [
      'run_not_found',
      'node_run_not_found',
      'run_not_open',
      'run_not_retryable',
      'arguments_not_editable',
      'answer_invalid',
      'answer_not_allowed',
      'question_answered',
    ],
  }),
  raiseBudget: route({
    method: 'POST',
    path: '/v1/runs/:runId/budget',
    summary: 'Raise limits of the budget; a recorded decision that continues the run',
    tag: 'runs',
    auth: 'operator',
    params: byRun,
    body: RaiseBudget,
    replies: { 200: json(RunSummary, 'The run with its new limits') },
    errors: ['run_not_found', 'run_not_open', 'budget_not_raised'],
  }),
};
