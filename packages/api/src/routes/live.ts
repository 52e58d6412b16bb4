import { raw, route } from './route.ts';

/** What happens in a workspace, for those who look at lists: frames without id, any of which may be lost. */
export const liveRoutes = {
  watchWorkspace: route({
    method: 'GET',
    path: '/v1/live',
    summary: 'Hear which runs of the workspace change, and how much waits for a person, as a stream',
    tag: 'events',
    auth: 'viewer',
    replies: { 200: raw('text/event-stream', 'The stream; it has no end') },
    errors: [],
  }),
};

/** `run`: a run began or changed, as data its summary. `inbox`: how much waits for a person. `again`: read again; first in each stream, and when more changed than is told. */
export const LIVE_EVENTS = { run: 'run', inbox: 'inbox', again: 'again' } as const;
