import { defineEntity, p } from '@mikro-orm/core';

/** A worker process and the time until which it may work (database clock). */
export const WorkerEntity = defineEntity({
  name: 'Worker',
  tableName: 'worker',
  properties: {
    id: p.uuid().primary(),
    lockKey: p.bigint('string').name('lock_key'),
    host: p.text(),
    pid: p.integer(),
    processStarted: p.text().name('process_started'),
    leaseUntil: p.datetime().name('lease_until'),
    startedAt: p.datetime().name('started_at'),
    stoppedAt: p.datetime().name('stopped_at').nullable(),
  },
});
