import type { CredentialSummary } from '@pawl/run-store';
import type { CredentialStore } from '../../src/http/credential-store.ts';
import { refusal } from './refusal.ts';

/** Credentials of all workspaces in memory. `canStore`: whether there is a key to seal them with. */
export class MemoryCredentials {
  canStore = true;
  readonly values = new Map<string, string>();
  readonly #shown = new Map<string, Map<string, CredentialSummary>>();

  list(workspaceId: string): Awaited<ReturnType<CredentialStore['listCredentials']>> {
    return { items: [...this.#of(workspaceId).values()], canStore: this.canStore };
  }

  set({ workspaceId, credential, value, by }: Parameters<CredentialStore['setCredential']>[0]) {
    if (!this.canStore) throw refusal('credentials_off', 'There is no PAWL_SECRET_KEY.');
    const shown = { name: credential, setBy: by, setAt: '2026-01-02T03:04:05.000Z', isReadable: true };
    this.values.set(`${workspaceId}/${credential}`, value);
    this.#of(workspaceId).set(credential, shown);
    return shown;
  }

  remove({ workspaceId, credential }: Parameters<CredentialStore['removeCredential']>[0]): CredentialSummary {
    const shown = this.#of(workspaceId).get(credential);
    if (!shown) throw refusal('credential_not_found', `There is no credential ${credential}.`);
    this.#of(workspaceId).delete(credential);
    return shown;
  }

  #of(workspaceId: string): Map<string, CredentialSummary> {
    const own = this.#shown.get(workspaceId) ?? new Map<string, CredentialSummary>();
    this.#shown.set(workspaceId, own);
    return own;
  }
}
