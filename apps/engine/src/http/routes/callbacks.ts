import type { Handlers } from '../bind-routes.ts';
import type { RouteContext } from './context.ts';

/** What services say later about calls that they took. */
export function callbackHandlers({ store }: RouteContext): Pick<Handlers, 'callBack'> {
  return {
    callBack: async ({ params: { token }, body }) => ({
      status: 200,
      body: await store.receiveCallback({ token, body }),
    }),
  };
}
