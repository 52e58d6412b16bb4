import { z } from 'zod';
import { EventPage, ValueName } from '../schemas/index.ts';
import { rangeHeaders } from './artifacts.ts';
import { json, raw, route } from './route.ts';
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
      values: z.enum(['whole', 'short']).optional().meta({
        description:
          '`short`: values whose JSON text is longer than 64 KB come as `<name>Ref` with `hash`, `bytes` and `preview`. Default whole.',
      }),
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
  readValue: route({
    method: 'GET',
    path: '/v1/runs/:runId/events/:event/values/:name',
    summary: 'Download the JSON text of a value that an event holds, or a range of it',
    tag: 'events',
    auth: 'viewer',
    params: byRun.extend({ event: z.coerce.number().int().min(1).max(2_147_483_647), name: ValueName }),
    headers: rangeHeaders,
    replies: {
      200: raw('application/json', 'The JSON text; the ETag is its hash'),
      206: raw('application/json', 'The bytes of the range'),
      304: raw('application/json', 'The bytes are those that If-None-Match names'),
    },
    errors: ['run_not_found', 'value_not_found', 'range_not_satisfiable'],
  }),
};

/** Kept here so that an engine and a client of one release mean the same. */
export const STREAM_EVENTS = { journal: 'journal', delta: 'delta', end: 'end' } as const;
