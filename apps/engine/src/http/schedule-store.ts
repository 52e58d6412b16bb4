import type {
  Backfill,
  NewSchedule,
  Page,
  Schedule,
  ScheduleChanges,
  ScheduleRef,
  ScheduleSpec,
  SlotRecord,
} from '@pawl/run-store';

interface PageWish {
  readonly cursor?: string;
  readonly limit?: number;
}

/** What the routes of schedules need of the store; see `EngineStore` for what holds of all. */
export interface ScheduleStore {
  /** By name. @throws `cursor_invalid` */
  listSchedules(
    request: PageWish & { readonly workspaceId: string; readonly flow?: string },
  ): Promise<Page<Schedule>>;
  /** @throws `schedule_exists`, `schedule_invalid` with `issues`, `flow_not_found`, `input_invalid` with `issues` */
  createSchedule(request: { readonly workspaceId: string; readonly spec: NewSchedule }): Promise<Schedule>;
  exportSchedules(request: {
    readonly workspaceId: string;
    readonly flow?: string;
  }): Promise<readonly ScheduleSpec[]>;
  /** All or none; switched off. @throws what `createSchedule` throws */
  importSchedules(request: {
    readonly workspaceId: string;
    readonly specs: readonly NewSchedule[];
  }): Promise<readonly Schedule[]>;
  /** @throws `schedule_not_found` */
  getSchedule(ref: ScheduleRef): Promise<Schedule>;
  /** @throws `schedule_not_found`, and what `createSchedule` throws */
  changeSchedule(request: ScheduleRef & { readonly changes: ScheduleChanges }): Promise<Schedule>;
  /** @throws `schedule_not_found` */
  deleteSchedule(ref: ScheduleRef): Promise<void>;
  /** @throws `schedule_not_found` */
  pauseSchedule(ref: ScheduleRef): Promise<Schedule>;
  /** @throws `schedule_not_found`, and what `createSchedule` throws */
  resumeSchedule(ref: ScheduleRef): Promise<Schedule>;
  /** @throws `schedule_not_found` */
  nextSlots(
    request: ScheduleRef & { readonly count: number; readonly after?: string },
  ): Promise<{ readonly slots: readonly string[]; readonly timeZone: string }>;
  /** Newest first. @throws `schedule_not_found`, `cursor_invalid` */
  listSlots(ref: ScheduleRef & PageWish): Promise<Page<SlotRecord>>;
  /** @throws `schedule_not_found`, `backfill_invalid` with `reason` */
  backfillSchedule(
    request: ScheduleRef & { readonly from: string; readonly until: string },
  ): Promise<Backfill>;
}
