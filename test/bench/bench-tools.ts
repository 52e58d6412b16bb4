import { setTimeout as after } from 'node:timers/promises';
import { defineTool } from '@pawl/tool-sdk';

// The tools of the benchmark, loaded by its worker through PAWL_TOOLS. Instants are of the machine's monotonic clock, which
// all processes of the machine read alike; as text, because they pass 2^53.

const now = (): string => process.hrtime.bigint().toString();
let count = 0;

const at = { type: 'string' } as const;

/** An effect inside the process: it costs nothing, so what is measured is the engine. */
export const countTool = defineTool({
  name: 'bench.count',
  version: '1',
  effect: 'idempotent',
  input: { type: 'object', properties: { at, text: { type: 'string' } }, required: ['at', 'text'] },
  execute(_ctx, args) {
    count += 1;
    const { at, text } = args as { at: string; text: string };
    return { at, text, count };
  },
});

/** Notes when it was called: the end of the way from a start to the first node run. */
export const noteStartTool = defineTool({
  name: 'bench.note_start',
  version: '1',
  effect: 'pure',
  input: { type: 'object' },
  execute: () => ({ startedNs: now() }),
});

/** Takes a while, as a call of a service does, and notes when it began. */
export const slowTool = defineTool({
  name: 'bench.slow',
  version: '1',
  effect: 'idempotent',
  input: { type: 'object', properties: { at, ms: { type: 'number' } }, required: ['at', 'ms'] },
  async execute(ctx, args) {
    const { at, ms } = args as { at: string; ms: number };
    const startedNs = now();
    await after(ms, undefined, { signal: ctx.signal });
    return { at, startedNs };
  },
});
