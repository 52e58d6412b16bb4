import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

/** The tools that workers have offered. */
export const toolsQuery = queryOptions({
  queryKey: ['tools'],
  queryFn: ({ signal }) => api.listTools({ signal }),
  staleTime: 60_000,
});
