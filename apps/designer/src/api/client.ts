import './no-eval.ts';
import { createClient } from '@pawl/api';
import { QueryClient } from '@tanstack/react-query';
import { noticingFetch } from '../access/signed-out.ts';

/** The API of the engine that served this page. */
export const api = createClient({ baseUrl: location.origin, fetch: noticingFetch });

/** What the server said, kept while it is on screen. Problems are answers and are not asked about again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < 3 && (error as { code?: string }).code === 'engine_unreachable',
    },
  },
});
