import { z } from 'zod';
import { list, named, page, words } from './named.ts';
import { Started } from './runs.ts';
import { FlowName, Id, Instant } from './values.ts';

/** Slug of a webhook: unique in a workspace. */
export const WebhookName = FlowName;

/** Headers that carry what lets somebody in; they never become part of a run (V13). */
const SECRET_HEADERS = ['authorization', 'cookie', 'proxy-authorization', 'x-api-key'];

const HeaderName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'Expected the name of a header')
  .refine((name) => name !== '__proto__', 'Expected a name that is not reserved')
  .transform((name) => name.toLowerCase());
const PlainHeaderName = HeaderName.refine((name) => !SECRET_HEADERS.includes(name), {
  message: `Expected a header that carries no secret: none of ${SECRET_HEADERS.join(', ')}`,
});

const Preset = words<'pawl' | 'github'>({ pawl: true, github: true });
const InputFrom = words<'body' | 'request'>({ body: true, request: true });

const settings = {
  enabled: z.boolean().optional().meta({ description: 'Default true.' }),
  signatureHeader: HeaderName.optional().meta({ description: 'Default by preset.' }),
  timestampHeader: HeaderName.nullable().optional().meta({
    description: 'Default by preset; null: deliveries carry no time.',
  }),
  deliveryHeader: HeaderName.optional().meta({
    description: 'Names one delivery: two with the same value start one run. Default by preset.',
  }),
  toleranceMs: z.int().min(1_000).max(86_400_000).optional().meta({
    description: 'How far the timestamp of a delivery may be from now. Default five minutes.',
  }),
  inputFrom: InputFrom.optional().meta({
    description: 'The input of the run is the body, or { body, headers, query }. Default body.',
  }),
  headers: z.array(PlainHeaderName).max(50).optional().meta({
    description: 'Headers that the input holds with inputFrom request. Default none.',
  }),
};
/** 16…200 characters that can be typed. */
const Secret = z.string().regex(/^[\x21-\x7e]{16,200}$/, 'Expected 16 to 200 visible ASCII characters');

export const NewWebhook = named(
  'NewWebhook',
  z.strictObject({
    name: WebhookName,
    flow: FlowName,
    preset: Preset.optional().meta({ description: 'How senders sign. Default pawl.' }),
    secret: Secret.optional().meta({ description: 'Default: a new one of 32 random bytes.' }),
    ...settings,
  }),
);

/** Changes of a webhook; what is absent stays as it is. */
export const WebhookChanges = named(
  'WebhookChanges',
  z.strictObject({ flow: FlowName.optional(), ...settings }),
);

export const RotateSecret = named(
  'RotateSecret',
  z.strictObject({
    secret: Secret.optional().meta({ description: 'Default: a new one of 32 random bytes.' }),
    keepOldMs: z.int().min(0).max(2_592_000_000).optional().meta({
      description: 'How long the secret before stays in force. Default a day, at most 30.',
    }),
  }),
);

export const Webhook = named(
  'Webhook',
  z.object({
    name: WebhookName,
    id: Id,
    url: z.string().meta({ description: 'Where deliveries are sent to, on this engine.' }),
    flow: FlowName,
    preset: Preset,
    enabled: z.boolean(),
    signatureHeader: z.string(),
    timestampHeader: z.string().nullable(),
    deliveryHeader: z.string(),
    toleranceMs: z.int(),
    inputFrom: InputFrom,
    headers: list(z.string()),
    secrets: list(z.object({ createdAt: Instant, expiresAt: Instant.optional() })).meta({
      description: 'The secrets in force, newest first; what they are is told once, when they are made.',
    }),
    lastRefusal: z
      .object({ code: z.string(), message: z.string(), at: Instant })
      .optional()
      .meta({ description: 'One of the last deliveries that were refused.' }),
    createdAt: Instant,
    updatedAt: Instant,
  }),
);
export const WebhookPage = page('WebhookPage', Webhook);

/** The one time that a secret is told. */
export const WebhookWithSecret = named(
  'WebhookWithSecret',
  z.object({ webhook: Webhook, secret: z.string() }),
);

/** `duplicate`: the run that the same delivery started before. */
export const Delivered = Started;
