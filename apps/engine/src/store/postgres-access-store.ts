import {
  changeUser,
  createKey,
  createUser,
  endSession,
  endSessionsOf,
  findByPassword,
  findKey,
  findSession,
  getWorkspace,
  type HotStore,
  isPasswordOf,
  listKeys,
  listUsers,
  type Orm,
  openSession,
  removeUser,
  revokeKey,
  type SessionTimes,
} from '@pawl/run-store';
import type { AccessStore } from '../http/index.ts';

/** What is asked about users, keys and sessions. */
export function postgresAccessStore({
  orm,
  hot,
  sessions,
}: {
  orm: Orm;
  hot: HotStore;
  sessions: SessionTimes;
}): AccessStore {
  return {
    findKey: (key) => findKey(orm, key),
    findSession: (token) => findSession(hot.pool, token, sessions),
    findByPassword: (tried) => findByPassword(orm, tried),
    isPasswordOf: (tried) => isPasswordOf(orm, tried),
    openSession: (owner) => openSession(hot.pool, owner, sessions),
    endSession: (token) => endSession(hot.pool, token),
    endSessionsOf: (owner) => endSessionsOf(hot.pool, owner),
    getWorkspace: (workspaceId) => getWorkspace(orm, workspaceId),
    listUsers: (workspaceId) => listUsers(orm, workspaceId),
    createUser: (request) => createUser(orm, request),
    changeUser: (request) => changeUser(orm, request),
    removeUser: (ref) => removeUser(orm, ref),
    listKeys: (workspaceId) => listKeys(orm, workspaceId),
    createKey: (request) => createKey(orm, request),
    revokeKey: (ref) => revokeKey(orm, ref),
  };
}
