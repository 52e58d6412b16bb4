import type { Client } from '@pawl/api';
import type { FlowDocument } from '@pawl/dag-core';
import { lookOf } from '../../../editor/index.ts';
import type { ChosenTest } from '../../../testing/choices.ts';
import type { Mock } from '../../../testing/testing.ts';

type Outputs = NonNullable<Parameters<Client['startTest']>[0]['body']['outputs']>;

/** The outputs that a test is given, each as it was chosen. */
export function outputsOf(
  { plan }: ChosenTest,
  {
    document,
    mocks,
    runId,
    recorded,
  }: {
    readonly document: FlowDocument;
    readonly mocks: Readonly<Record<string, Mock>>;
    readonly runId: string | undefined;
    readonly recorded: ReadonlyMap<string, string>;
  },
): Outputs {
  const outputs: Outputs = {};
  for (const { node, does, origin } of plan.nodes) {
    if (does !== 'given') continue;
    const pin = lookOf(document, node).pin;
    const mock = mocks[node];
    const path = recorded.get(node);
    if (origin === 'pinned' && pin)
      outputs[node] = { origin, output: pin.output, ...(pin.ports && { ports: [...pin.ports] }) };
    if (origin === 'mocked' && mock)
      outputs[node] = { origin, output: mock.output, ...(mock.port && { ports: [mock.port] }) };
    if (origin === 'recorded' && runId && path) outputs[node] = { origin, runId, path };
  }
  return outputs;
}
