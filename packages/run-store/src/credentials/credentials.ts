import type { Orm } from '../entities/orm.ts';
import { StoreError } from '../errors.ts';
import type { SealingKey } from './sealing-key.ts';

/** What may be shown of a credential: never its value, nor a part of it. */
export interface CredentialSummary {
  readonly name: string;
  readonly setBy: string;
  /** ISO 8601. */
  readonly setAt: string;
  /** Whether the key of this process opens it. */
  readonly isReadable: boolean;
}

/** Names a credential in a workspace. */
export interface CredentialRef {
  readonly workspaceId: string;
  readonly credential: string;
}

interface Row {
  readonly name: string;
  readonly setBy: string;
  readonly setAt: Date;
  readonly keyId: string;
}

const SHOWN = 'name, set_by as "setBy", set_at as "setAt", key_id as "keyId"';

/** The credentials of a workspace by name. Index: credential's primary key. */
export async function listCredentials(
  { pool }: Orm,
  workspaceId: string,
  key: SealingKey | undefined,
): Promise<CredentialSummary[]> {
  const { rows } = await pool.query<Row>(
    `select ${SHOWN} from credential where workspace_id = $1 order by name`,
    [workspaceId],
  );
  return rows.map((row) => summaryOf(row, key));
}

/**
 * Keeps a value under a name, sealed, in the place of the one before.
 *
 * @throws {StoreError} `credentials_off` without a key: nothing is stored then
 */
export async function setCredential(
  { pool }: Orm,
  { workspaceId, credential, value, by }: CredentialRef & { readonly value: string; readonly by: string },
  key: SealingKey | undefined,
): Promise<CredentialSummary> {
  if (!key) throw new StoreError('credentials_off', undefined);
  const sealed = key.seal(value, { workspaceId, name: credential });
  const { rows } = await pool.query<Row>(
    `insert into credential (workspace_id, name, key_id, sealed, set_by)
     values ($1, $2, $3, $4, $5)
     on conflict (workspace_id, name) do update
     set key_id = excluded.key_id, sealed = excluded.sealed, set_by = excluded.set_by, set_at = now()
     returning ${SHOWN}`,
    [workspaceId, credential, key.id, sealed, by],
  );
  return summaryOf(rows[0]!, key);
}

/** Forgets a credential; where the environment of workers has a secret of its name, that counts again. @throws {StoreError} `credential_not_found` */
export async function removeCredential(
  { pool }: Orm,
  { workspaceId, credential }: CredentialRef,
  key: SealingKey | undefined,
): Promise<CredentialSummary> {
  const { rows } = await pool.query<Row>(
    `delete from credential where workspace_id = $1 and name = $2 returning ${SHOWN}`,
    [workspaceId, credential],
  );
  if (!rows[0]) throw new StoreError('credential_not_found', { credential });
  return summaryOf(rows[0], key);
}

const summaryOf = ({ name, setBy, setAt, keyId }: Row, key: SealingKey | undefined): CredentialSummary => ({
  name,
  setBy,
  setAt: setAt.toISOString(),
  isReadable: keyId === key?.id,
});
