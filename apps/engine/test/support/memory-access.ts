import { randomBytes, randomUUID } from 'node:crypto';
import { ROLES, type Role } from '@pawl/dag-core';
import type { KeySummary, SessionHolder, SessionOwner, UserSummary } from '@pawl/run-store';
import type { AccessStore } from '../../src/http/access/access-store.ts';
import { refusal } from './refusal.ts';

export const HOME = '00000000-0000-7000-8000-000000000001';
const ELSEWHERE = '00000000-0000-7000-8000-0000000000ff';
export const HOME_KEY = 'pawl_home0123456789abcdefghij';
export const ELSEWHERE_KEY = 'pawl_elsewhere0123456789abcde';
/** A key of the home workspace with a role. */
export const keyOf = (role: Role): string => `pawl_only_${role}_0123456789abcdef`;

const AT = '2026-01-02T03:04:05.000Z';

interface KeptKey extends KeySummary {
  readonly key: string;
  readonly workspaceId: string;
}
interface KeptUser {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  role: Role;
  password: string;
}
type Given<N extends keyof AccessStore> = Parameters<AccessStore[N]>[0];

const aKey = (key: string, name: string, workspaceId: string, role: Role): KeptKey => ({
  id: randomUUID(),
  key,
  name,
  workspaceId,
  role,
  prefix: key.slice(0, 11),
  createdAt: AT,
});

/** Users, keys and sessions of two workspaces in memory; `now` is its clock. */
export class MemoryAccess {
  readonly keys: KeptKey[] = [
    aKey(HOME_KEY, 'home', HOME, 'admin'),
    aKey(ELSEWHERE_KEY, 'elsewhere', ELSEWHERE, 'admin'),
    ...ROLES.map((role) => aKey(keyOf(role), role, HOME, role)),
  ];
  users: KeptUser[] = [];
  readonly sessions = new Map<string, { readonly owner: SessionOwner; endsAt: number }>();
  readonly sessionMs = 3_600_000;
  now = (): number => Date.now();
  passwordLooks = 0;

  #keyOf(key: KeptKey | undefined) {
    if (!key || key.revokedAt) return undefined;
    return { keyId: key.id, name: key.name, workspaceId: key.workspaceId, role: key.role };
  }
  findKey(key: string) {
    return this.#keyOf(this.keys.find((each) => each.key === key));
  }
  findSession(token: string): SessionHolder | undefined {
    const session = this.sessions.get(token);
    if (!session || session.endsAt <= this.now()) return undefined;
    const { owner } = session;
    const endsAt = new Date(session.endsAt).toISOString();
    if ('keyId' in owner) {
      const holder = this.#keyOf(this.keys.find(({ id }) => id === owner.keyId));
      return holder && { ...holder, endsAt };
    }
    const user = this.users.find(({ id }) => id === owner.userId);
    return user && { ...holderOf(user), endsAt };
  }
  findByPassword({ workspace, name, password }: Given<'findByPassword'>) {
    this.passwordLooks += 1;
    const workspaceId = workspace === 'elsewhere' ? ELSEWHERE : workspace === undefined ? HOME : '';
    const user = this.users.find((each) => each.workspaceId === workspaceId && each.name === name);
    return user?.password === password ? holderOf(user) : undefined;
  }
  isPasswordOf({ workspaceId, name, password }: Given<'isPasswordOf'>): boolean {
    this.passwordLooks += 1;
    return this.#find({ workspaceId, user: name }).password === password;
  }
  openSession(owner: SessionOwner) {
    const token = randomBytes(32).toString('base64url');
    const endsAt = this.now() + this.sessionMs;
    this.sessions.set(token, { owner, endsAt });
    return { token, endsAt: new Date(endsAt).toISOString(), lastsMs: this.sessionMs };
  }
  endSession(token: string): void {
    this.sessions.delete(token);
  }
  endSessionsOf(owner: SessionOwner, keepToken?: string): number {
    const ended = [...this.sessions].filter(
      ([token, session]) => JSON.stringify(session.owner) === JSON.stringify(owner) && token !== keepToken,
    );
    for (const [token] of ended) this.sessions.delete(token);
    return ended.length;
  }
  getWorkspace(id: string) {
    return { id, name: id === HOME ? 'default' : 'elsewhere' };
  }

  #find({ workspaceId, user }: { workspaceId: string; user: string }): KeptUser {
    const found = this.users.find((each) => each.workspaceId === workspaceId && each.name === user);
    if (!found) throw refusal('user_not_found', `There is no user ${user} in this workspace.`);
    return found;
  }
  #shown({ id, name, role }: KeptUser): UserSummary {
    const sessions = [...this.sessions.values()].filter(
      ({ owner }) => 'userId' in owner && owner.userId === id,
    ).length;
    return { name, role, createdAt: AT, sessions };
  }
  listUsers(workspaceId: string): UserSummary[] {
    return this.users.filter((each) => each.workspaceId === workspaceId).map((user) => this.#shown(user));
  }
  createUser({ workspaceId, user: name, role, password }: Given<'createUser'>): UserSummary {
    if (this.users.some((each) => each.workspaceId === workspaceId && each.name === name))
      throw refusal('user_exists', `There already is a user ${name} in this workspace.`);
    const user = { id: randomUUID(), workspaceId, name, role, password };
    this.users.push(user);
    return this.#shown(user);
  }
  changeUser({ role, password, keepToken, ...ref }: Given<'changeUser'>): UserSummary {
    const user = this.#find(ref);
    if (role) user.role = role;
    if (password !== undefined) {
      user.password = password;
      this.endSessionsOf({ userId: user.id }, keepToken);
    }
    return this.#shown(user);
  }
  removeUser(ref: Given<'removeUser'>): UserSummary {
    const user = this.#find(ref);
    const shown = this.#shown(user);
    this.endSessionsOf({ userId: user.id });
    this.users = this.users.filter((each) => each !== user);
    return shown;
  }

  listKeys(workspaceId: string): KeySummary[] {
    return this.keys.filter((each) => each.workspaceId === workspaceId).map(summaryOf);
  }
  createKey({ workspaceId, name, role, by }: Given<'createKey'>) {
    const key = `pawl_${randomBytes(32).toString('base64url')}`;
    const kept = { ...aKey(key, name, workspaceId, role), createdBy: by };
    this.keys.push(kept);
    return { ...summaryOf(kept), key };
  }
  revokeKey({ workspaceId, keyId }: Given<'revokeKey'>): KeySummary {
    const place = this.keys.findIndex(
      (each) => each.workspaceId === workspaceId && each.id === keyId && !each.revokedAt,
    );
    if (place < 0) throw refusal('key_not_found', `There is no key ${keyId} in force in this workspace.`);
    this.keys[place] = { ...this.keys[place]!, revokedAt: AT };
    return summaryOf(this.keys[place]!);
  }
}

const holderOf = ({ id, name, workspaceId, role }: KeptUser) => ({ userId: id, name, workspaceId, role });
const summaryOf = ({ key: _key, workspaceId: _workspaceId, ...summary }: KeptKey): KeySummary => summary;
