import type {
  Hook,
  NewWebhook,
  Page,
  Webhook,
  WebhookChanges,
  WebhookRef,
  WebhookWithSecret,
} from '@pawl/run-store';

/** What the routes of webhooks need of the store; see `EngineStore` for what holds of all. */
export interface WebhookStore {
  /** By name. @throws `cursor_invalid` */
  listWebhooks(request: {
    readonly workspaceId: string;
    readonly flow?: string;
    readonly cursor?: string;
    readonly limit?: number;
  }): Promise<Page<Webhook>>;
  /** @throws `webhook_exists`, `flow_not_found` */
  createWebhook(request: {
    readonly workspaceId: string;
    readonly spec: NewWebhook;
  }): Promise<WebhookWithSecret>;
  /** @throws `webhook_not_found` */
  getWebhook(ref: WebhookRef): Promise<Webhook>;
  /** @throws `webhook_not_found`, `flow_not_found` */
  changeWebhook(request: WebhookRef & { readonly changes: WebhookChanges }): Promise<Webhook>;
  /** @throws `webhook_not_found` */
  deleteWebhook(ref: WebhookRef): Promise<void>;
  /** @throws `webhook_not_found` */
  rotateWebhookSecret(
    request: WebhookRef & { readonly secret?: string; readonly keepOldMs?: number },
  ): Promise<WebhookWithSecret>;
  /** The webhook that takes deliveries under an id, of whatever workspace; undefined when there is none or it is off. */
  findHook(webhookId: string): Promise<Hook | undefined>;
  /** Kept for the owner of the webhook to see. */
  noteRefusal(webhookId: string, refusal: { readonly code: string; readonly message: string }): Promise<void>;
}
