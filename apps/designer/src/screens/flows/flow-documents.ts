import type { FlowDocument, Json } from '@pawl/dag-core';
import { useQuery } from '@tanstack/react-query';
import { api, queryClient } from '../../api/client.ts';
import { diffFlows, type FlowDiff } from '../../editor/index.ts';
import { isDrawable } from '../../graph/flow-preview.tsx';

/** The document of a version; of `draft`, what is given. */
export function useDocument(flow: string, version: string | undefined, draft: Json | undefined) {
  return useQuery({
    queryKey: ['document', flow, version, version === 'draft' ? draft : undefined],
    queryFn: async ({ signal }): Promise<unknown> =>
      version === 'draft'
        ? draft
        : (await api.getVersion({ params: { flow, versionId: version! }, signal })).document,
    enabled: version === 'draft' ? draft !== undefined : version !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
}

/** Undefined where one of them cannot be compared. */
export function differencesOf(before: unknown, after: unknown): FlowDiff | undefined {
  return isDrawable(before) && isDrawable(after)
    ? diffFlows(before as FlowDocument, after as FlowDocument)
    : undefined;
}

/** Replaces a draft that is still at `revision`. */
export async function saveDraft(flow: string, revision: number, document: Json): Promise<void> {
  await api.saveDraft({
    params: { flow },
    headers: { 'if-match': `"${revision}"` },
    body: document as never,
  });
  await queryClient.invalidateQueries({ queryKey: ['flow', flow] });
}
