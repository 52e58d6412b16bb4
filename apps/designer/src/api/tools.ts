import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

/** The tools that workers have offered. */
export const toolsQuery = queryOptions({
  queryKey: ['tools'],
  queryFn: ({ signal }) => api.listTools({ signal }),
  staleTime: 60_000,
});

/** Who calls a tool, and how its calls went. @param tool `<name>@<version>` */
export const toolUseQuery = (tool: string) =>
  queryOptions({
    queryKey: ['tools', tool, 'use'],
    queryFn: ({ signal }) => api.getToolUse({ params: { tool }, signal }),
  });
