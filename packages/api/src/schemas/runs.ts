import type { JsonObject } from '@pawl/dag-core';
import { z } from 'zod';
import { list, named, page, words } from './named.ts';
import { EffectWord, NodeRunPath, NodeRunStatusWord } from './node-runs.ts';
import {
  BudgetLimitsValue,
  FailureValue,
  FlowName,
  Id,
  Instant,
  JsonObjectValue,
  JsonValue,
  NodeId,
  Priority,
  RunStatusWord,
  SpendValue,
  VersionId,
} from './values.ts';
import { WaitingFor, WaitWord } from './waiting-for.ts';

/** A dedupe key as header or member: 1…255 characters, no control characters. */
export const DedupeKey = z.string().regex(/^[^\u0000-\u001f\u007f]{1,255}$/);

/** Body of a start. `input` absent means `{}`. */
export const StartRun = named(
  'StartRun',
  z.strictObject({
    flow: FlowName,
    version: VersionId.optional().meta({ description: 'Absent: the published version.' }),
    input: JsonValue.optional(),
    dedupeKey: DedupeKey.optional().meta({ description: 'The same as the header Idempotency-Key.' }),
    tags: JsonObjectValue.optional() as unknown as z.ZodOptional<z.ZodType<JsonObject, JsonObject>>,
    budget: BudgetLimitsValue.optional(),
    priority: Priority.optional().meta({ description: 'From 1 (first) to 9 (last). Default 5.' }),
    trigger: z.enum(['api', 'cli', 'designer']).optional().meta({ description: 'Recorded. Default api.' }),
  }),
);

export const Started = named(
  'Started',
  z.object({
    result: words<'started' | 'duplicate'>({ started: true, duplicate: true }),
    runId: Id,
  }),
);

const runSummary = {
  id: Id,
  flow: z.string(),
  version: VersionId,
  /** Of the run of a sub-flow: the node run that it is for. */
  parent: z.object({ runId: Id, path: z.string() }).optional(),
  undoes: Id.optional().meta({ description: 'Of an undo run: the ended run whose effects it undoes.' }),
  mode: z
    .literal('test')
    .optional()
    .meta({ description: 'A test run of a draft, or a part of one. Absent: live.' }),
  status: RunStatusWord,
  priority: Priority.optional().meta({ description: 'Absent: 5.' }),
  waitingFor: WaitingFor.optional(),
  failure: FailureValue.optional(),
  /** What makes the run partial: node runs that failed and were continued past, and those that gave less than they should. */
  degraded: list(z.object({ path: z.string(), reason: z.string(), hasFailed: z.literal(true).optional() })),
  /** Of a run that undoes its effects, or has: how many it planned to, and the paths of what stays. */
  compensation: z.object({ planned: z.int(), left: list(z.string()) }).optional(),
  budget: z.object({
    limits: BudgetLimitsValue,
    reserved: SpendValue,
    spent: SpendValue,
    warned: list(z.enum(['costUsd', 'tokens', 'modelCalls']))
      .optional()
      .meta({ description: 'Limits of which four fifths are spent.' }),
  }),
  tags: JsonObjectValue,
  createdAt: Instant,
  startedAt: Instant.optional(),
  finishedAt: Instant.optional(),
  lastSeq: z.int().meta({ description: 'Last journal sequence number.' }),
};
export const RunSummary = named('RunSummary', z.object(runSummary));
export type RunSummary = z.output<typeof RunSummary>;
export const RunDetail = named(
  'RunDetail',
  z.object({
    ...runSummary,
    input: JsonValue,
    output: JsonValue.optional(),
    nodeRuns: z
      .partialRecord(NodeRunStatusWord, z.int())
      .meta({ description: 'Number of node runs by status.' }),
  }),
);
export const RunPage = page('RunPage', RunSummary);

export const CancelRun = named(
  'CancelRun',
  z.strictObject({
    reason: z.string().min(1).max(1_000).optional(),
    /** Undo completed effects before the run ends, the last first. */
    compensate: z.boolean().optional(),
  }),
);

export const PauseRun = named(
  'PauseRun',
  z.strictObject({ reason: z.string().min(1).max(1_000).optional() }),
);

/** The same for every open run that the filter finds, at most 1,000 at a time. */
export const BulkRuns = named(
  'BulkRuns',
  z.strictObject({
    action: z.enum(['cancel', 'pause', 'resume', 'retry']),
    filter: z.strictObject({
      runIds: z.array(Id).min(1).max(1_000).optional().meta({ description: 'Of these runs only.' }),
      flow: FlowName.optional(),
      mode: z.enum(['live', 'test']).optional().meta({ description: 'Absent: both.' }),
      status: z.array(RunStatusWord).min(1).optional(),
      createdAfter: Instant.optional(),
      createdBefore: Instant.optional(),
      version: VersionId.optional(),
      waitingFor: z.array(WaitWord).min(1).optional(),
      costAbove: z.number().min(0).optional(),
      failedNode: NodeId.optional(),
      tag: z.strictObject({ key: z.string().min(1), value: z.string() }).optional(),
    }),
    reason: z.string().min(1).max(1_000).optional(),
    /** Only counts. */
    preview: z.boolean().optional(),
  }),
);
export const BulkAnswer = named(
  'BulkAnswer',
  z.object({
    matched: z.int(),
    hasMore: z.boolean(),
    done: z.int(),
    refused: list(z.object({ runId: Id, code: z.string() })),
    calls: list(z.object({ target: z.string(), effect: EffectWord, count: z.int() }))
      .optional()
      .meta({ description: 'Of the preview of a retry: what it would call, and how often.' }),
  }),
);

/** Body of a retry: `path` of one node run, or absent for everything that waits for it. */
export const RetryRun = named(
  'RetryRun',
  z
    .strictObject({
      path: NodeRunPath.optional(),
      args: JsonValue.optional().meta({
        description:
          'What the node run is tried with, as a whole: the arguments of a tool, or `messages` of a model.',
      }),
    })
    .refine(({ path, args }) => args === undefined || path !== undefined, {
      path: ['path'],
      message: 'Expected the path of the node run that the arguments are for',
    }),
);

/** New limits of a run; a limit that is absent stays as it is. */
export const RaiseBudget = named(
  'RaiseBudget',
  z.strictObject({ limits: BudgetLimitsValue }).refine((body) => Object.keys(body.limits).length > 0, {
    path: ['limits'],
    message: 'Expected at least one limit',
  }),
);
