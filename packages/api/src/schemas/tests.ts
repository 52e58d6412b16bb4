import { z } from 'zod';
import { list, named } from './named.ts';
import { EffectWord } from './node-runs.ts';
import { BudgetLimitsValue, Id, JsonValue, NodeId, VersionId } from './values.ts';

const Ports = list(z.string().max(64))
  .optional()
  .meta({ description: 'Ports it leaves by. Absent: the normal one.' });

/** What is tried: all of the draft, what leads to a node, what follows from it, or it alone. */
export const TestPartValue = named(
  'TestPart',
  z.discriminatedUnion('do', [
    z.strictObject({ do: z.literal('all') }),
    z.strictObject({ do: z.enum(['to', 'from', 'only']), node: NodeId }),
  ]),
);

const WishedOutput = named(
  'WishedOutput',
  z.discriminatedUnion('origin', [
    z.strictObject({ origin: z.enum(['pinned', 'mocked']), output: JsonValue, ports: Ports }),
    z.strictObject({
      origin: z.literal('recorded'),
      runId: Id.meta({ description: 'A run of this flow.' }),
      path: z
        .string()
        .max(2_000)
        .optional()
        .meta({ description: 'Absent: the first node run of the node that succeeded.' }),
    }),
  ]),
);

const testWish = {
  part: TestPartValue,
  outputs: z
    .record(z.string().regex(/^[A-Za-z][A-Za-z0-9_/-]{0,1999}$/), WishedOutput)
    .optional()
    .meta({ description: 'Outputs that stand for those of nodes: by node, or by path of one node run.' }),
  allow: list(NodeId).optional().meta({ description: 'Nodes that may call what must not be repeated.' }),
  off: list(NodeId).optional().meta({ description: 'Nodes that are not to run, nor what needs them.' }),
};

export const PlanTest = named('PlanTest', z.strictObject(testWish));
export const StartTest = named(
  'StartTest',
  z.strictObject({ ...testWish, input: JsonValue.optional(), budget: BudgetLimitsValue.optional() }),
);

const PlannedNodeValue = named(
  'PlannedNode',
  z.object({
    node: z.string(),
    does: z.enum(['computes', 'calls', 'given', 'nothing']),
    effect: EffectWord,
    calls: list(z.string()).meta({ description: 'Tools, models, signals and flows that it may call.' }),
    origin: z.enum(['pinned', 'recorded', 'mocked']).optional(),
    isBefore: z
      .literal(true)
      .optional()
      .meta({ description: 'It stands before the part, and is there to be read.' }),
    why: z.enum(['outside', 'off', 'needs', 'holds']).optional(),
    because: z.string().optional(),
    lacks: list(z.string()).optional().meta({ description: 'Nodes that it reads and that give nothing.' }),
  }),
);

/** What a test run would do, node by node. */
export const TestPlanValue = named(
  'TestPlan',
  z.object({
    part: TestPartValue,
    nodes: list(PlannedNodeValue),
    undecided: list(z.string()).meta({
      description: 'Nodes that would call what must not be repeated, and that nobody has allowed to.',
    }),
    refusal: z
      .object({
        code: z.enum(['node_unknown', 'node_left_out', 'nothing_runs']),
        because: z.string().optional(),
      })
      .optional(),
  }),
);
export const StartedTest = named(
  'StartedTest',
  z.object({ runId: Id, versionId: VersionId, plan: TestPlanValue }),
);
