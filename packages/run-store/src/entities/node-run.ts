import { defineEntity, p } from '@mikro-orm/core';
import type { EffectClass, NodeRunStatus } from '@pawl/dag-core';
import { JsonText } from './json-text.ts';

/** A node run: the fold of its part of the journal (V12). Read here; written by the contended operations only (V7). */
export const NodeRunEntity = defineEntity({
  name: 'NodeRun',
  tableName: 'node_run',
  properties: {
    runId: p.uuid().name('run_id').primary(),
    path: p.text().primary(),
    nodeId: p.text().name('node_id'),
    kind: p.text(),
    effect: p.text().$type<EffectClass | 'model'>().nullable(),
    status: p.text().$type<NodeRunStatus>(),
    attempt: p.integer(),
    failures: p.integer(),
    workerId: p.uuid().name('worker_id').nullable(),
    pendingEdges: p.integer().name('pending_edges'),
    liveEdges: p.integer().name('live_edges'),
    openCount: p.integer().name('open_count').nullable(),
    itemIndex: p.integer().name('item_index').nullable(),
    itemCount: p.integer().name('item_count').nullable(),
    nextItem: p.integer().name('next_item').nullable(),
    doneItems: p.integer().name('done_items').nullable(),
    failedItems: p.integer().name('failed_items').nullable(),
    wakeAt: p.datetime().name('wake_at').nullable(),
    statusAt: p.datetime().name('status_at'),
    reason: p.text().nullable(),
    failure: p.type(JsonText).nullable(),
    more: p.type(JsonText).nullable(),
    intentSeq: p.integer().name('intent_seq').nullable(),
    outputSeq: p.integer().name('output_seq').nullable(),
    costNanoUsd: p.bigint('number').name('cost_nano_usd'),
    tokens: p.bigint('number'),
    pool: p.text().nullable(),
    startedAt: p.datetime().name('started_at').nullable(),
    finishedAt: p.datetime().name('finished_at').nullable(),
  },
});
