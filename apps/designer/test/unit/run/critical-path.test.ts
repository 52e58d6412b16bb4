// Which mistake would this catch? A node named as what a run waited for that it did not wait for, and the one that it did wait for left out.
import { compileGraph, type FlowDocument, type NodeRunStatus, type RecordedEvent } from '@pawl/dag-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { criticalPath } from '../../../src/run/critical-path.ts';
import { RunHistory } from '../../../src/run/history.ts';

type Times = Readonly<Record<string, readonly [from: number, to?: number]>>;

/** A history in which each node worked from when to when; one that is given a single time was skipped then. */
function historyOf(edges: readonly string[], times: Times, skipped: readonly string[] = []): RunHistory {
  const ids = [...new Set(edges.flatMap((edge) => edge.split('>')))];
  const document: FlowDocument = {
    format: 'pawl/1',
    name: 'x',
    nodes: ids.map((id) => ({ id, kind: 'transform', value: 1 })),
    edges: edges
      .filter((edge) => edge.includes('>'))
      .map((edge) => {
        const [from = '', to = ''] = edge.split('>');
        return { from, to };
      }),
  };
  const history = new RunHistory(compileGraph(document));
  for (const [id, [from, to]] of Object.entries(times)) {
    const moment = (status: NodeRunStatus, at: number) => ({
      seq: 1,
      at,
      status,
      attempt: 1,
      deadEdges: [],
      costNanoUsd: 0,
      tokens: 0,
    });
    const moments = skipped.includes(id)
      ? [moment('skipped', from)]
      : [moment('running', from), ...(to === undefined ? [] : [moment('succeeded', to)])];
    history.nodeRuns.set(id, { path: id, nodeId: id, kind: 'transform', moments, events: [] });
  }
  return history;
}
const pathOf = (...args: Parameters<typeof historyOf>): string =>
  criticalPath(historyOf(...args), 1)
    .map(({ path }) => path)
    .join(' ');

describe('the critical path', () => {
  it('goes through the branch that ended later', () => {
    const edges = ['a>b', 'a>c', 'b>d', 'c>d'];
    expect(pathOf(edges, { a: [0, 1], b: [1, 9], c: [1, 5], d: [9, 10] })).toBe('a b d');
    expect(pathOf(edges, { a: [0, 1], b: [1, 4], c: [1, 5], d: [5, 10] })).toBe('a c d');
  });

  it('ends with what ended last, joined or not, and with what still lasts', () => {
    const edges = ['a>b', 'a>c'];
    expect(pathOf(edges, { a: [0, 1], b: [1, 9], c: [1, 5] })).toBe('a b');
    expect(pathOf(edges, { a: [0, 1], b: [1, 9], c: [1] })).toBe('a c');
  });

  it('goes on to what took no time, in the same millisecond, and not to what was passed over then', () => {
    const edges = ['ask>drop', 'ask>send', 'send>note'];
    const times: Times = { ask: [0, 7], drop: [7], send: [7, 7], note: [7, 7] };
    expect(pathOf(edges, times, ['drop'])).toBe('ask send note');
  });

  it('goes past a branch that was passed over to what decided that', () => {
    const edges = ['s>x', 'x>j', 'b>j'];
    const times: Times = { s: [0, 7], x: [7], b: [0, 3], j: [7, 9] };
    expect(pathOf(edges, times, ['x'])).toBe('s j');
  });

  it('leaves out what ended after the node had begun: a join "first" did not wait for it', () => {
    expect(pathOf(['a>j', 'b>j'], { a: [0, 2], b: [0, 8], j: [2, 9] })).toBe('a j');
  });

  it('is that of the rules themselves: a node is pending from the first end that it waits for, and begins at the last', () => {
    const document: FlowDocument = {
      format: 'pawl/1',
      name: 'x',
      nodes: [
        { id: 'fast', kind: 'approval', subject: 'a' },
        { id: 'slow', kind: 'approval', subject: 'b' },
        { id: 'last', kind: 'transform', value: 1 },
      ],
      edges: [
        { from: 'fast', to: 'last' },
        { from: 'slow', to: 'last' },
      ],
    };
    const history = new RunHistory(compileGraph(document));
    const take = (seq: number, at: number, type: string, path: string, data: object) =>
      history.take({ seq, at, type, path, attempt: path ? 1 : 0, data: { v: 1, ...data } } as RecordedEvent);
    const shown = 'b'.repeat(64);
    const run = { versionId: 'a'.repeat(64), input: {}, budget: {}, trigger: 'api', seed: 's' };
    take(1, 0, 'run.admitted', '', run);
    take(2, 1, 'inbox.asked', 'fast', { kind: 'approval', subject: 'a', shown });
    take(3, 1, 'inbox.asked', 'slow', { kind: 'approval', subject: 'b', shown });
    take(4, 5, 'inbox.answered', 'fast', { question: 2, decision: 'approved', by: 'local' });
    take(5, 6, 'outcome.succeeded', 'fast', { output: {} });
    take(6, 9, 'inbox.answered', 'slow', { question: 3, decision: 'approved', by: 'local' });
    take(7, 10, 'outcome.succeeded', 'slow', { output: {} });
    const paths = () => criticalPath(history, history.lastSeq).map(({ path }) => path);
    expect(paths()).toEqual(['slow', 'last']);
    take(8, 12, 'outcome.succeeded', 'last', { output: 1 });
    expect(paths()).toEqual(['slow', 'last']);
    expect(criticalPath(history, 5).map(({ path }) => path)).toEqual(['slow']);
  });

  it('is empty of a run of which nothing was reached', () => {
    expect(pathOf(['a>b'], {})).toBe('');
  });

  it('of any run is a way along edges, each part begun when or after the one before had ended, up to the last end', () => {
    const run = fc.array(fc.tuple(fc.nat(50), fc.nat(50), fc.array(fc.nat(20), { maxLength: 3 })), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(run, (drawn) => {
        const times: Record<string, readonly [number, number]> = {};
        const edges: string[] = [];
        drawn.forEach(([late, took, before], index) => {
          const sources = index === 0 ? [] : [...new Set(before.map((each) => each % index))];
          const ready = Math.max(0, ...sources.map((each) => times[`n${each}`]![1]));
          times[`n${index}`] = [ready + late, ready + late + took];
          edges.push(`n${index}`, ...sources.map((each) => `n${each}>n${index}`));
        });
        const found = criticalPath(historyOf(edges, times), 1);
        const end = Math.max(...Object.values(times).map(([, to]) => to));
        expect(found.at(-1)!.to).toBe(end);
        found.slice(1).forEach((part, index) => {
          const earlier = found[index]!;
          expect(edges).toContain(`${earlier.path}>${part.path}`);
          expect(earlier.to!).toBeLessThanOrEqual(part.from);
        });
        expect(edges.filter((edge) => edge.endsWith(`>${found[0]!.path}`))).toEqual([]);
      }),
    );
  });
});
