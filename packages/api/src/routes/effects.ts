import { z } from 'zod';
import {
  Cursor,
  EffectDetail,
  EffectPage,
  EffectStatuses,
  EffectWord,
  FlowName,
  Id,
  Instant,
  Limit,
} from '../schemas/index.ts';
import { json, raw, route } from './route.ts';

const text = z
  .string()
  .regex(/^[^\u0000]{1,2000}$/)
  .optional();

const filter = {
  flow: FlowName.optional(),
  run: Id.optional(),
  target: text.meta({ description: 'Tool or model, exactly or with `*` for anything: `shop.*`' }),
  effect: EffectWord.optional(),
  key: text,
  status: EffectStatuses.optional().meta({ description: '`late` takes every effect with a late answer' }),
  by: text.meta({ description: 'Who started the run or settled the effect: `user:<name>`, `key:<name>`' }),
  after: Instant.optional().meta({ description: 'Sent at or after' }),
  before: Instant.optional(),
};

export const effectRoutes = {
  listEffects: route({
    method: 'GET',
    path: '/v1/effects',
    summary: 'List the effects that were sent, newest first, from the records of the server',
    tag: 'effects',
    auth: 'viewer',
    query: z.strictObject({ ...filter, cursor: Cursor, limit: Limit }),
    replies: {
      200: json(EffectPage, 'A page of effects; by status or person it may be short and still have a cursor'),
    },
    errors: ['cursor_invalid'],
  }),
  exportEffects: route({
    method: 'GET',
    path: '/v1/effects/export',
    summary: 'Export all effects that fit, newest first, as a stream of lines',
    tag: 'effects',
    auth: 'viewer',
    query: z.strictObject({
      ...filter,
      format: z.enum(['ndjson', 'csv']).optional().meta({ description: 'Default ndjson' }),
      arguments: z
        .enum(['true', 'false'])
        .optional()
        .meta({ description: '`true`: with the arguments, as `request`' }),
    }),
    replies: {
      200: {
        ...raw(
          'application/x-ndjson',
          'One effect per line; a connection that is cut says that it is not all',
        ),
        mediaTypes: ['application/x-ndjson', 'text/csv'],
      },
    },
    errors: [],
  }),
  getEffect: route({
    method: 'GET',
    path: '/v1/effects/:runId/:seq',
    summary: 'Get an effect with its arguments and what it gave',
    tag: 'effects',
    auth: 'viewer',
    params: z.object({ runId: Id, seq: z.coerce.number().int().min(1).max(2_147_483_647) }),
    replies: { 200: json(EffectDetail, 'The effect') },
    errors: ['effect_not_found', 'run_not_found'],
  }),
};
