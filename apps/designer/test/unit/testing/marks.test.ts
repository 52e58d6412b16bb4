// Catches: a canvas that shows another node run than the one that matters, or a given output as if it had been called for.
import { compileGraph, type FlowDocument, type RecordedEvent } from '@pawl/dag-core';
import { describe, expect, it } from 'vitest';
import { RunHistory } from '../../../src/run/history.ts';
import { marksOf, nodeRunsIn } from '../../../src/testing/marks.ts';

const document: FlowDocument = {
  format: 'pawl/1',
  name: 'a-flow',
  nodes: [
    { id: 'a', kind: 'transform', value: 1 },
    {
      id: 'each',
      kind: 'map',
      over: '{{ [1, 2] }}',
      onItemError: 'collect',
      body: { nodes: [{ id: 'x', kind: 'transform', value: '{{ item }}' }], edges: [] },
    },
  ],
  edges: [{ from: 'a', to: 'each' }],
  test: {
    part: { do: 'from', node: 'each' },
    outputs: {
      a: { origin: 'recorded', output: 1, runId: 'r', path: 'a', ports: [''], isBefore: true },
      far: { origin: 'mocked', output: 2, isBefore: true },
    },
  },
};
const failure = { code: 'bad', message: 'Bad.', class: 'permanent' };
const event = (seq: number, type: string, path: string, data: object): RecordedEvent =>
  ({ seq, at: seq, type, path, attempt: path ? 1 : 0, data: { v: 1, ...data } }) as RecordedEvent;
const history = new RunHistory(compileGraph(document));
for (const one of [
  event(1, 'run.admitted', '', {
    versionId: 'v',
    input: {},
    budget: {},
    trigger: 'test',
    mode: 'test',
    seed: 's',
  }),
  event(2, 'outcome.succeeded', 'a', { output: 1, given: { origin: 'recorded', runId: 'r', path: 'a' } }),
  event(3, 'map.expanded', 'each', { count: 2, itemsHash: 'h' }),
  event(4, 'outcome.failed', 'each/0/x', { failure, next: 'stop' }),
  event(5, 'outcome.succeeded', 'each/1/x', { output: 2 }),
])
  history.take(one);

describe('how the nodes of a draft stand in a test', () => {
  it('Y4: of several node runs of a node the one that matters first', () => {
    expect(marksOf(history).x).toMatchObject({ status: 'failed' });
  });

  it('Y4: a given output is told as given; so is one that stands before the part and has no node run', () => {
    const { a, far } = marksOf(history);
    expect(a).toMatchObject({ status: 'succeeded', given: { origin: 'recorded', runId: 'r' } });
    expect(far).toMatchObject({ status: 'succeeded', given: { origin: 'mocked' } });
  });

  it('lists node runs of drawn nodes, and no items', () => {
    expect(nodeRunsIn(history).map(({ path }) => path)).toEqual(['a', 'each', 'each/0/x', 'each/1/x']);
  });
});
