import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../../api/client.ts';

/** How many earlier runs are offered, and node runs looked at. */
const RUNS = 20;
const NODE_RUNS = 1_000;

/** Earlier runs of a flow that have ended, newest first. */
export function useEarlierRuns(flow: string) {
  const { data, isPending } = useQuery({
    queryKey: ['runs', 'ended', flow],
    queryFn: ({ signal }) =>
      api.listRuns({
        query: { flow, limit: RUNS, status: ['succeeded', 'partial', 'failed', 'cancelled'] },
        signal,
      }),
    staleTime: 0,
  });
  return { runs: data?.items ?? [], isPending };
}

/** What an earlier run recorded: for each node the first of its node runs that succeeded. */
export function useRecorded(runId: string | undefined): ReadonlyMap<string, string> {
  const { data } = useQuery({
    queryKey: ['node-runs', runId],
    queryFn: ({ signal }) =>
      api.listNodeRuns({ params: { runId: runId! }, query: { limit: NODE_RUNS }, signal }),
    enabled: runId !== undefined,
    staleTime: 60_000,
  });
  return useMemo(() => {
    const found = new Map<string, string>();
    for (const { path, nodeId, status } of data?.items ?? [])
      if (status === 'succeeded' && path.slice(path.lastIndexOf('/') + 1) === nodeId && !found.has(nodeId))
        found.set(nodeId, path);
    return found;
  }, [data]);
}

/** What an earlier run was started with; undefined while it is not known. */
export function useInputOf(runId: string | undefined) {
  const { data, isPending } = useQuery({
    queryKey: ['run', runId, 'input'],
    queryFn: ({ signal }) => api.getRun({ params: { runId: runId! }, signal }),
    enabled: runId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { input: data?.input, isPending: runId !== undefined && isPending };
}
