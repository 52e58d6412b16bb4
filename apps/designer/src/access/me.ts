import { ApiError, type Client } from '@pawl/api';
import { isEnough, type Role } from '@pawl/dag-core';
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { api, queryClient } from '../api/client.ts';
import { useSignedOut } from './signed-out.ts';

/** Who looks at this page. */
export type Me = Awaited<ReturnType<Client['whoAmI']>>;

/** Given by the shell to all that is in it. */
export const MeContext = createContext<Me | undefined>(undefined);

/** Who looks at this page; only below the shell. */
export const useMe = (): Me => useContext(MeContext)!;

/** Whether the role of who looks may do what needs another. */
export const useMay = (needed: Role): boolean => isEnough(useMe().role, needed);

/** Asks the engine who this is, and again now and then: roles change. */
export const useWhoAmI = () =>
  useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => api.whoAmI({ signal }),
    staleTime: 60_000,
    refetchInterval: 60_000,
  });

export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/** Somebody signed in, where `before` was: what another one may not see goes; whoever comes back goes on. */
export function welcome(me: Me, before: Me | undefined): void {
  if (before && (before.by !== me.by || before.workspace.id !== me.workspace.id)) {
    location.reload();
    return;
  }
  useSignedOut.setState({ isOut: false });
  queryClient.setQueryData(['me'], me);
  // What was refused meanwhile goes on as if the network were back.
  dispatchEvent(new Event('online'));
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' });
}

/** Ends the session of this browser, or all of who looks, and begins anew where one signs in. */
export async function signOut(everywhere = false): Promise<void> {
  try {
    await api.signOut({ query: everywhere ? { everywhere: 'true' } : {} });
  } catch (error) {
    // Who is out already wanted just that.
    if (!isSignedOut(error)) throw error;
  }
  location.reload();
}
