import type { NewSchedule, Schedule, ScheduleChanges, ScheduleRef } from '@pawl/run-store';
import type { MemoryFlows } from './memory-flows.ts';
import { refusal } from './refusal.ts';

const NOW = '2026-01-02T03:04:05.000Z';
const DAY_MS = 86_400_000;

/** Schedules in memory, which never fire; their next slot is a day away. */
export class MemorySchedules {
  readonly #flows: MemoryFlows;
  readonly schedules = new Map<string, Schedule>();

  constructor(flows: MemoryFlows) {
    this.#flows = flows;
  }

  list({ workspaceId, flow }: { workspaceId: string; flow?: string }): Schedule[] {
    return [...this.schedules]
      .filter(([key, each]) => key.startsWith(`${workspaceId} `) && (flow ?? each.flow) === each.flow)
      .map(([, each]) => each);
  }

  get({ workspaceId, schedule }: ScheduleRef): Schedule {
    const found = this.schedules.get(`${workspaceId} ${schedule}`);
    if (!found) throw refusal('schedule_not_found', `There is no schedule ${schedule} in this workspace.`);
    return found;
  }

  create(workspaceId: string, spec: NewSchedule): Schedule {
    this.#flows.get({ workspaceId, flow: spec.flow });
    const key = `${workspaceId} ${spec.name}`;
    if (this.schedules.has(key))
      throw refusal('schedule_exists', `There already is a schedule ${spec.name}.`);
    const made: Schedule = {
      timeZone: 'UTC',
      input: {},
      enabled: true,
      overlap: 'skip',
      catchUp: 'last',
      catchUpWindowMs: DAY_MS,
      jitterMs: 0,
      ...spec,
      missedCount: 0,
      createdAt: NOW,
      updatedAt: NOW,
    };
    this.schedules.set(key, made);
    return made;
  }

  change(ref: ScheduleRef, changes: ScheduleChanges & { enabled?: boolean }): Schedule {
    const changed = { ...this.get(ref), ...changes };
    this.schedules.set(`${ref.workspaceId} ${ref.schedule}`, changed);
    return changed;
  }

  delete(ref: ScheduleRef): void {
    this.get(ref);
    this.schedules.delete(`${ref.workspaceId} ${ref.schedule}`);
  }

  next(ref: ScheduleRef & { count: number; after?: string }) {
    const { timeZone } = this.get(ref);
    const from = Date.parse(ref.after ?? NOW);
    return {
      timeZone,
      slots: Array.from({ length: ref.count }, (_, i) => new Date(from + (i + 1) * DAY_MS).toISOString()),
    };
  }
}
