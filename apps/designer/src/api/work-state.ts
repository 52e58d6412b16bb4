import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

/** Who works and what waits; asked again while somebody looks. */
export const workStateQuery = queryOptions({
  queryKey: ['work-state'],
  queryFn: ({ signal }) => api.getWorkState({ signal }),
  refetchInterval: 3_000,
});
