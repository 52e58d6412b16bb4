import { randomBytes } from 'node:crypto';
import { LockMode, raw, UniqueConstraintViolationException } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { Orm } from '../entities/orm.ts';
import { WebhookEntity } from '../entities/webhook.ts';
import { WebhookSecretEntity } from '../entities/webhook-secret.ts';
import { StoreError } from '../errors.ts';
import { findFlow } from '../flows/flow-shapes.ts';
import { newId } from '../ids.ts';
import { getWebhook } from './read-webhooks.ts';
import {
  columnsOf,
  type NewWebhook,
  settingsOf,
  WEBHOOK_PRESETS,
  type Webhook,
  type WebhookChanges,
  type WebhookRef,
} from './webhook-shapes.ts';

// A secret is kept as it is, because whoever checks a signature must be able to make it; it is told once and never read for
// anything but that (V13).

/** A webhook with the secret that was just made: the one time that it is told. */
export interface WebhookWithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

/** How long the secret before stays in force when it is replaced. */
const KEEP_OLD_MS = 86_400_000;
/** Secrets in force at once: the newest, and the one that senders are moving away from. */
const MOST_SECRETS = 2;

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`;

/**
 * Makes a webhook, with its first secret.
 *
 * @throws {StoreError} `webhook_exists`, `flow_not_found`
 */
export async function createWebhook(
  orm: Orm,
  { workspaceId, spec }: { workspaceId: string; spec: NewWebhook },
): Promise<WebhookWithSecret> {
  const { name, preset = 'pawl', secret = newSecret(), ...given } = spec;
  const id = newId();
  await orm.fork().transactional(async (em) => {
    await findFlow(em, { workspaceId, flow: spec.flow });
    try {
      await em.insert(WebhookEntity, {
        id,
        workspaceId,
        name,
        preset,
        ...columnsOf({ enabled: true, inputFrom: 'body', headers: [], ...WEBHOOK_PRESETS[preset], ...given }),
        createdAt: raw('now()'),
        updatedAt: raw('now()'),
      });
    } catch (error) {
      if (error instanceof UniqueConstraintViolationException)
        throw new StoreError('webhook_exists', { webhook: name }, { cause: error });
      throw error;
    }
    await insertSecret(em, id, secret);
  });
  return { webhook: await getWebhook(orm, { workspaceId, webhook: name }), secret };
}

/** Changes a webhook; what is absent stays. @throws {StoreError} `webhook_not_found`, `flow_not_found` */
export async function changeWebhook(
  orm: Orm,
  { changes, ...ref }: WebhookRef & { changes: WebhookChanges },
): Promise<Webhook> {
  await orm.fork().transactional(async (em) => {
    const row = await lockWebhook(em, ref);
    if (changes.flow !== undefined) await findFlow(em, { workspaceId: ref.workspaceId, flow: changes.flow });
    await em.nativeUpdate(
      WebhookEntity,
      { id: row.id },
      { ...columnsOf({ ...settingsOf(row), ...changes }), updatedAt: raw('now()') },
    );
  });
  return getWebhook(orm, ref);
}

/**
 * Gives a webhook a new secret. The one before stays in force for a while, so that senders can move to the new one; older
 * ones end at once.
 *
 * @param request.secret    absent: a new one of 32 random bytes
 * @param request.keepOldMs how long the one before stays in force; default a day, 0 ends it at once
 * @throws {StoreError} `webhook_not_found`
 */
export async function rotateWebhookSecret(
  orm: Orm,
  request: WebhookRef & { secret?: string; keepOldMs?: number },
): Promise<WebhookWithSecret> {
  const { workspaceId, webhook, secret = newSecret(), keepOldMs = KEEP_OLD_MS } = request;
  await orm.fork().transactional(async (em) => {
    const { id } = await lockWebhook(em, { workspaceId, webhook });
    await em.execute(
      `update webhook_secret set expires_at = least(expires_at, now() + ? * interval '1 millisecond')
       where webhook_id = ?`,
      [keepOldMs, id],
    );
    await em.execute(
      `delete from webhook_secret where webhook_id = ? and (expires_at <= now() or id not in (
         select id from webhook_secret where webhook_id = ? order by id desc limit ?))`,
      [id, id, MOST_SECRETS - 1],
    );
    await insertSecret(em, id, secret);
  });
  return { webhook: await getWebhook(orm, { workspaceId, webhook }), secret };
}

/** Removes a webhook: its address answers 404 from now on; its runs stay. @throws {StoreError} `webhook_not_found` */
export async function deleteWebhook(orm: Orm, { workspaceId, webhook }: WebhookRef): Promise<void> {
  const count = await orm.fork().nativeDelete(WebhookEntity, { workspaceId, name: webhook });
  if (count === 0) throw new StoreError('webhook_not_found', { webhook });
}

const insertSecret = (em: SqlEntityManager, webhookId: string, secret: string): Promise<unknown> =>
  em.insert(WebhookSecretEntity, { webhookId, id: newId(), secret, createdAt: raw('now()') });

async function lockWebhook(em: SqlEntityManager, { workspaceId, webhook }: WebhookRef) {
  const where = { workspaceId, name: webhook };
  const row = await em.findOne(WebhookEntity, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!row) throw new StoreError('webhook_not_found', { webhook });
  return row;
}
