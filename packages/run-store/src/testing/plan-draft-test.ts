import { type FlowDocument, type FoundFlow, planTest, type TestPlan } from '@pawl/dag-core';
import type { Orm } from '../entities/orm.ts';
import { findFlows } from '../flows/find-flows.ts';
import { findFlow } from '../flows/flow-shapes.ts';
import type { TestRequest } from './test-shapes.ts';

/** The draft that is to be tested, the flows that it names, and what a test of it would do. */
export interface PlannedTest {
  readonly draft: FlowDocument;
  readonly flows: ReadonlyMap<string, FoundFlow>;
  readonly plan: TestPlan;
}

/**
 * What a test of a flow's draft would do, node by node; nothing is started.
 *
 * @throws {StoreError} `flow_not_found`
 */
export async function planDraftTest(orm: Orm, request: TestRequest): Promise<PlannedTest> {
  const { workspaceId, registered, ...wish } = request;
  const row = await findFlow(orm.fork(), request);
  const draft = JSON.parse(row.draft) as FlowDocument;
  const flows = await findFlows(orm, workspaceId, draft);
  return { draft, flows, plan: planTest(draft, wish, { ...registered, flows }) };
}
