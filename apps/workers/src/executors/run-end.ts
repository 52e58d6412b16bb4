import { setTimeout as pause } from 'node:timers/promises';
import type { ControlFact, NodeView } from '@pawl/dag-core';
import { compiledFlow } from '../runtime/compiled-flow.ts';
import { failureOfComputation } from '../runtime/failure-of.ts';
import type { RunContext } from '../runtime/run-context.ts';
import { leafOutputs } from './map.ts';

type RunEnd = Extract<ControlFact, { type: 'runEnded' }>;

/** Waits before the output of a run is computed again that took too long. Nobody tries a run again, as one tries a node run. */
const PAUSES_MS = [100, 400, 1_600];

/** Computes the output of a run whose nodes have all ended: the flow's output template, else the leaves that ran. */
export async function runEnd(context: RunContext): Promise<RunEnd> {
  for (const pauseMs of PAUSES_MS) {
    const end = await compute(context);
    if (end.failure?.class !== 'timed_out') return end;
    await pause(pauseMs);
  }
  return compute(context);
}

async function compute(context: RunContext): Promise<RunEnd> {
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
