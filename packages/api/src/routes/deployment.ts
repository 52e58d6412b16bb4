import { Keeping, WorkState } from '../schemas/index.ts';
import { json, route } from './route.ts';

export const deploymentRoutes = {
  getWorkState: route({
    method: 'GET',
    path: '/v1/workers',
    summary: 'Say which workers live, what they have in hand, and what waits in which pool',
    tag: 'service',
    auth: 'viewer',
    replies: { 200: json(WorkState, 'Workers, and pools by name') },
    errors: [],
  }),
  getKeeping: route({
    method: 'GET',
    path: '/v1/retention',
    summary: 'Say how long things are kept and how much may wait; the environment of the engine decides it',
    tag: 'service',
    auth: 'viewer',
    replies: { 200: json(Keeping, 'As it is configured') },
    errors: [],
  }),
};
