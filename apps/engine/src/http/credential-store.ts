import type { CredentialRef, CredentialSummary } from '@pawl/run-store';

/** What the routes of credentials need of the store; see `EngineStore` for what holds of all. Values go in and never out. */
export interface CredentialStore {
  listCredentials(
    workspaceId: string,
  ): Promise<{ readonly items: readonly CredentialSummary[]; readonly canStore: boolean }>;
  /** @throws `credentials_off` */
  setCredential(
    request: CredentialRef & { readonly value: string; readonly by: string },
  ): Promise<CredentialSummary>;
  /** @throws `credential_not_found` */
  removeCredential(ref: CredentialRef): Promise<CredentialSummary>;
}
