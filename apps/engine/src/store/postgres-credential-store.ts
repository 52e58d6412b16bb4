import { listCredentials, type Orm, removeCredential, type SealingKey, setCredential } from '@pawl/run-store';
import type { CredentialStore } from '../http/credential-store.ts';

/** What the routes of credentials ask, answered by PostgreSQL. */
export function postgresCredentialStore({
  orm,
  sealingKey,
}: {
  readonly orm: Orm;
  /** Undefined: nothing is stored. */
  readonly sealingKey: SealingKey | undefined;
}): CredentialStore {
  return {
    listCredentials: async (workspaceId) => ({
      items: await listCredentials(orm, workspaceId, sealingKey),
      canStore: sealingKey !== undefined,
    }),
    setCredential: (request) => setCredential(orm, request, sealingKey),
    removeCredential: (ref) => removeCredential(orm, ref, sealingKey),
  };
}
