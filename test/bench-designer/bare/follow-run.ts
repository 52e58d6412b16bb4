import { readFrames } from '../../../packages/api/src/client/sse-parser.ts';

/** What the designer says of a node after such an event. */
const WORDS: Readonly<Record<string, string>> = {
  'intent.recorded': 'running',
  'outcome.succeeded': 'done',
};

/** Follows a run, and calls with each node whose status changes; returns how to stop that. */
export function followRun(runId: string, call: (id: string, status: string) => void): () => void {
  const over = new AbortController();
  const headers = { accept: 'text/event-stream' };
  void fetch(`/v1/runs/${runId}/events?values=short`, { headers, signal: over.signal }).then(
    async ({ body }) => {
      for await (const { event, data } of readFrames(body as unknown as AsyncIterable<Uint8Array>)) {
        if (event !== 'journal') continue;
        const { type, path } = JSON.parse(data) as { readonly type: string; readonly path: string };
        const word = WORDS[type];
        if (word !== undefined) call(path, word);
      }
    },
  );
  return () => over.abort();
}
