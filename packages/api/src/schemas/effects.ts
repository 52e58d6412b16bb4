import type { EffectStatus, FailureClass, Settled } from '@pawl/dag-core';
import { z } from 'zod';
import { list, named, page, words } from './named.ts';
import { EffectWord } from './node-runs.ts';
import { FailureValue, Id, Instant, JsonValue, VersionId } from './values.ts';

export const EffectStatusWord = named(
  'EffectStatus',
  words<EffectStatus>({
    sent: true,
    succeeded: true,
    failed: true,
    uncertain: true,
    lost: true,
    late: true,
    settled: true,
    cancelled: true,
  }),
);

const effectSummary = {
  id: z.string().meta({ description: '`<runId>/<seq>`' }),
  runId: Id,
  seq: z.int().min(1).meta({ description: 'Place of the intent in the journal' }),
  flow: z.string(),
  version: VersionId,
  path: z.string(),
  attempt: z.int(),
  call: z.int(),
  effect: EffectWord,
  target: z.string().meta({ description: '`<tool>@<version>` or `<provider>:<model>`' }),
  key: z.string().meta({ description: 'Idempotency key: the same for every attempt' }),
  requestHash: z.string().meta({ description: 'SHA-256 (hex) of the canonical JSON of the arguments' }),
  workerId: z.string().optional(),
  at: Instant.meta({ description: 'When the intent was committed, right before the effect was sent' }),
  status: EffectStatusWord,
  endedAt: Instant.optional(),
  lateAt: Instant.optional().meta({ description: 'An answer came after the attempt was given up' }),
  doubt: z.literal(true).optional().meta({ description: 'It was cancelled and may have happened' }),
  failure: z
    .object({
      code: z.string(),
      class: FailureValue.shape.class satisfies z.ZodType<FailureClass>,
      message: z.string().optional(),
    })
    .optional(),
  effectId: z.string().optional().meta({ description: 'What the service calls it' }),
  costUsd: z.number().optional(),
  tokens: z.number().optional(),
  startedBy: z.string().optional().meta({ description: 'Who started the run' }),
  settledBy: z.string().optional(),
  settledAs: words<Settled>({
    happened: true,
    did_not_happen: true,
    adopt: true,
    compensate: true,
    skip: true,
    fail: true,
  }).optional(),
  receipt: z
    .literal(true)
    .optional()
    .meta({ description: 'The run has been dropped: arguments, output and messages are gone' }),
};

/** One effect that was sent; the server's own record, which no client can write. */
export const EffectSummary = named('EffectSummary', z.object(effectSummary));
export const EffectPage = page('EffectPage', EffectSummary);

export const EffectDetail = named(
  'EffectDetail',
  z.object({
    ...effectSummary,
    request: JsonValue.optional(),
    output: JsonValue.optional(),
    late: z.object({ output: JsonValue.optional(), failure: FailureValue.optional() }).optional(),
    outputHash: z
      .string()
      .optional()
      .meta({ description: 'SHA-256 (hex) of the JSON text of the output; receipts only' }),
  }),
);

/** Repeated (`status=a&status=b`) or with commas (`status=a,b`). */
export const EffectStatuses = z.preprocess(
  (value) => (Array.isArray(value) ? value : [value]).flatMap((word) => String(word).split(',')),
  list(EffectStatusWord) as unknown as z.ZodType<EffectStatus[]>,
);
