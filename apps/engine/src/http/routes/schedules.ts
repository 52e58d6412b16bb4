import type { Handlers } from '../bind-routes.ts';
import type { RouteContext } from './context.ts';

type ScheduleRoutes =
  | 'listSchedules'
  | 'createSchedule'
  | 'exportSchedules'
  | 'importSchedules'
  | 'getSchedule'
  | 'changeSchedule'
  | 'deleteSchedule'
  | 'pauseSchedule'
  | 'resumeSchedule'
  | 'nextSlots'
  | 'listSlots'
  | 'backfillSchedule';

/** Slots that a preview shows. */
const PREVIEW = 10;

/** Schedules: what starts runs at the instants of a clock. */
export function scheduleHandlers({ store }: RouteContext): Pick<Handlers, ScheduleRoutes> {
  return {
    listSchedules: async ({ workspaceId, query }) => ({
      status: 200,
      body: await store.listSchedules({ workspaceId, ...query }),
    }),

    createSchedule: async ({ workspaceId, body }) => ({
      status: 201,
      body: await store.createSchedule({ workspaceId, spec: body }),
      headers: { location: `/v1/schedules/${body.name}` },
    }),

    exportSchedules: async ({ workspaceId, query }) => ({
      status: 200,
      body: { schedules: await store.exportSchedules({ workspaceId, ...query }) },
      headers: { 'content-disposition': 'attachment; filename="schedules.json"' },
    }),

    importSchedules: async ({ workspaceId, body }) => ({
      status: 201,
      body: { items: await store.importSchedules({ workspaceId, specs: body.schedules }) },
    }),

    getSchedule: async ({ workspaceId, params }) => ({
      status: 200,
      body: await store.getSchedule({ workspaceId, ...params }),
    }),

    changeSchedule: async ({ workspaceId, params, body }) => ({
      status: 200,
      body: await store.changeSchedule({ workspaceId, ...params, changes: body }),
    }),

    deleteSchedule: async ({ workspaceId, params }) => {
      const schedule = await store.getSchedule({ workspaceId, ...params });
      await store.deleteSchedule({ workspaceId, ...params });
      return { status: 200, body: schedule };
    },

    pauseSchedule: async ({ workspaceId, params }) => ({
      status: 200,
      body: await store.pauseSchedule({ workspaceId, ...params }),
    }),

    resumeSchedule: async ({ workspaceId, params }) => ({
      status: 200,
      body: await store.resumeSchedule({ workspaceId, ...params }),
    }),

    nextSlots: async ({ workspaceId, params, query: { count = PREVIEW, after } }) => ({
      status: 200,
      body: await store.nextSlots({ workspaceId, ...params, count, ...(after !== undefined && { after }) }),
    }),

    listSlots: async ({ workspaceId, params, query }) => ({
      status: 200,
      body: await store.listSlots({ workspaceId, ...params, ...query }),
    }),

    backfillSchedule: async ({ workspaceId, params, body }) => ({
      status: 200,
      body: await store.backfillSchedule({ workspaceId, ...params, ...body }),
    }),
  };
}
