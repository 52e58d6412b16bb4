import { randomUUID } from 'node:crypto';
import type { Hook, NewWebhook, Webhook, WebhookChanges, WebhookRef } from '@pawl/run-store';
import type { MemoryFlows } from './memory-flows.ts';
import { refusal } from './refusal.ts';

const AT = '2026-01-02T03:04:05.000Z';
/** What the clock of the store shows. */
export const NOW_MS = Date.parse(AT);

const PRESETS = {
  pawl: {
    signatureHeader: 'pawl-signature',
    timestampHeader: 'pawl-timestamp',
    deliveryHeader: 'pawl-delivery',
  },
  github: {
    signatureHeader: 'x-hub-signature-256',
    timestampHeader: null,
    deliveryHeader: 'x-github-delivery',
  },
};

/** Webhooks in memory. */
export class MemoryWebhooks {
  readonly #flows: MemoryFlows;
  readonly webhooks = new Map<string, { webhook: Webhook; secrets: string[] }>();
  readonly refusals: { webhookId: string; code: string; message: string }[] = [];

  constructor(flows: MemoryFlows) {
    this.#flows = flows;
  }

  list(workspaceId: string): Webhook[] {
    return [...this.webhooks]
      .filter(([key]) => key.startsWith(`${workspaceId} `))
      .map(([, { webhook }]) => webhook);
  }

  find({ workspaceId, webhook }: WebhookRef) {
    const found = this.webhooks.get(`${workspaceId} ${webhook}`);
    if (!found) throw refusal('webhook_not_found', `There is no webhook ${webhook} in this workspace.`);
    return found;
  }

  create(workspaceId: string, spec: NewWebhook): { webhook: Webhook; secret: string } {
    this.#flows.get({ workspaceId, flow: spec.flow });
    const key = `${workspaceId} ${spec.name}`;
    if (this.webhooks.has(key)) throw refusal('webhook_exists', `There already is a webhook ${spec.name}.`);
    const { secret = `whsec_${randomUUID()}`, preset = 'pawl', ...given } = spec;
    const webhook: Webhook = {
      id: randomUUID(),
      preset,
      enabled: true,
      ...PRESETS[preset],
      toleranceMs: 300_000,
      inputFrom: 'body',
      headers: [],
      ...given,
      secrets: [{ createdAt: AT }],
      createdAt: AT,
      updatedAt: AT,
    };
    this.webhooks.set(key, { webhook, secrets: [secret] });
    return { webhook, secret };
  }

  change(ref: WebhookRef, changes: WebhookChanges): Webhook {
    const found = this.find(ref);
    found.webhook = { ...found.webhook, ...changes };
    return found.webhook;
  }

  rotate({
    secret = `whsec_${randomUUID()}`,
    keepOldMs,
    ...ref
  }: WebhookRef & { secret?: string; keepOldMs?: number }) {
    const found = this.find(ref);
    found.secrets = [secret, ...(keepOldMs === 0 ? [] : found.secrets.slice(0, 1))];
    return { webhook: found.webhook, secret };
  }

  delete(ref: WebhookRef): void {
    this.find(ref);
    this.webhooks.delete(`${ref.workspaceId} ${ref.webhook}`);
  }

  hook(id: string): Hook | undefined {
    for (const [key, { webhook, secrets }] of this.webhooks) {
      if (webhook.id !== id || !webhook.enabled) continue;
      return { ...webhook, workspaceId: key.split(' ')[0]!, secrets, nowMs: NOW_MS };
    }
    return undefined;
  }
}
