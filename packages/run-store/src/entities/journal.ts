import { defineEntity, p } from '@mikro-orm/core';
import type { JournalEventType } from '@pawl/dag-core';
import { JsonText } from './json-text.ts';

/** One fact of a run, gapless per run (J1). */
export const JournalEntity = defineEntity({
  name: 'Journal',
  tableName: 'journal',
  properties: {
    runId: p.uuid().name('run_id').primary(),
    seq: p.integer().primary(),
    type: p.text().$type<JournalEventType>(),
    path: p.text(),
    attempt: p.integer(),
    at: p.datetime(),
    data: p.type(JsonText),
  },
});
