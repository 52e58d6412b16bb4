import type { Routes } from '@pawl/api';
import type { SessionOwner } from '@pawl/run-store';
import { ofSession, type Principal, type Proof } from '../access/authenticate.ts';
import { isForeignPage } from '../access/own-page.ts';
import { noSessionCookie, sessionCookie, sessionTokenOf } from '../access/session-cookie.ts';
import type { Call, Handlers } from '../bind-routes.ts';
import { problems } from '../http-problem.ts';
import type { RouteContext } from './context.ts';

type AccessRoutes =
  | 'whoAmI'
  | 'changePassword'
  | 'signIn'
  | 'signOut'
  | 'listUsers'
  | 'createUser'
  | 'changeUser'
  | 'removeUser'
  | 'listKeys'
  | 'createKey'
  | 'revokeKey';

/** Who may what: sessions, users and keys. Whatever takes access away counts at once here, and in other engines a few seconds later. */
export function accessHandlers({ store, guesses, authenticate }: RouteContext): Pick<Handlers, AccessRoutes> {
  const meOf = async (who: Principal) => ({
    name: who.name,
    by: who.by,
    role: who.role,
    workspace: await store.getWorkspace(who.workspaceId),
    signedInWith: wayOf(who),
    ...(who.proof.kind === 'session' && { sessionUntil: who.proof.holder.endsAt }),
  });
  const told = (
    call: Principal & Pick<Call<Routes['whoAmI']>, 'request'>,
    change: Readonly<Record<string, unknown>>,
  ): void => {
    authenticate.forget();
    call.request.log.info({ by: call.by, ...change }, 'access changed');
  };
  return {
    whoAmI: async (call) => ({ status: 200, body: await meOf(call) }),

    signIn: async ({ body, request }) => {
      if (isForeignPage(request)) throw problems.originNotAllowed();
      const found = await guesses.watch(guessOf(body, request.ip), () => holderOf(body));
      if (!found) throw problems.signInFailed();
      const { owner, ...who } = found;
      const { token, endsAt, lastsMs } = await store.openSession(owner);
      const before = sessionTokenOf(request.headers.cookie);
      if (before !== undefined) await store.endSession(before);
      const signedIn = ofSession({ ...who, ...owner, endsAt }, token);
      request.log.info({ by: signedIn.by, address: request.ip }, 'signed in');
      const headers = { 'set-cookie': sessionCookie(token, lastsMs, request) };
      return { status: 200, body: await meOf(signedIn), headers };
    },

    signOut: async (call) => {
      const { proof, query, request } = call;
      const owner = ownerOf(proof);
      let sessions = 0;
      if (owner && query.everywhere === 'true') sessions = await store.endSessionsOf(owner);
      else if (proof.kind === 'session') {
        await store.endSession(proof.token);
        sessions = 1;
      }
      authenticate.forget();
      return { status: 200, body: { sessions }, headers: { 'set-cookie': noSessionCookie(request) } };
    },

    changePassword: async (call) => {
      const { workspaceId, name, proof, body, request } = call;
      if (proof.kind !== 'session' || proof.holder.userId === undefined) throw problems.passwordNotYours();
      const isRight = await guesses.watch(
        { name: `${workspaceId} ${name}`, address: request.ip },
        async () =>
          (await store.isPasswordOf({ workspaceId, name, password: body.current })) ? true : undefined,
      );
      if (!isRight) throw problems.passwordWrong();
      await store.changeUser({
        workspaceId,
        user: name,
        password: body.password,
        keepToken: proof.token,
      });
      told(call, { user: name, password: 'changed' });
      return { status: 200, body: await meOf(call) };
    },

    listUsers: async ({ workspaceId }) => ({
      status: 200,
      body: { items: await store.listUsers(workspaceId) },
    }),

    createUser: async (call) => {
      const { name, ...rest } = call.body;
      const user = await store.createUser({ workspaceId: call.workspaceId, user: name, ...rest });
      told(call, { user: name, role: user.role });
      return { status: 201, body: user };
    },

    changeUser: async (call) => {
      const { workspaceId, params, body, proof } = call;
      const isOwn = call.by === `user:${params.user}`;
      if (isOwn && body.role !== undefined && body.role !== call.role) throw problems.ownAccess('role');
      const keepToken = isOwn && proof.kind === 'session' ? { keepToken: proof.token } : {};
      const user = await store.changeUser({ workspaceId, ...params, ...body, ...keepToken });
      told(call, { user: user.name, role: user.role, ...(body.password && { password: 'changed' }) });
      return { status: 200, body: user };
    },

    removeUser: async (call) => {
      if (call.by === `user:${call.params.user}`) throw problems.ownAccess('user');
      const user = await store.removeUser({ workspaceId: call.workspaceId, ...call.params });
      told(call, { user: user.name, removed: true });
      return { status: 200, body: user };
    },

    listKeys: async ({ workspaceId }) => ({
      status: 200,
      body: { items: await store.listKeys(workspaceId) },
    }),

    createKey: async (call) => {
      const { workspaceId, by, body } = call;
      const made = await store.createKey({ workspaceId, by, ...body });
      told(call, { keyId: made.id, role: made.role });
      return { status: 201, body: made };
    },

    revokeKey: async (call) => {
      const { workspaceId, params, proof } = call;
      if (keyIdOf(proof) === params.keyId.toLowerCase()) throw problems.ownAccess('key');
      const key = await store.revokeKey({ workspaceId, ...params });
      told(call, { keyId: key.id, revoked: true });
      return { status: 200, body: key };
    },
  };

  async function holderOf(tried: Call<Routes['signIn']>['body']) {
    if ('key' in tried) {
      const found = await store.findKey(tried.key.trim());
      return found && { ...found, owner: { keyId: found.keyId } satisfies SessionOwner };
    }
    const found = await store.findByPassword({ ...tried, name: asStored(tried.name) });
    return found && { ...found, owner: { userId: found.userId } satisfies SessionOwner };
  }
}

/** Whose guesses are counted together. */
const guessOf = (tried: Call<Routes['signIn']>['body'], address: string) =>
  'key' in tried ? { address } : { address, name: `${tried.workspace ?? ''} ${asStored(tried.name)}` };

/** However a name is typed, it is one name. */
const asStored = (name: string): string => name.trim().normalize('NFC').toLowerCase();

function wayOf({ proof }: Principal): 'password' | 'key' | 'nothing' {
  if (proof.kind === 'local') return 'nothing';
  return proof.kind === 'session' && proof.holder.userId !== undefined ? 'password' : 'key';
}

const keyIdOf = (proof: Proof): string | undefined =>
  proof.kind === 'key' ? proof.keyId : proof.kind === 'session' ? proof.holder.keyId : undefined;

/** Whose sessions end when who asks signs out everywhere. */
function ownerOf(proof: Proof): SessionOwner | undefined {
  const keyId = keyIdOf(proof);
  if (keyId !== undefined) return { keyId };
  const userId = proof.kind === 'session' ? proof.holder.userId : undefined;
  return userId === undefined ? undefined : { userId };
}
