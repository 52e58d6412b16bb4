import type { EffectClass, NodeRunStatus } from '@pawl/dag-core';
import { z } from 'zod';
import { JournalRecord } from './events.ts';
import { list, named, page, words } from './named.ts';
import { FailureValue, Id, Instant, JsonValue, VersionId } from './values.ts';
import { WaitingFor } from './waiting-for.ts';

export const NodeRunStatusWord = named(
  'NodeRunStatus',
  words<NodeRunStatus>({
    pending: true,
    ready: true,
    running: true,
    waiting: true,
    retry_wait: true,
    uncertain: true,
    blocked: true,
    succeeded: true,
    failed: true,
    skipped: true,
    cancelled: true,
    compensating: true,
    compensated: true,
  }),
);

/** Effect class of a node run; `model` is a call that costs money and changes nothing. */
export const EffectWord = words<EffectClass | 'model'>({
  pure: true,
  idempotent: true,
  non_repeatable: true,
  model: true,
});

/** Path of a node run inside its run, for instance `each/3/score`. */
export const NodeRunPath = z.string().regex(/^[^\u0000]{1,2000}$/);

const nodeRunSummary = {
  path: z.string(),
  nodeId: z.string(),
  kind: z.string(),
  effect: EffectWord.optional(),
  status: NodeRunStatusWord,
  attempt: z.int(),
  pool: z.string().optional().meta({ description: 'Absent: the default pool.' }),
  waitingFor: WaitingFor.optional(),
  itemIndex: z.int().optional(),
  /** The run of its sub-flow: the open one, or the last. */
  subFlow: z.object({ runId: Id, flow: z.string(), version: VersionId }).optional(),
  /** Its output was kept from an earlier call of the same tool with the same arguments. */
  cached: z.literal(true).optional(),
  given: z
    .object({
      origin: z.enum(['pinned', 'recorded', 'mocked']),
      runId: Id.optional(),
      path: z.string().optional(),
    })
    .optional()
    .meta({ description: 'Of a test run: nothing was called for its output, it was given.' }),
  costUsd: z.number(),
  tokens: z.number(),
  startedAt: Instant.optional(),
  finishedAt: Instant.optional(),
};
export const NodeRunSummary = named('NodeRunSummary', z.object(nodeRunSummary));
export const NodeRunDetail = named(
  'NodeRunDetail',
  z.object({
    ...nodeRunSummary,
    output: JsonValue.optional(),
    failure: FailureValue.optional(),
    events: list(JournalRecord),
  }),
);
export const NodeRunPage = page('NodeRunPage', NodeRunSummary);

/** How a person settles an uncertain or paused node run. */
export const SettlementBody = named(
  'Settlement',
  z.discriminatedUnion('verdict', [
    z.strictObject({ verdict: z.literal('happened'), output: JsonValue }),
    z.strictObject({ verdict: z.literal('did_not_happen') }),
    z.strictObject({ verdict: z.literal('adopt') }),
    z.strictObject({ verdict: z.literal('compensate'), output: JsonValue.optional() }),
    z.strictObject({ verdict: z.literal('skip') }),
    z.strictObject({ verdict: z.literal('fail'), reason: z.string().min(1).max(4_000).optional() }),
  ]),
);

/** Which node runs workers hold now, by path, at most 1,000. */
export const WorkList = named(
  'WorkList',
  z.object({
    items: list(
      z.object({
        path: z.string(),
        attempt: z.int(),
        workerId: Id,
        isAlive: z.boolean().meta({ description: 'The lease of its worker lives.' }),
        leftMs: z.int().meta({ description: 'Milliseconds until the lease is over unless it is renewed.' }),
      }),
    ),
  }),
);
