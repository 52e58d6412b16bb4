import { setTimeout as pause } from 'node:timers/promises';
import type { FlowDocument } from '@pawl/dag-core';
import type { Engine } from '../engine.ts';

const PATIENCE_MS = 30_000;

/**
 * Waits until the draft on the server is so.
 *
 * @throws {Error} when it does not become so
 */
export async function draftWhere(
  { client }: Engine,
  flow: string,
  isSo: (draft: FlowDocument) => boolean,
): Promise<FlowDocument> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; ) {
    const draft = (await client.getFlow({ params: { flow } })).document as unknown as FlowDocument;
    if (isSo(draft)) return draft;
    await pause(100);
  }
  throw new Error(`The draft of ${flow} on the server never became what the page shows.`);
}
