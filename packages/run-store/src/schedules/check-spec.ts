import type { SqlEntityManager } from '@mikro-orm/postgresql';
import {
  type Calendar,
  fillScheduleInput,
  fireAtMs,
  nextSlot,
  readSchedule,
  validateInput,
} from '@pawl/dag-core';
import { FlowVersionEntity } from '../entities/flow-version.ts';
import { StoreError } from '../errors.ts';
import { findFlow, versionOf } from '../flows/flow-shapes.ts';
import type { ScheduleSpec } from './schedule-shapes.ts';

/**
 * Looks at everything about a schedule that can be known before it fires: when it fires, that its flow is there, and that the
 * run of its next slot would be admitted by the published version, if there is one.
 *
 * @throws {StoreError} `schedule_invalid`, `flow_not_found`, `input_invalid`
 */
export async function checkSpec(
  em: SqlEntityManager,
  workspaceId: string,
  spec: ScheduleSpec,
): Promise<Calendar> {
  const { calendar, issues } = readSchedule(spec);
  if (issues) throw new StoreError('schedule_invalid', { schedule: spec.name, issues });
  const flow = await findFlow(em, { workspaceId, flow: spec.flow });
  if (flow.publishedVersionId == null) return calendar;
  const row = await em.findOneOrFail(FlowVersionEntity, { workspaceId, id: flow.publishedVersionId });
  const { document } = versionOf(row, flow.name);
  const slotMs = nextSlot(calendar, await nowOf(em)) ?? 0;
  const input = fillScheduleInput(spec.input, { slotMs, timeZone: spec.timeZone, name: spec.name });
  const found = validateInput(document.input, input);
  if (found.issues.length > 0)
    throw new StoreError('input_invalid', { flow: spec.flow, issues: found.issues });
  return calendar;
}

/** The clock of the database, epoch milliseconds. */
export async function nowOf(em: SqlEntityManager): Promise<number> {
  const [row] = await em.execute<{ now: number }[]>(
    'select (extract(epoch from now()) * 1000)::float8 as now',
  );
  return row!.now;
}

/** When the first slot after an instant is, and when it fires; null while the schedule is off. */
export function timesAfter(
  { id, isEnabled, jitterMs }: { id: string; isEnabled: boolean; jitterMs: number },
  calendar: Calendar,
  afterMs: number,
): { nextAt: Date | null; fireAt: Date | null } {
  const next = isEnabled ? nextSlot(calendar, afterMs) : undefined;
  const fire = fireAtMs(id, next, jitterMs);
  return {
    nextAt: next === undefined ? null : new Date(next),
    fireAt: fire === undefined ? null : new Date(fire),
  };
}
