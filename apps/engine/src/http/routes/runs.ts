import type { Routes } from '@pawl/api';
import type { RunDetail, RunSummary, StartRequest } from '@pawl/run-store';
import type { Call, Handlers } from '../bind-routes.ts';
import { problems } from '../http-problem.ts';
import { notFoundBy } from '../read-parts.ts';
import { nameRun } from '../trace-requests.ts';
import type { RouteContext } from './context.ts';

type RunRoutes =
  | 'startRun'
  | 'listRuns'
  | 'bulkRuns'
  | 'getRun'
  | 'cancelRun'
  | 'pauseRun'
  | 'resumeRun'
  | 'retryRun'
  | 'raiseBudget';

/** Runs: starting, finding, stopping and continuing them. */
export function runHandlers({ store, metrics }: RouteContext): Pick<Handlers, RunRoutes> {
  return {
    startRun: async (call) => {
      const started = await store.startRun(startOf(call));
      nameRun(call.request, started.runId);
      metrics.starts.inc({ result: started.result });
      return {
        status: started.result === 'started' ? 201 : 200,
        body: started,
        headers: { location: `/v1/runs/${started.runId}` },
      };
    },

    listRuns: async ({ workspaceId, query: { tag, run, ...filter } }) => ({
      status: 200,
      body: await store.listRuns(workspaceId, {
        ...filter,
        ...(run !== undefined && { runIds: [run] }),
        ...(tag !== undefined && { tag: tagOf(tag) }),
      }),
    }),

    bulkRuns: async ({ workspaceId, by, body: { preview = false, ...wish } }) => ({
      status: 200,
      body: await store.bulkRuns({ workspaceId, by, ...wish, isPreview: preview }),
    }),

    getRun: async ({ workspaceId, params: { runId } }) => {
      const run = await store.getRun({ workspaceId, runId });
      if (!run) throw notFoundBy('runId', runId);
      return { status: 200, body: run };
    },

    cancelRun: async ({ workspaceId, by, params, body }) => ({
      status: 200,
      body: summaryOf(await store.cancelRun({ workspaceId, ...params, by, ...body })),
    }),

    pauseRun: async ({ workspaceId, by, params, body }) => ({
      status: 200,
      body: summaryOf(await store.pauseRun({ workspaceId, ...params, by, ...body })),
    }),

    resumeRun: async ({ workspaceId, by, params }) => ({
      status: 200,
      body: summaryOf(await store.resumeRun({ workspaceId, ...params, by })),
    }),

    retryRun: async ({ workspaceId, by, params, body }) => ({
      status: 200,
      body: summaryOf(await store.retryRun({ workspaceId, ...params, by, ...body })),
    }),

    raiseBudget: async ({ workspaceId, by, params, body }) => ({
      status: 200,
      body: summaryOf(await store.raiseBudget({ workspaceId, ...params, by, limits: body.limits })),
    }),
  };
}

function startOf({
  workspaceId,
  by,
  headers,
  body,
  request: { trace },
}: Call<Routes['startRun']>): StartRequest {
  const { dedupeKey = headers['idempotency-key'], input = {}, trigger = 'api', ...rest } = body;
  if (headers['idempotency-key'] !== undefined && headers['idempotency-key'] !== dedupeKey)
    throw problems.headerInvalid([
      {
        pointer: '/idempotency-key',
        code: 'mismatch',
        message: 'Expected the same key as dedupeKey in the body, or only one of them',
      },
    ]);
  return {
    workspaceId,
    by,
    ...rest,
    input,
    trigger,
    ...(dedupeKey !== undefined && { dedupeKey }),
    ...(trace && { trace }),
  };
}

/** `<key>:<value>`; the value may hold colons. */
function tagOf(text: string): { key: string; value: string } {
  const colon = text.indexOf(':');
  return { key: text.slice(0, colon), value: text.slice(colon + 1) };
}

/** The store may hand back more than a summary; payloads do not travel with an action's answer. */
function summaryOf(run: RunSummary & Partial<RunDetail>): RunSummary {
  const { input: _input, output: _output, nodeRuns: _nodeRuns, ...summary } = run;
  return summary;
}
