import type { Role } from '@pawl/dag-core';
import type {
  KeyHolder,
  KeySummary,
  OpenedSession,
  SessionHolder,
  SessionOwner,
  UserHolder,
  UserRef,
  UserSummary,
  Workspace,
} from '@pawl/run-store';

/** What asking who asks, and the routes of users, keys and sessions, need of the store; see `EngineStore` for what holds of all. */
export interface AccessStore {
  /** Who a key (as it was sent) speaks for; undefined when it is unknown or revoked. */
  findKey(key: string): Promise<KeyHolder | undefined>;
  /** Who a session speaks for; undefined when it is unknown or has ended. */
  findSession(token: string): Promise<SessionHolder | undefined>;
  /** Who name and password speak for; takes as long for nobody as for a wrong password. */
  findByPassword(tried: {
    readonly workspace?: string;
    readonly name: string;
    readonly password: string;
  }): Promise<UserHolder | undefined>;
  isPasswordOf(tried: {
    readonly workspaceId: string;
    readonly name: string;
    readonly password: string;
  }): Promise<boolean>;
  openSession(owner: SessionOwner): Promise<OpenedSession>;
  endSession(token: string): Promise<void>;
  /** Gives how many ended. */
  endSessionsOf(owner: SessionOwner): Promise<number>;
  getWorkspace(workspaceId: string): Promise<Workspace>;

  listUsers(workspaceId: string): Promise<readonly UserSummary[]>;
  /** @throws `user_exists` */
  createUser(request: UserRef & { readonly role: Role; readonly password: string }): Promise<UserSummary>;
  /** A new password ends the sessions of the user, but for the one whose token is kept. @throws `user_not_found` */
  changeUser(
    request: UserRef & { readonly role?: Role; readonly password?: string; readonly keepToken?: string },
  ): Promise<UserSummary>;
  /** @throws `user_not_found` */
  removeUser(ref: UserRef): Promise<UserSummary>;

  listKeys(workspaceId: string): Promise<readonly KeySummary[]>;
  /** The key is told this once. */
  createKey(request: {
    readonly workspaceId: string;
    readonly name: string;
    readonly role: Role;
    readonly by: string;
  }): Promise<KeySummary & { readonly key: string }>;
  /** @throws `key_not_found` */
  revokeKey(ref: { readonly workspaceId: string; readonly keyId: string }): Promise<KeySummary>;
}
