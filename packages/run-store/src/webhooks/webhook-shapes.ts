import type { InferEntity } from '@mikro-orm/postgresql';
import type { WebhookEntity } from '../entities/webhook.ts';

export type WebhookRow = InferEntity<typeof WebhookEntity>;

/** Names a webhook in a workspace. */
export interface WebhookRef {
  readonly workspaceId: string;
  readonly webhook: string;
}

/** How a sender signs: what over, in which form. */
export type WebhookPreset = 'pawl' | 'github';

/** What a person decides about a webhook. Header names in lower case. */
export interface WebhookSettings {
  readonly flow: string;
  readonly enabled: boolean;
  readonly signatureHeader: string;
  /** Null: deliveries carry no time, so old ones cannot be told from new ones. */
  readonly timestampHeader: string | null;
  /** Names one delivery: two with the same value are one. */
  readonly deliveryHeader: string;
  /** How far the timestamp of a delivery may be from now. */
  readonly toleranceMs: number;
  /** The run's input is the body, or `{ body, headers, query }`. */
  readonly inputFrom: 'body' | 'request';
  /** Headers that the input holds with `request`. */
  readonly headers: readonly string[];
}
/** A webhook to be made: all but name and flow has a default. */
export interface NewWebhook extends Partial<WebhookSettings> {
  readonly name: string;
  readonly flow: string;
  readonly preset?: WebhookPreset;
  /** Absent: a new one of 32 random bytes. */
  readonly secret?: string;
}
/** Changes of a webhook; what is absent stays. */
export type WebhookChanges = Partial<WebhookSettings>;

export interface Webhook extends WebhookSettings {
  readonly name: string;
  /** Part of the address that takes deliveries. */
  readonly id: string;
  readonly preset: WebhookPreset;
  /** The secrets in force, newest first; what they are is not told. */
  readonly secrets: readonly { readonly createdAt: string; readonly expiresAt?: string }[];
  /** The last delivery that was refused, or one of the last. */
  readonly lastRefusal?: WebhookRefusal;
  readonly createdAt: string;
  readonly updatedAt: string;
}
export interface WebhookRefusal {
  readonly code: string;
  readonly message: string;
  readonly at: string;
}

const FIVE_MINUTES_MS = 300_000;

/** What a preset says about headers where a person does not. */
export const WEBHOOK_PRESETS = {
  pawl: {
    signatureHeader: 'pawl-signature',
    timestampHeader: 'pawl-timestamp',
    deliveryHeader: 'pawl-delivery',
    toleranceMs: FIVE_MINUTES_MS,
  },
  github: {
    signatureHeader: 'x-hub-signature-256',
    timestampHeader: null,
    deliveryHeader: 'x-github-delivery',
    toleranceMs: FIVE_MINUTES_MS,
  },
} as const satisfies Record<WebhookPreset, Partial<WebhookSettings>>;

export const settingsOf = (row: WebhookRow): WebhookSettings => ({
  flow: row.flowName,
  enabled: row.isEnabled,
  signatureHeader: row.signatureHeader,
  timestampHeader: row.timestampHeader ?? null,
  deliveryHeader: row.deliveryHeader,
  toleranceMs: row.toleranceMs,
  inputFrom: row.inputFrom,
  headers: JSON.parse(row.headerNames) as string[],
});

export const columnsOf = (settings: WebhookSettings) => ({
  flowName: settings.flow,
  isEnabled: settings.enabled,
  signatureHeader: settings.signatureHeader,
  timestampHeader: settings.timestampHeader,
  deliveryHeader: settings.deliveryHeader,
  toleranceMs: settings.toleranceMs,
  inputFrom: settings.inputFrom,
  headerNames: JSON.stringify(settings.headers),
});

export const webhookOf = (row: WebhookRow, secrets: Webhook['secrets']): Webhook => ({
  name: row.name,
  id: row.id,
  preset: row.preset,
  ...settingsOf(row),
  secrets,
  ...(row.lastRefusal && { lastRefusal: JSON.parse(row.lastRefusal) as WebhookRefusal }),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
