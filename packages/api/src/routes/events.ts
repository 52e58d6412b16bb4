import { z } from 'zod';
import { EventPage } from '../schemas/index.ts';
import { json, route } from './route.ts';
import { byRun } from './runs.ts';

const Seq = z.coerce.number().int().min(0).max(2_147_483_647);

/**
 * The stream: frames `event: journal` with `id:` = seq and a journal record as data; `event: delta` without id; `event: end`
 * after the last event of a finished run; comments as keep-alive. `Last-Event-ID` wins over `after`.
 */
export const eventRoutes = {
  readEvents: route({
    method: 'GET',
    path: '/v1/runs/:runId/events',
    summary: 'Follow the journal of a run as a stream, or read a page of it (Accept: application/json)',
    tag: 'events',
    auth: 'viewer',
    params: byRun,
    query: z.strictObject({
      after: Seq.optional().meta({ description: 'Only events with a greater seq. Default 0.' }),
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(1_000)
        .optional()
        .meta({ description: 'Pages only. Default 100.' }),
    }),
    headers: z.strictObject({
      'last-event-id': z
        .string()
        .regex(/^\d{1,10}$/)
        .optional(),
    }),
    replies: {
      200: {
        ...json(EventPage, 'A page of events, or the stream'),
        mediaTypes: ['application/json', 'text/event-stream'],
      },
    },
    errors: ['run_not_found'],
  }),
};

/** Kept here so that an engine and a client of one release mean the same. */
export const STREAM_EVENTS = { journal: 'journal', delta: 'delta', end: 'end' } as const;
