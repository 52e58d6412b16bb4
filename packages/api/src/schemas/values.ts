import type { BudgetLimits, Failure, FailureClass, Json, JsonObject, RunStatus, Spend } from '@pawl/dag-core';
import { z } from 'zod';
import { named, words } from './named.ts';

/** Any JSON value, passed through untouched: never copied, so key order, NUL and lone surrogates stay as they came. */
export const JsonValue = named(
  'Json',
  z.unknown().meta({ description: 'Any JSON value. Integers beyond ±(2^53−1) never appear as numbers.' }),
) as unknown as z.ZodType<Json, Json>;

const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A JSON object, passed through untouched. */
export const JsonObjectValue = named(
  'JsonObject',
  z.unknown().refine(isJsonObject, 'Expected an object').meta({ type: 'object' }),
) as unknown as z.ZodType<JsonObject, JsonObject>;

/** An instant, ISO 8601 with offset; replies are in UTC. */
export const Instant = z.iso.datetime({ offset: true });

/** A UUID in any letter case (run ids are version 7, so they sort by time). */
export const Id = z.guid();

/** Slug of a flow: unique in a workspace. */
export const FlowName = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?$/);

/** SHA-256 in hex. */
/** Id of a node in a flow. */
export const NodeId = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/);
export const VersionId = z.string().regex(/^[0-9a-f]{64}$/);

export const RunStatusWord = named(
  'RunStatus',
  words<RunStatus>({
    pending: true,
    running: true,
    waiting: true,
    paused: true,
    cancelling: true,
    compensating: true,
    succeeded: true,
    partial: true,
    failed: true,
    cancelled: true,
  }),
);

export const FailureValue = named(
  'Failure',
  z.object({
    code: z.string(),
    message: z.string(),
    class: words<FailureClass>({
      permanent: true,
      transient: true,
      cancelled: true,
      timed_out: true,
      budget: true,
      lost: true,
    }),
    detail: JsonValue.optional(),
    retryAfterMs: z.number().optional(),
  }),
) satisfies z.ZodType<Failure>;

export const SpendValue = named(
  'Spend',
  z.object({ costNanoUsd: z.number(), tokens: z.number(), modelCalls: z.number() }),
) satisfies z.ZodType<Spend>;

/** How urgent a run is among those of its workspace: 1 is first, 9 last. */
export const Priority = z.int().min(1).max(9);

const limit = z.number().min(0);
const count = z.int().min(0);
/** Upper bounds of a run; absent means unbounded. */
export const BudgetLimitsValue = named(
  'BudgetLimits',
  z.strictObject({
    costUsd: limit.optional(),
    tokens: count.optional(),
    modelCalls: count.optional(),
    wallClockMs: count.optional(),
  }),
) satisfies z.ZodType<BudgetLimits>;

/** Page size of lists of runs and artifacts: 1…200, default 50. */
export const Limit = z.coerce.number().int().min(1).max(200).optional();

/** Opaque cursor from `nextCursor` of the page before. */
export const Cursor = z.string().min(1).max(2_000).optional();
