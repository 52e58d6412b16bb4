import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { toolsQuery } from '../api/tools.ts';
import type { InboxView } from '../app/addresses.ts';
import { toolRef } from '../tools/tool-ref.ts';

/** Changes are told as they happen; this is for what was lost on the way. */
const EVERY_MS = 15_000;

/** What waits for a person, oldest first. */
export function useInbox({ kind, flow, who }: Pick<InboxView, 'kind' | 'flow' | 'who'>) {
  return useInfiniteQuery({
    queryKey: ['inbox', 'list', kind, flow, who],
    queryFn: ({ pageParam, signal }) =>
      api.listInbox({
        query: {
          // Who opens a question gets its evidence.
          values: 'none',
          ...(kind && { kind }),
          ...(flow && { flow }),
          ...(who === 'mine' && { mine: 'true' }),
          ...(pageParam && { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: EVERY_MS,
  });
}

/** One question in any state, with its evidence as it is now. */
export function useQuestion(question: string) {
  return useQuery({
    queryKey: ['inbox', 'question', question],
    queryFn: ({ signal }) => api.getQuestion({ params: { question }, signal }),
    refetchInterval: ({ state }) => (state.data === undefined || state.data.state === 'open') && EVERY_MS,
  });
}

/** How much waits: a number, `99+` beyond that; nothing while it is not known or nothing waits. */
export function useInboxCount(): string | undefined {
  const { data } = useQuery({
    queryKey: ['inbox', 'count'],
    queryFn: ({ signal }) => api.countInbox({ signal }),
    refetchInterval: EVERY_MS,
  });
  if (!data || data.count === 0) return undefined;
  return data.count > 99 ? '99+' : String(data.count);
}

/** The tool with the name that an effect says: `<name>@<version>`. */
export function useTool(target: string | undefined) {
  const { data } = useQuery({ ...toolsQuery, enabled: target !== undefined });
  return data?.items.find((tool) => toolRef(tool) === target);
}
