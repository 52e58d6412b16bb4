import { z } from 'zod';
import { FlowName, PlanTest, StartedTest, StartTest, TestPlanValue } from '../schemas/index.ts';
import { json, route } from './route.ts';

const byFlow = z.object({ flow: FlowName });

export const testRoutes = {
  planTest: route({
    method: 'POST',
    path: '/v1/flows/:flow/test-plan',
    summary: 'Say what a test run of the draft would call, and what it would be given, without starting it',
    tag: 'flows',
    auth: 'viewer',
    params: byFlow,
    body: PlanTest,
    replies: { 200: json(TestPlanValue, 'Node by node') },
    errors: ['flow_not_found'],
  }),
  startTest: route({
    method: 'POST',
    path: '/v1/flows/:flow/test-runs',
    summary: 'Start a test run of the draft, or of a part of it',
    tag: 'flows',
    auth: 'editor',
    params: byFlow,
    body: StartTest,
    replies: { 201: json(StartedTest, 'The run, and what it does') },
    errors: [
      'flow_not_found',
      'test_node_unknown',
      'test_runs_nothing',
      'effects_undecided',
      'test_output_missing',
      'test_outputs_too_large',
      'test_invalid',
      'input_invalid',
      'queue_full',
    ],
  }),
};
