import { create } from 'zustand';

/** Whether the engine no longer knows who this is: what is on screen stays, and somebody signs in again. */
export const useSignedOut = create<{ readonly isOut: boolean }>(() => ({ isOut: false }));

/** Fetches, and notices when an answer says that nobody is signed in. A failed try to sign in says so itself. */
export const noticingFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const isTry = response.url.endsWith('/v1/session') && init?.method === 'POST';
  if (response.status === 401 && !isTry) useSignedOut.setState({ isOut: true });
  return response;
};
