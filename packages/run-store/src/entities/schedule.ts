import { defineEntity, p } from '@mikro-orm/core';
import type { CatchUp, Overlap } from '@pawl/dag-core';
import { JsonText } from './json-text.ts';

/** A schedule. What engines move (`nextAt`, counts, errors) is written by the tick only. */
export const ScheduleEntity = defineEntity({
  name: 'Schedule',
  tableName: 'schedule',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid().name('workspace_id'),
    name: p.text(),
    flowName: p.text().name('flow_name'),
    cron: p.text(),
    timeZone: p.text().name('time_zone'),
    input: p.type(JsonText),
    isEnabled: p.boolean().name('is_enabled'),
    overlap: p.text().$type<Overlap>(),
    catchUp: p.text().name('catch_up').$type<CatchUp>(),
    catchUpWindowMs: p.bigint('number').name('catch_up_window_ms'),
    jitterMs: p.integer().name('jitter_ms'),
    nextAt: p.datetime().name('next_at').nullable(),
    fireAt: p.datetime().name('fire_at').nullable(),
    missedCount: p.bigint('number').name('missed_count'),
    lastMissed: p.datetime().name('last_missed').nullable(),
    lastError: p.type(JsonText).name('last_error').nullable(),
    createdAt: p.datetime().name('created_at'),
    updatedAt: p.datetime().name('updated_at'),
  },
});
