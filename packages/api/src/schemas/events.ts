import type { JournalEventType, RecordedEvent } from '@pawl/dag-core';
import { z } from 'zod';
import { list, named, words } from './named.ts';
import { JsonObjectValue } from './values.ts';

/** A journal event with its place; `data` carries its own schema version `v`. `at` in epoch milliseconds. */
export const JournalRecord = named(
  'JournalRecord',
  z.object({
    seq: z.int().min(1),
    at: z.number(),
    type: words<JournalEventType>({
      'run.admitted': true,
      'run.statusChanged': true,
      'run.timedOut': true,
      'run.budgetWarned': true,
      'run.budgetChanged': true,
      'run.cancelRequested': true,
      'parent.heard': true,
      'compensation.planned': true,
      'compensation.done': true,
      'intent.recorded': true,
      'call.answered': true,
      'probe.answered': true,
      'poll.lastAsked': true,
      'poll.answered': true,
      'outcome.succeeded': true,
      'outcome.failed': true,
      'outcome.late': true,
      'attempt.lost': true,
      'nodeRun.skipped': true,
      'nodeRun.cancelled': true,
      'nodeRun.waiting': true,
      'nodeRun.resumed': true,
      'map.expanded': true,
      'loop.continued': true,
      'agent.continued': true,
      'flow.started': true,
      'flow.asked': true,
      'flow.granted': true,
      'flow.passedOn': true,
      'flow.stopAsked': true,
      'flow.ended': true,
      'signal.received': true,
      'inbox.asked': true,
      'inbox.answered': true,
      'artifact.created': true,
    }),
    path: z.string(),
    attempt: z.int(),
    data: JsonObjectValue,
  }),
) as unknown as z.ZodType<RecordedEvent, RecordedEvent>;

/** Members of an event's data that may be long, wherever they stand in the journal. */
export const ValueName = z.enum(['input', 'output', 'request', 'fallback']);

/** `ended`: the run is finished and nothing lies after this page. `nextAfter` is the `after` of the next page. */
export const EventPage = named(
  'EventPage',
  z.object({ events: list(JournalRecord), ended: z.boolean(), nextAfter: z.int().min(0) }),
);

/** A passing sign of life: partial model text, or progress of a tool. Never stored, may be lost. */
export const Delta = named(
  'Delta',
  z.object({
    path: z.string(),
    attempt: z.int(),
    call: z.int().optional(),
    from: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'Of text: UTF-16 units that the attempt wrote before it.' }),
    text: z.string().optional(),
    progress: z.object({ fraction: z.number().optional(), note: z.string().optional() }).optional(),
  }),
);
export type Delta = z.output<typeof Delta>;
