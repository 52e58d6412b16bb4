import { DraftDocument } from '@pawl/api';
import { type JsonObject, parseJson } from '@pawl/dag-core';
import type { EngineStore } from '../engine-store.ts';
import type { ParseBody } from '../read-body.ts';

/**
 * Parses the body of a start. Only when the input holds integers that would be rounded is the flow asked whether it wants
 * them as strings (`bigIntegers: strings`); otherwise they are refused.
 */
export function parseStart(store: Pick<EngineStore, 'documentToRun'>, workspaceId: string): ParseBody {
  return async (text) => {
    const strict = parseJson(text, { bigIntegers: 'refuse' });
    const isAboutInput = strict.issues?.every(
      ({ code, pointer }) => code === 'unsafe_integer' && /^\/input(\/|$)/.test(pointer),
    );
    if (!isAboutInput) return strict;
    const kept = parseJson(text, { bigIntegers: 'strings' });
    const { flow, version } = (kept.value ?? {}) as JsonObject;
    if (!DraftDocument.safeParse({ name: flow }).success) return strict;
    if (version !== undefined && typeof version !== 'string') return strict;
    const document = await store.documentToRun({ workspaceId, flow: flow as string, version });
    return document.bigIntegers === 'strings' ? kept : strict;
  };
}
