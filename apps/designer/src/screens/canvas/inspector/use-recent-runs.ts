import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';

/** The newest runs of a flow. */
export const useRecentRuns = (flow: string) =>
  useQuery({
    queryKey: ['recent runs', flow],
    queryFn: async ({ signal }) => (await api.listRuns({ query: { flow, limit: 20 }, signal })).items,
    refetchInterval: 15_000,
  });
