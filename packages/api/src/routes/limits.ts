import { z } from 'zod';
import { CallLimits, LimitTarget, SetLimit } from '../schemas/index.ts';
import { json, route } from './route.ts';

export const limitRoutes = {
  listLimits: route({
    method: 'GET',
    path: '/v1/limits',
    summary: 'List the limits of calls that hold for the workspace, with what is used of its own',
    tag: 'limits',
    auth: 'viewer',
    replies: { 200: json(CallLimits, 'All of them, by target') },
    errors: [],
  }),
  setLimit: route({
    method: 'PUT',
    path: '/v1/limits',
    summary:
      'Set how often the workspace may call a model or a tool, in the place of what was set for it before',
    tag: 'limits',
    auth: 'admin',
    body: SetLimit,
    replies: { 200: json(CallLimits, 'All limits as they are now') },
    errors: [],
  }),
  removeLimit: route({
    method: 'DELETE',
    path: '/v1/limits',
    summary: 'Remove a limit of the workspace; what it held up goes on',
    tag: 'limits',
    auth: 'admin',
    query: z.strictObject({ target: LimitTarget }),
    replies: { 200: json(CallLimits, 'All limits as they are now') },
    errors: ['limit_not_found'],
  }),
};
