// Which mistake would this catch? A comparison that blames a node for what another one did, or overlooks where two runs part.
import type { FlowDocument, Json } from '@pawl/dag-core';
import { describe, expect, it } from 'vitest';
import { compareRuns, readingsOfPair } from '../../../src/comparing-runs/compare-runs.ts';
import type { RunValues } from '../../../src/run/run-values.ts';
import { aRun, failed, gave, type Told } from './journals.ts';

const sort: FlowDocument = {
  format: 'pawl/1',
  name: 'sort',
  nodes: [
    { id: 'ask', kind: 'llm', model: 'sim:writer', prompt: 'What is {{ input.text }}?' },
    {
      id: 'which',
      kind: 'switch',
      cases: [{ port: 'complaint', when: "nodes.ask.output = 'complaint'" }],
    },
    { id: 'sorry', kind: 'transform', value: 'sorry' },
    { id: 'thanks', kind: 'transform', value: '{{ nodes.ask.output }}' },
  ],
  edges: [
    { from: 'ask', to: 'which' },
    { from: 'which', port: 'complaint', to: 'sorry' },
    { from: 'which', port: 'default', to: 'thanks' },
  ],
};
const complaint: readonly Told[] = [
  gave('ask', 'complaint'),
  gave('which', null, { ports: ['complaint'] }),
  ['thanks', 'nodeRun.skipped', { killedBy: ['which:default->thanks'] }],
  gave('sorry', 'sorry'),
];
const praise: readonly Told[] = [
  gave('ask', 'praise'),
  gave('which', null, { ports: ['default'] }),
  ['sorry', 'nodeRun.skipped', { killedBy: ['which:complaint->sorry'] }],
  gave('thanks', 'praise'),
];

const each: FlowDocument = {
  format: 'pawl/1',
  name: 'each',
  nodes: [
    {
      id: 'parts',
      kind: 'map',
      over: '{{ input.parts }}',
      body: { nodes: [{ id: 'read', kind: 'transform', value: '{{ item }}' }], edges: [] },
    },
  ],
  edges: [],
};
const mapped = (values: Json[]): readonly Told[] => [
  ['parts', 'map.expanded', { count: values.length, itemsHash: String(values.length) }],
  ...values.flatMap((value, at) => [gave(`parts/${at}/read`, value), gave(`parts/${at}`, value)]),
  gave('parts', values),
];

const found = (left: RunValues, right: RunValues) =>
  Object.fromEntries(compareRuns(left, right).pairs.map(({ path, differs }) => [path, differs.join(' ')]));

describe('two runs compared', () => {
  it('C3: say nothing of a run and itself', async () => {
    const run = await aRun(sort, { text: 'a' }, complaint);
    const { pairs, first, isInputOther, isOutputOther } = compareRuns(run, run);
    expect(pairs.flatMap(({ differs }) => differs)).toEqual([]);
    expect([first, isInputOther, isOutputOther]).toEqual([undefined, false, false]);
  });

  it('C4: part at the node that said something else on the same input, not where it shows', async () => {
    const left = await aRun(sort, { text: 'a' }, complaint);
    const right = await aRun(sort, { text: 'a' }, praise);
    expect(found(left, right)).toEqual({
      ask: 'output',
      which: 'input route',
      thanks: 'input status',
      sorry: 'input status',
    });
    const { first, pairs } = compareRuns(left, right);
    expect(first?.path).toBe('ask');
    expect(pairs.filter(({ isDivergence }) => isDivergence).map(({ path }) => path)).toEqual(['ask']);
  });

  it('C4: part nowhere when all that differs is what they were given', async () => {
    const left = await aRun(sort, { text: 'a' }, complaint);
    const right = await aRun(sort, { text: 'b' }, praise);
    const { first, isInputOther } = compareRuns(left, right);
    expect(first).toBeUndefined();
    expect(isInputOther).toBe(true);
  });

  it('C3: a status that differs is told before the output that follows from it', async () => {
    const left = await aRun(sort, { text: 'a' }, complaint);
    const right = await aRun(sort, { text: 'a' }, [failed('ask', 'model_refused')]);
    expect(found(left, right)).toMatchObject({ ask: 'status', which: 'missing' });
    expect(compareRuns(left, right).first?.path).toBe('ask');
  });

  it('C1, C4: part at the item that differs, inside the map and not at it', async () => {
    const left = await aRun(each, { parts: [1, 2, 3] }, mapped([1, 2, 3]));
    const right = await aRun(each, { parts: [1, 2, 3] }, mapped([1, 9, 3]));
    expect(found(left, right)).toEqual({
      'parts/0/read': '',
      'parts/0': '',
      'parts/1/read': 'output',
      'parts/1': 'output',
      'parts/2/read': '',
      'parts/2': '',
      parts: 'output',
    });
    expect(compareRuns(left, right).first?.path).toBe('parts/1/read');
  });

  it('C2: an item is given what stands at its place in the list, whatever the others are', async () => {
    const left = await aRun(each, { parts: [1, 2] }, mapped([1, 2]));
    const right = await aRun(each, { parts: [1, 5, 7] }, mapped([1, 5, 7]));
    expect(found(left, right)).toEqual({
      'parts/0/read': '',
      'parts/0': '',
      'parts/1/read': 'input output',
      'parts/1': 'input output',
      'parts/2/read': 'extra',
      'parts/2': 'extra',
      parts: 'input output',
    });
    expect(compareRuns(left, right).first, 'a longer list is no doing of the map').toBeUndefined();
  });

  it('C1: find a renamed node again, and what reads it', async () => {
    const renamed: FlowDocument = JSON.parse(
      JSON.stringify(sort).replaceAll('"ask"', '"judge"').replaceAll('nodes.ask', 'nodes.judge'),
    );
    const told = complaint.map(([path, ...rest]): Told => [path === 'ask' ? 'judge' : path, ...rest]);
    const left = await aRun(sort, { text: 'a' }, complaint);
    const right = await aRun(renamed, { text: 'a' }, told);
    expect(
      compareRuns(left, right).pairs.map(({ path, right, differs }) => [path, right?.path, differs]),
    ).toEqual([
      ['ask', 'judge', []],
      ['which', 'which', []],
      ['thanks', 'thanks', []],
      ['sorry', 'sorry', []],
    ]);
  });

  it('C4: blame a node that only one version has, and not what follows it', async () => {
    const longer: FlowDocument = {
      ...sort,
      nodes: [
        ...sort.nodes,
        { id: 'log', kind: 'transform', value: 1 },
        { id: 'end', kind: 'transform', value: 2 },
      ],
      edges: [...sort.edges, { from: 'sorry', to: 'log' }, { from: 'log', to: 'end' }],
    };
    const left = await aRun(sort, { text: 'a' }, complaint);
    const right = await aRun(longer, { text: 'a' }, [...complaint, gave('log', 1), gave('end', 2)]);
    const { pairs, first } = compareRuns(left, right);
    expect(first?.path).toBe('log');
    expect(pairs.filter(({ isDivergence }) => isDivergence).map(({ path }) => path)).toEqual(['log']);
  });

  it('C2: name what a node run was given by what the flow says it reads', async () => {
    const run = await aRun(sort, { text: 'a' }, praise);
    const comparison = compareRuns(run, run);
    expect(readingsOfPair(comparison.byPath.get('thanks')!, run, run, comparison).left).toEqual([
      { name: 'nodes.ask.output', value: 'praise' },
    ]);
  });

  it('C3: know an artifact by what is in it, whichever id each run gave it', async () => {
    const kept = (artifactId: string, hash: string): Told =>
      gave('ask', { file: { artifactId, name: 'a.csv', hash } });
    const [left, same, other] = await Promise.all(
      [kept('1', 'x'), kept('2', 'x'), kept('3', 'y')].map((told) => aRun(sort, { text: 'a' }, [told])),
    );
    expect(compareRuns(left!, same!).first).toBeUndefined();
    expect(compareRuns(left!, other!).first?.path).toBe('ask');
  });
});
