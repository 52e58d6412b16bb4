import { type AcceptedCall, defineTool, HttpError, type PollAnswer, type ToolContext } from '@pawl/tool-sdk';
import { z } from 'zod';
import type { JobState } from './job-service.ts';

// Tools that order jobs of the service at JOBS_URL and ask how they stand, loaded with PAWL_TOOLS.

const input = z.object({
  what: z.unknown().optional(),
  deadlineMs: z.number(),
  pollEveryMs: z.number().optional(),
});
const output = z.object({ id: z.string() });
type Args = z.output<typeof input>;

async function order(ctx: ToolContext, { what, deadlineMs, pollEveryMs }: Args) {
  const body = JSON.stringify({ what: what ?? null, callback: await ctx.callbackUrl() });
  const response = await ctx.fetch(`${process.env.JOBS_URL}/jobs`, { method: 'POST', body });
  if (!response.ok) throw await HttpError.from(response);
  const { job } = (await response.json()) as { job: string };
  return ctx.accepted({ deadlineMs, reference: { job }, ...(pollEveryMs !== undefined && { pollEveryMs }) });
}

async function look(
  ctx: ToolContext,
  _args: Args,
  { reference }: AcceptedCall,
): Promise<PollAnswer<{ id: string }>> {
  const { job } = reference as { job: string };
  const response = await ctx.fetch(`${process.env.JOBS_URL}/jobs/${job}`);
  if (!response.ok) throw await HttpError.from(response);
  const told = (await response.json()) as JobState;
  switch (told.state) {
    case 'working':
      return { answer: 'not_yet' };
    case 'done':
      return { answer: 'done', result: told.result as { id: string } };
    case 'failed':
      return { answer: 'failed', failure: { message: told.error, retryable: told.retryable } };
  }
}

/** Orders a job that costs each time; its service is asked and calls back. */
export const run = defineTool({
  name: 'job.run',
  version: '1',
  effect: 'non_repeatable',
  input,
  output,
  execute: order,
  poll: look,
});

/** Orders a job that is one job for one key. */
export const put = defineTool({
  name: 'job.put',
  version: '1',
  effect: 'idempotent',
  input,
  output,
  execute: order,
  poll: look,
});
