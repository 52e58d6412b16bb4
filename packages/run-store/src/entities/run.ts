import { defineEntity, p } from '@mikro-orm/core';
import type { RunStatus } from '@pawl/dag-core';
import { JsonText } from './json-text.ts';

/** A run: the fold of its journal (V12). Read here; written by the contended operations only (V7). */
export const RunEntity = defineEntity({
  name: 'Run',
  tableName: 'run',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid().name('workspace_id'),
    flowName: p.text().name('flow_name'),
    versionId: p.text().name('version_id'),
    mode: p.text(),
    status: p.text().$type<RunStatus>(),
    nextSeq: p.integer().name('next_seq'),
    openCount: p.integer().name('open_count'),
    activeCount: p.integer().name('active_count'),
    failure: p.type(JsonText).nullable(),
    outputSeq: p.integer().name('output_seq').nullable(),
    degraded: p.type(JsonText).nullable(),
    more: p.type(JsonText).nullable(),
    isPartial: p.boolean().name('is_partial'),
    budgetLimits: p.type(JsonText).name('budget_limits'),
    reservedCostNanoUsd: p.bigint('number').name('reserved_cost_nano_usd'),
    reservedTokens: p.bigint('number').name('reserved_tokens'),
    reservedModelCalls: p.integer().name('reserved_model_calls'),
    spentCostNanoUsd: p.bigint('number').name('spent_cost_nano_usd'),
    spentTokens: p.bigint('number').name('spent_tokens'),
    spentModelCalls: p.integer().name('spent_model_calls'),
    statusAt: p.datetime().name('status_at'),
    tags: p.type(JsonText).nullable(),
    parentRunId: p.uuid().name('parent_run_id').nullable(),
    dedupeKey: p.text().name('dedupe_key').nullable(),
    cancelRequestedAt: p.datetime().name('cancel_requested_at').nullable(),
    deadlineAt: p.datetime().name('deadline_at').nullable(),
    createdAt: p.datetime().name('created_at'),
    startedAt: p.datetime().name('started_at').nullable(),
    finishedAt: p.datetime().name('finished_at').nullable(),
  },
});
