import { trace } from '@opentelemetry/api';
import { defineTool } from '@pawl/tool-sdk';
import { z } from 'zod';

// A tool for tests of traces, loaded with PAWL_TOOLS: it makes a span of its own, the way instrumented libraries do.

const tracer = trace.getTracer('a library of the tool');

/** Asks the ledger inside a span of its own. */
export const inSpan = defineTool({
  name: 'tracing.in_span',
  version: '1',
  effect: 'pure',
  input: z.object({}),
  execute: (ctx) =>
    tracer.startActiveSpan('look it up', async (span) => {
      const response = await ctx.fetch(`${process.env.LEDGER_URL}/pure`);
      span.end();
      return { status: response.status };
    }),
});
