import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

/** The credentials of the workspace, for admins: names, never values. */
export const credentialsQuery = queryOptions({
  queryKey: ['credentials'],
  queryFn: ({ signal }) => api.listCredentials({ signal }),
});
