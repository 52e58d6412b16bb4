import { type HotPool, runStatement, type Statement } from '../hot-pool.ts';
import { isId } from '../ids.ts';
import type { WebhookPreset, WebhookSettings } from '../webhooks/webhook-shapes.ts';

const find: Statement = {
  name: 'find-hook',
  text: `
select w.id, w.workspace_id as "workspaceId", w.name, w.flow_name as flow, w.preset, w.signature_header as "signatureHeader",
  w.timestamp_header as "timestampHeader", w.delivery_header as "deliveryHeader", w.tolerance_ms as "toleranceMs",
  w.input_from as "inputFrom", w.header_names as headers, (extract(epoch from now()) * 1000)::float8 as "nowMs",
  array(
    select s.secret from webhook_secret s
    where s.webhook_id = w.id and (s.expires_at is null or s.expires_at > now())
    order by s.id desc
  ) as secrets
from webhook w where w.id = $1 and w.is_enabled`,
};

/** A webhook as a delivery needs it. */
export interface Hook extends Omit<WebhookSettings, 'enabled'> {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly preset: WebhookPreset;
  /** In force, newest first. */
  readonly secrets: readonly string[];
  /** The clock of the database, epoch milliseconds. */
  readonly nowMs: number;
}

/** The webhook that takes deliveries under an id; undefined when there is none or it is switched off. Indexes: primary keys. */
export async function findHook(pool: HotPool, id: string): Promise<Hook | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await runStatement<Hook>(pool, find, [id]);
  return row;
}

const refused: Statement = {
  name: 'note-refusal',
  text: 'update webhook set last_refusal = $2 where id = $1',
};

/** Keeps why a delivery was refused, for the owner of the webhook to see. Index: primary key. */
export async function noteRefusal(
  pool: HotPool,
  id: string,
  refusal: { readonly code: string; readonly message: string },
): Promise<void> {
  const at = new Date().toISOString();
  await runStatement(pool, refused, [id, JSON.stringify({ ...refusal, at })]);
}
