import type { TestOutput } from '@pawl/dag-core';
import type { PureExecutor, Step } from '../runtime/step.ts';

// Rules kept here (SPEC.md of the core): Y3 an output that is given is the outcome of its node run, and nothing is called for it.

/** The output that a test run gives for a node run; undefined in every other run. */
export function givenOutput({ context: { graph }, handle, node, agent }: Step): TestOutput | undefined {
  const { test } = graph.document;
  // Items, turns, calls of an agent, and what is asked or undone afterwards belong to a node that runs.
  if (!test || agent || handle.kind !== node.config.kind) return undefined;
  for (const key of [handle.path, node.id]) if (Object.hasOwn(test.outputs, key)) return test.outputs[key];
  return undefined;
}

/** Y3: the output that is given, with where it comes from. */
export const given: PureExecutor = (step) => {
  const { output, ports, isBefore: _, ...origin } = givenOutput(step)!;
  return { type: 'succeeded', output, ...(ports && { ports: [...ports] }), given: origin };
};
