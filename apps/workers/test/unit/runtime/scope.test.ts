// Would catch: a node whose name every object has (toString, valueOf) that nobody can read, in a run or in a test of a draft.
import { compileGraph, type FlowDocument, type NodeConfig, viewsBefore } from '@pawl/dag-core';
import { expect, it } from 'vitest';
import { givenOutput } from '../../../src/executors/given.ts';
import { RunContext } from '../../../src/runtime/run-context.ts';
import type { Step } from '../../../src/runtime/step.ts';

const ID = 'toString';
const node = { id: ID, kind: 'transform', value: 1 } as NodeConfig;

function contextOf(more: Partial<FlowDocument> = {}): RunContext {
  const graph = compileGraph({ format: 'pawl/1', name: 'f', nodes: [node], edges: [], ...more });
  const about = {
    runId: 'r',
    workspaceId: 'w',
    versionId: 'v',
    graph,
    input: null,
    seed: 's',
    startedAtMs: 0,
  };
  return new RunContext(about, { read: async () => ({ status: 'succeeded', output: 1 }) });
}

it('a node called toString is read like any other', async () => {
  const context = contextOf();
  const { nodes } = await context.scope('', [context.graph.nodes.get(ID)!]);
  expect(Object.entries(nodes)).toEqual([[ID, { status: 'succeeded', output: 1 }]]);
});

it('Y3: it is given an output by a test that names it, and by no other', () => {
  const outputOf = (outputs: NonNullable<FlowDocument['test']>['outputs']) => {
    const context = contextOf({ test: { part: { do: 'all' }, outputs } as FlowDocument['test'] });
    const step = { context, handle: { path: ID, kind: 'transform' }, node: context.graph.nodes.get(ID)! };
    return { given: givenOutput(step as Step), before: viewsBefore(context.graph, '') };
  };
  expect(outputOf({}).given).toBeUndefined();
  const output = { origin: 'pinned', output: 2, isBefore: true } as const;
  expect(outputOf({ [ID]: output })).toEqual({
    given: output,
    before: { [ID]: { status: 'succeeded', output: 2 } },
  });
});
