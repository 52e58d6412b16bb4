import {
  backfillSchedule,
  changeSchedule,
  createSchedule,
  deleteSchedule,
  exportSchedules,
  getSchedule,
  type HotStore,
  importSchedules,
  listSchedules,
  listSlots,
  nextSlots,
  type Orm,
  pauseSchedule,
  resumeSchedule,
} from '@pawl/run-store';
import type { ScheduleStore } from '../http/index.ts';

/** What the routes of schedules ask. Whatever may change what is due next is told to all engines. */
export function postgresScheduleStore({ orm, hot }: { orm: Orm; hot: HotStore }): ScheduleStore {
  const told = async <T>(work: Promise<T>): Promise<T> => {
    const done = await work;
    hot.live.schedulesChanged();
    return done;
  };
  return {
    listSchedules: (request) => listSchedules(orm, request),
    createSchedule: (request) => told(createSchedule(orm, request)),
    exportSchedules: (request) => exportSchedules(orm, request),
    importSchedules: (request) => importSchedules(orm, request),
    getSchedule: (ref) => getSchedule(orm, ref),
    changeSchedule: (request) => told(changeSchedule(orm, request)),
    deleteSchedule: (ref) => deleteSchedule(orm, ref),
    pauseSchedule: (ref) => told(pauseSchedule(orm, ref)),
    resumeSchedule: (ref) => told(resumeSchedule(orm, ref)),
    nextSlots: (request) => nextSlots(orm, request),
    listSlots: (request) => listSlots(orm, request),
    backfillSchedule: (request) => told(backfillSchedule(orm, request)),
  };
}
