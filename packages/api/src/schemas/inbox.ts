import type { DeadlineRule, InboxDecision, JsonSchema, ProbeWord } from '@pawl/dag-core';
import { z } from 'zod';
import { list, named, page, words } from './named.ts';
import { EffectWord } from './node-runs.ts';
import { FailureValue, FlowName, Id, Instant, JsonObjectValue, JsonValue } from './values.ts';

/** Name of a question: its run, a dot, and the place of the event that asked. */
export const QuestionId = z.string().regex(/^[0-9a-fA-F-]{36}\.[1-9]\d{0,9}$/);

export const InboxKind = words<'approval' | 'uncertain' | 'failure'>({
  approval: true,
  uncertain: true,
  failure: true,
});

const DecisionWord = words<InboxDecision>({
  approved: true,
  rejected: true,
  happened: true,
  did_not_happen: true,
  adopt: true,
  compensate: true,
  skip: true,
  fail: true,
  retry: true,
});

const Form = z.union([z.boolean(), JsonObjectValue]) as unknown as z.ZodType<JsonSchema, JsonSchema>;

const inboxItem = {
  question: QuestionId,
  kind: InboxKind.meta({
    description:
      '`approval`: a node run asks. `uncertain`: an effect may have happened. `failure`: a failure waits for a decision.',
  }),
  runId: Id,
  flow: z.string(),
  path: z.string(),
  nodeId: z.string(),
  nodeKind: z.string(),
  attempt: z.int(),
  since: Instant,
  until: Instant.optional().meta({ description: 'When the deadline decides.' }),
  subject: z.string(),
  decisions: list(DecisionWord).meta({ description: 'What may be decided.' }),
  asks: words<'approval' | 'tool' | 'question'>({ approval: true, tool: true, question: true }).optional(),
  details: z.string().optional(),
  form: Form.optional().meta({ description: 'JSON Schema of what is filled in.' }),
  values: JsonValue.optional().meta({ description: 'What is filled in already; may be changed.' }),
  who: list(z.string())
    .optional()
    .meta({ description: 'Who may answer: names of keys and users, or `key:<name>`, `user:<name>`.' }),
  onDeadline: words<DeadlineRule>({ fail: true, reject: true, approve: true }).optional(),
  shown: z.string().optional().meta({ description: 'SHA-256 (hex) of what is shown.' }),
  failure: FailureValue.optional(),
  doubt: z
    .object({
      reason: z.string(),
      at: Instant,
      attempt: z.int(),
      workerId: z.string().optional(),
      mayStillSend: z
        .object({ workerId: z.string(), until: Instant.optional(), hint: z.string() })
        .optional()
        .meta({
          description:
            'The worker is not proven to have ended and may still send: `did_not_happen` and `compensate` are not offered before.',
        }),
    })
    .optional(),
  probe: z
    .object({
      at: Instant,
      answer: words<ProbeWord>({ applied: true, not_applied: true, unknown: true }),
      failure: FailureValue.optional(),
    })
    .optional()
    .meta({ description: 'What the tool said when it was asked; `failure` says why it could not tell.' }),
  late: z
    .object({
      at: Instant,
      attempt: z.int(),
      output: JsonValue.optional(),
      failure: FailureValue.optional(),
      ambiguous: z.literal(true).optional(),
    })
    .optional()
    .meta({ description: 'The answer that came too late; `adopt` makes it count.' }),
};

const effect = {
  target: z.string(),
  effect: EffectWord,
  key: z.string(),
  requestHash: z.string(),
  at: Instant,
  attempt: z.int(),
};
const SENT = 'What was to be sent; secrets are references.';
export const InboxItem = named(
  'InboxItem',
  z.object({
    ...inboxItem,
    effect: z
      .object({ ...effect, request: JsonValue.optional() })
      .optional()
      .meta({ description: SENT }),
  }),
);
export const InboxPage = page('InboxPage', InboxItem);

/** A question in any state. */
export const InboxQuestion = named(
  'InboxQuestion',
  z.object({
    ...inboxItem,
    effect: z
      .object({ ...effect, request: JsonValue })
      .optional()
      .meta({ description: SENT }),
    state: words<'open' | 'answered' | 'closed'>({ open: true, answered: true, closed: true }),
    answer: z
      .object({
        decision: DecisionWord,
        by: z.string(),
        at: Instant,
        values: JsonValue.optional(),
        reason: z.string().optional(),
      })
      .optional(),
  }),
);

const reason = z.string().min(1).max(4_000).optional();
/**
 * What a person decides. `values` replace what was filled in as a whole; absent: as it was shown. Of a retry they are the
 * arguments to try it with.
 */
export const InboxAnswerBody = named(
  'InboxAnswer',
  z.discriminatedUnion('decision', [
    z.strictObject({ decision: z.literal('approved'), values: JsonValue.optional() }),
    z.strictObject({ decision: z.literal('rejected'), values: JsonValue.optional(), reason }),
    z.strictObject({ decision: z.literal('happened'), output: JsonValue }),
    z.strictObject({ decision: z.literal('did_not_happen') }),
    z.strictObject({ decision: z.literal('adopt') }),
    z.strictObject({ decision: z.literal('compensate'), output: JsonValue.optional() }),
    z.strictObject({ decision: z.literal('skip') }),
    z.strictObject({ decision: z.literal('retry'), values: JsonValue.optional() }),
    z.strictObject({ decision: z.literal('fail'), reason }),
  ]),
);

const OPEN_QUESTIONS = {
  kind: z
    .preprocess(
      (value) => (Array.isArray(value) ? value : [value]).flatMap((word) => String(word).split(',')),
      z.array(InboxKind).min(1),
    )
    .optional(),
  flow: FlowName.optional(),
  mine: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: '`true`: none that is for others than who asks.' }),
};

export const InboxFilterQuery = z.strictObject({
  ...OPEN_QUESTIONS,
  runId: Id.optional(),
  values: z
    .enum(['whole', 'none'])
    .optional()
    .meta({ description: '`none`: without what was to be sent and what came late. Default whole.' }),
  cursor: z.string().min(1).max(4_000).optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
});

export const InboxCountQuery = z.strictObject(OPEN_QUESTIONS);
export const InboxCount = named(
  'InboxCount',
  z.object({
    count: z.int().min(0),
    hasMore: z.boolean().meta({ description: 'There are more than `count`.' }),
  }),
);
export type InboxCount = z.output<typeof InboxCount>;
