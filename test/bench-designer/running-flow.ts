import type { FlowDocument } from '@pawl/dag-core';

/** How many nodes run at once. */
export const RUNNING = 200;
/** The signal that lets them begin, sent when the page is ready. */
export const BEGIN = 'bench.begin';

const FIRST_MS = 1_500;
const EVERY_MS = 20;
const ROWS = 15;

/** Id of the n-th of the nodes that run at once. */
export const runningId = (at: number): string => `work${at + 1}`;

/** A node that waits for the signal, 200 tool calls that begin with it, and end one after the other within four seconds. */
export function runningFlow(name: string): FlowDocument {
  const ids = Array.from({ length: RUNNING }, (_, at) => runningId(at));
  const places = ids.map((id, at) => [id, { x: 280 * (1 + Math.floor(at / ROWS)), y: 100 * (at % ROWS) }]);
  return {
    format: 'pawl/1',
    name,
    nodes: [
      { id: 'gate', kind: 'wait', signal: { name: BEGIN, key: '{{ input.key }}' } },
      ...ids.map((id, at) => ({
        id,
        kind: 'tool' as const,
        tool: 'bench.slow@1',
        args: { at: id, ms: FIRST_MS + EVERY_MS * ((at * 37) % RUNNING) },
      })),
    ],
    edges: ids.map((id) => ({ from: 'gate', to: id })),
    layout: Object.fromEntries([['gate', { x: 0, y: 700 }], ...places]),
  };
}
