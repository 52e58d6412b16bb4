import {
  type FlowDocument,
  issuesOfTest,
  pinFlows,
  type TestOutput,
  type TestPlan,
  testDocument,
  validateFlow,
  validateInput,
  versionId,
} from '@pawl/dag-core';
import type { Orm } from '../entities/orm.ts';
import { StoreError } from '../errors.ts';
import type { HotStore } from '../hot-store.ts';
import { newRunId } from '../ids.ts';
import { mergeBudget } from '../use-cases/merge-budget.ts';
import { keepTestVersion } from './keep-test-version.ts';
import { type PlannedTest, planDraftTest } from './plan-draft-test.ts';
import { recordedOutput } from './recorded-output.ts';
import type { StartedTest, TestStart } from './test-shapes.ts';

/** Longest JSON text of all outputs that one test is given. */
const OUTPUTS_LIMIT_BYTES = 8 * 1024 * 1024;

/**
 * Starts a test run of a flow's draft: plans it, finds the outputs that are given, and runs what takes part as a run like any other.
 *
 * @param refuse says why no run may be started now, if so
 * @throws {StoreError} `flow_not_found`, `test_node_unknown`, `test_runs_nothing`, `effects_undecided`, `test_output_missing`,
 *         `test_outputs_too_large`, `test_invalid`, `input_invalid`, what `refuse` says
 */
export async function startTest(
  { orm, hot }: { readonly orm: Orm; readonly hot: HotStore },
  request: TestStart,
  refuse?: () => Promise<StoreError | undefined>,
): Promise<StartedTest> {
  const planned = await planDraftTest(orm, request);
  demandDecided(request, planned.plan);
  const tested = testDocument(planned.draft, planned.plan, await givenOutputs(orm, request));
  const document = checked(request, planned, tested);
  const { runId, versionId } = await admitTest({ orm, hot }, { ...request, document }, refuse);
  return { runId, versionId, plan: planned.plan };
}

/** Starts a run of a document that was made for it, under the name of a flow of the workspace. */
export async function admitTest(
  { orm, hot }: { readonly orm: Orm; readonly hot: HotStore },
  request: Pick<TestStart, 'workspaceId' | 'flow' | 'by' | 'input' | 'budget' | 'trace'> & {
    readonly document: FlowDocument;
  },
  refuse?: () => Promise<StoreError | undefined>,
): Promise<Pick<StartedTest, 'runId' | 'versionId'>> {
  const { workspaceId, flow, by, trace, document } = request;
  const { value: input, issues } = validateInput(document.input, request.input);
  if (issues.length > 0) throw new StoreError('input_invalid', { flow, issues });
  const refusal = await refuse?.();
  if (refusal) throw refusal;
  const id = versionId(document);
  await keepTestVersion(orm, { workspaceId, flow, id, text: JSON.stringify(document) });
  const runId = newRunId();
  await hot.admit({
    runId,
    workspaceId,
    flow,
    versionId: id,
    graph: await hot.graphs.get(workspaceId, id),
    input,
    budget: mergeBudget(document.budget, request.budget),
    trigger: 'test',
    mode: 'test',
    by,
    seed: runId,
    ...(trace && { trace }),
  });
  return { runId, versionId: id };
}

/** Y4: nothing that must not be repeated is called unless a person allowed it by name. */
function demandDecided({ flow, part }: TestStart, { refusal, undecided }: TestPlan): void {
  const node = part.do === 'all' ? undefined : part.node;
  if (refusal?.code === 'node_unknown') throw new StoreError('test_node_unknown', { flow, node: node! });
  if (refusal) throw new StoreError('test_runs_nothing', { flow, node, because: refusal.because });
  if (undecided.length > 0) throw new StoreError('effects_undecided', { flow, nodes: undecided });
}

async function givenOutputs(
  orm: Orm,
  { workspaceId, flow, outputs }: TestStart,
): Promise<Record<string, TestOutput>> {
  const given: Record<string, TestOutput> = {};
  for (const [key, wish] of Object.entries(outputs)) {
    if (wish.origin !== 'recorded') {
      given[key] = wish;
      continue;
    }
    const nodeId = key.slice(key.lastIndexOf('/') + 1);
    const { runId, path = key === nodeId ? undefined : key } = wish;
    const found = await recordedOutput(orm, { workspaceId, flow, runId, nodeId, path });
    if (!found) throw new StoreError('test_output_missing', { node: key, runId });
    given[key] = found;
  }
  const bytes = Buffer.byteLength(JSON.stringify(given));
  if (bytes > OUTPUTS_LIMIT_BYTES)
    throw new StoreError('test_outputs_too_large', { bytes, limitBytes: OUTPUTS_LIMIT_BYTES });
  return given;
}

/** The document of the test with the flows it names pinned to versions (K12); what is not run may be unfinished. */
function checked(
  { flow, registered }: TestStart,
  { draft, flows }: PlannedTest,
  tested: FlowDocument,
): FlowDocument {
  const issues = issuesOfTest(draft, tested, validateFlow(draft, { ...registered, flows }).issues);
  if (issues.length > 0) throw new StoreError('test_invalid', { flow, issues });
  return pinFlows(tested, flows);
}
