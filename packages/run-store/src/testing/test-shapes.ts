import type {
  BudgetLimits,
  Json,
  Registered,
  TestPart,
  TestPlan,
  TestWish,
  TraceContext,
} from '@pawl/dag-core';
import type { FlowRef } from '../flows/flow-shapes.ts';

/** An output that is wished for: given as it is, or as a run of the flow recorded it. */
export type WishedOutput =
  | { readonly origin: 'pinned' | 'mocked'; readonly output: Json; readonly ports?: readonly string[] }
  /** Without a path: of the first node run of that node that succeeded. */
  | { readonly origin: 'recorded'; readonly runId: string; readonly path?: string };

/** A test of a flow's draft, as it is asked for. */
export interface TestRequest extends FlowRef, Pick<TestWish, 'allow' | 'off'> {
  readonly part: TestPart;
  readonly outputs: Readonly<Record<string, WishedOutput>>;
  readonly registered?: Omit<Registered, 'flows'>;
}

/** What a test run starts with besides. */
export interface TestStart extends TestRequest {
  readonly input: Json;
  readonly by: string;
  readonly budget?: BudgetLimits;
  readonly trace?: TraceContext;
}

export interface StartedTest {
  readonly runId: string;
  readonly versionId: string;
  readonly plan: TestPlan;
}
