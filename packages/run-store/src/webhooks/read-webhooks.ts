import type { Orm } from '../entities/orm.ts';
import { WebhookEntity } from '../entities/webhook.ts';
import { StoreError } from '../errors.ts';
import { cursorAfterPath, pageOf, pageSize, pathOfCursor } from '../queries/cursor.ts';
import type { Page } from '../store-types.ts';
import { type Webhook, type WebhookRef, type WebhookRow, webhookOf } from './webhook-shapes.ts';

const SIZES = { usual: 50, most: 200 };

/** A webhook, without its secrets. @throws {StoreError} `webhook_not_found` */
export async function getWebhook(orm: Orm, { workspaceId, webhook }: WebhookRef): Promise<Webhook> {
  const row = await orm.fork().findOne(WebhookEntity, { workspaceId, name: webhook });
  if (!row) throw new StoreError('webhook_not_found', { webhook });
  return webhookOf(row, (await secretsOf(orm, [row])).get(row.id) ?? []);
}

/** Webhooks of a workspace by name. @throws {StoreError} `cursor_invalid` */
export async function listWebhooks(
  orm: Orm,
  request: { workspaceId: string; flow?: string; cursor?: string; limit?: number },
): Promise<Page<Webhook>> {
  const size = pageSize(request.limit, SIZES);
  const rows = await orm.fork().find(
    WebhookEntity,
    {
      workspaceId: request.workspaceId,
      ...(request.flow !== undefined && { flowName: request.flow }),
      ...(request.cursor !== undefined && { name: { $gt: pathOfCursor(request.cursor) } }),
    },
    { orderBy: { name: 'asc' }, limit: size + 1 },
  );
  const secrets = await secretsOf(orm, rows);
  const webhooks = rows.map((row) => webhookOf(row, secrets.get(row.id) ?? []));
  return pageOf(webhooks, size, ({ name }) => cursorAfterPath(name));
}

/** When the secrets in force were made and end; not what they are (V13). */
async function secretsOf(orm: Orm, rows: readonly WebhookRow[]): Promise<Map<string, Webhook['secrets']>> {
  const found = await orm.pool.query<{ webhook_id: string; created_at: Date; expires_at: Date | null }>(
    `select webhook_id, created_at, expires_at from webhook_secret
     where webhook_id = any ($1::uuid[]) and (expires_at is null or expires_at > now())
     order by id desc`,
    [rows.map(({ id }) => id)],
  );
  const secrets = new Map<string, { createdAt: string; expiresAt?: string }[]>();
  for (const row of found.rows) {
    const secret = {
      createdAt: row.created_at.toISOString(),
      ...(row.expires_at && { expiresAt: row.expires_at.toISOString() }),
    };
    secrets.set(row.webhook_id, [...(secrets.get(row.webhook_id) ?? []), secret]);
  }
  return secrets;
}
