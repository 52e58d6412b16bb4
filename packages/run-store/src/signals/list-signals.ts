import type { Orm } from '../entities/orm.ts';
import { StoreError } from '../errors.ts';
import { pageOf, pageSize } from '../queries/cursor.ts';
import type { Page } from '../store-types.ts';
import type { KeptSignal } from './signal-shapes.ts';

const SIZES = { usual: 50, most: 200 };

/** Which kept signals are listed. */
export interface SignalFilter {
  readonly name?: string;
  /** Opaque, from the previous page. Oldest first. */
  readonly cursor?: string;
  /** 1…200, default 50. */
  readonly limit?: number;
}

/**
 * Signals of a workspace that nobody has taken yet, oldest first. Index: signal_named.
 *
 * @throws {StoreError} `cursor_invalid`
 */
export async function listSignals(
  orm: Orm,
  workspaceId: string,
  { name, cursor, limit }: SignalFilter = {},
): Promise<Page<KeptSignal>> {
  const size = pageSize(limit, SIZES);
  const { rows } = await orm.pool.query(
    `select id, seq::float8 as seq, name, key, sent_by, sent_at, expires_at, to_run_id from signal
     where workspace_id = $1 and ($2::text is null or name = $2) and run_id is null and expires_at > now() and seq > $3
     order by seq limit $4`,
    [workspaceId, name ?? null, cursor === undefined ? 0 : seqOf(cursor), size + 1],
  );
  const page = pageOf(rows, size, ({ seq }) => Buffer.from(String(seq)).toString('base64url'));
  const items = page.items.map(
    (row): KeptSignal => ({
      id: row.id,
      name: row.name,
      key: row.key,
      by: row.sent_by,
      sentAt: row.sent_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
      ...(row.to_run_id && { toRun: row.to_run_id }),
    }),
  );
  return { items, ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) };
}

/** @throws {StoreError} `cursor_invalid` */
function seqOf(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new StoreError('cursor_invalid');
  return Number(text);
}
