import { z } from 'zod';
import { named, page, words } from './named.ts';
import { Id, Instant, JsonValue } from './values.ts';

/** Name of a signal: a letter, then letters, digits, `_`, `.` or `-`. */
const SignalName = z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,99}$/);
/** Text without NUL and without halves of characters. */
const SignalKey = z.union([
  z
    .string()
    .max(1_000)
    .refine((key) => !key.includes('\u0000') && !/\p{Surrogate}/u.test(key), 'Expected well-formed text'),
  z.number().transform(String),
]);
const SignalId = z.string().regex(/^[^\u0000-\u001f\u007f\ud800-\udfff]{1,255}$/);

export const SendSignal = named(
  'SendSignal',
  z.strictObject({
    name: SignalName,
    key: SignalKey.optional().meta({ description: 'Tells apart who is meant; a number counts as its text.' }),
    payload: JsonValue.optional().meta({ description: 'At most 256 KB. Absent: null.' }),
    id: SignalId.optional().meta({ description: 'Sent twice under one id, it is one signal.' }),
    runId: Id.optional().meta({ description: 'The only run that may take it.' }),
  }),
);

/** `takenBy`: who took it; absent while it is kept. */
export const SentSignal = named(
  'SentSignal',
  z.object({
    result: words<'sent' | 'duplicate'>({ sent: true, duplicate: true }),
    id: z.string(),
    takenBy: z.object({ runId: Id, path: z.string() }).optional(),
  }),
);

const KeptSignal = named(
  'KeptSignal',
  z.object({
    id: z.string(),
    name: z.string(),
    key: z.string(),
    by: z.string(),
    sentAt: Instant,
    expiresAt: Instant,
    toRun: Id.optional(),
  }),
);
export const SignalPage = page('SignalPage', KeptSignal);

export const SignalFilterQuery = z.strictObject({
  name: SignalName.optional(),
  cursor: z.string().min(1).max(100).optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
});
