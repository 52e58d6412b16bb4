import { createClient } from '@pawl/api';
import { QueryClient } from '@tanstack/react-query';
import { noticingFetch } from '../access/signed-out.ts';

/** The API of the engine that served this page. */
export const api = createClient({ baseUrl: location.origin, fetch: askingWhoAmI });

/** A refusal may mean that the role changed since it was asked for: what is offered follows. */
async function askingWhoAmI(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await noticingFetch(...request);
  if (response.status === 403 && !response.url.endsWith('/v1/me'))
    void queryClient.invalidateQueries({ queryKey: ['me'] });
  return response;
}

/** What the server said, kept while it is on screen. Problems are answers and are not asked about again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < 3 && (error as { code?: string }).code === 'engine_unreachable',
    },
  },
});
