import type { ControlFact, NodeView } from '@pawl/dag-core';
import { compiledFlow } from '../runtime/compiled-flow.ts';
import { failureOfComputation } from '../runtime/failure-of.ts';
import type { RunContext } from '../runtime/run-context.ts';
import { leafOutputs } from './map.ts';

/** Computes the output of a run whose nodes have all ended: the flow's output template, else the leaves that ran. */
export async function runEnd(context: RunContext): Promise<Extract<ControlFact, { type: 'runEnded' }>> {
  const { graph } = context;
  try {
    const template = compiledFlow(graph).output;
    if (template) return { type: 'runEnded', output: await context.evaluate('', '', template) };
    const leaves = graph.root.leaves.map((leaf) => leaf.id);
    const views: NodeView[] = await Promise.all(leaves.map((id) => context.view(id)));
    return { type: 'runEnded', output: leafOutputs(leaves, views) };
  } catch (error) {
    return { type: 'runEnded', failure: failureOfComputation(error) };
  }
}
