import { z } from 'zod';
import {
  Cursor,
  NodeRunDetail,
  NodeRunPage,
  NodeRunPath,
  NodeRunSummary,
  SettlementBody,
  WorkList,
} from '../schemas/index.ts';
import { json, route } from './route.ts';
import { byRun } from './runs.ts';

/** A path holds `/`, which proxies unescape in addresses; so it travels as a query parameter. */
const byPath = z.strictObject({ path: NodeRunPath });

export const nodeRunRoutes = {
  listNodeRuns: route({
    method: 'GET',
    path: '/v1/runs/:runId/node-runs',
    summary: 'List the node runs of a run by path',
    tag: 'node runs',
    auth: 'viewer',
    params: byRun,
    query: z.strictObject({
      node: z
        .string()
        .min(1)
        .max(64)
        .optional()
        .meta({ description: 'Only those of the node with this id.' }),
      path: NodeRunPath.optional().meta({ description: 'Only the one at this path.' }),
      cursor: Cursor,
      limit: z.coerce.number().int().min(1).max(1_000).optional().meta({ description: 'Default 200.' }),
    }),
    replies: { 200: json(NodeRunPage, 'A page of node runs') },
    errors: ['run_not_found'],
  }),
  getNodeRun: route({
    method: 'GET',
    path: '/v1/runs/:runId/node-run',
    summary: 'Get one node run with its output and its journal',
    tag: 'node runs',
    auth: 'viewer',
    params: byRun,
    query: byPath,
    replies: { 200: json(NodeRunDetail, 'The node run') },
    errors: ['run_not_found', 'node_run_not_found'],
  }),
  listWork: route({
    method: 'GET',
    path: '/v1/runs/:runId/work',
    summary: 'List the node runs of a run that workers hold now, and whether their leases live',
    tag: 'node runs',
    auth: 'viewer',
    params: byRun,
    replies: { 200: json(WorkList, 'What is under way') },
    errors: ['run_not_found'],
  }),
  settleNodeRun: route({
    method: 'POST',
    path: '/v1/runs/:runId/node-run/settle',
    summary: 'Decide about an uncertain or paused node run; the first decision wins',
    tag: 'node runs',
    auth: 'operator',
    params: byRun,
    query: byPath,
    body: SettlementBody,
    replies: { 200: json(NodeRunSummary, 'The node run after the decision') },
    errors: [
      'run_not_found',
      'node_run_not_found',
      'node_run_not_settleable',
      'run_not_open',
      'decision_not_offered',
      'effect_may_be_sent',
    ],
  }),
};
