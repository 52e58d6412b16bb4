import { isLimitTarget } from '@pawl/dag-core';
import { z } from 'zod';
import { named, words } from './named.ts';
import { Instant } from './values.ts';

/** A day. */
const LONGEST_WINDOW_MS = 86_400_000;

export const LimitTarget = z
  .string()
  .max(200)
  .refine(isLimitTarget, 'Expected <provider>:<model>, <provider>:*, <tool>@<version> or <tool>@*')
  .meta({ description: 'What is called: `openai:gpt-5`, `openai:*`, `crm.find@2`, `crm.find@*`.' });

const count = z.number().int().min(1).max(1_000_000_000);

export const SetLimit = named(
  'SetLimit',
  z
    .strictObject({
      target: LimitTarget,
      concurrency: count.max(1_000_000).optional().meta({ description: 'Calls under way at once.' }),
      requests: count.optional().meta({ description: 'Calls in any window.' }),
      tokens: count.optional().meta({ description: 'Tokens in any window.' }),
      windowMs: z
        .number()
        .int()
        .min(100)
        .max(LONGEST_WINDOW_MS)
        .optional()
        .meta({ description: 'Length of the window of `requests` and `tokens`. Absent: a minute.' }),
    })
    .refine(
      ({ concurrency, requests, tokens }) => concurrency ?? requests ?? tokens,
      'Expected concurrency, requests or tokens: a limit without any limits nothing',
    ),
);

/** `underWay` and `waiting` are told of the workspace's own limits. */
export const CallLimit = named(
  'CallLimit',
  z.object({
    target: z.string(),
    scope: words<'workspace' | 'everybody'>({ workspace: true, everybody: true }),
    concurrency: z.number().optional(),
    requests: z.number().optional(),
    tokens: z.number().optional(),
    windowMs: z.number().optional(),
    pausedUntil: Instant.optional().meta({
      description: 'A service asked to be left alone until then, and nobody calls.',
    }),
    underWay: z.number().optional(),
    waiting: z.number().optional(),
  }),
);

export const CallLimits = named('CallLimits', z.object({ items: z.array(CallLimit) }));
