// Which mistake would this catch? A problem that a click cannot find, one of an inner node shown at its container, a suggestion that
// can be read but not taken.
import { describe, expect, it } from 'vitest';
import { findProblems, problemsByNode } from '../../../src/editor/index.ts';
import { draft, edges, map, node, reads, route } from './drafts.ts';

describe('problems', () => {
  it('D15: are told at the node that has them, in its graph, at its setting, with what was probably meant', () => {
    const document = draft([
      node('lookup'),
      map('m', [reads('inner', { deep: ['{{ nodes.lokup.output }}'] })], [], { concurrency: 'many' }),
    ]);
    expect(findProblems(document)).toMatchObject([
      { code: 'wrong_type', graph: [], node: 'm', at: '/concurrency' },
      { code: 'reference_unknown_node', graph: ['m'], node: 'inner', at: '/value/deep/0', instead: 'lookup' },
    ]);
    expect([...problemsByNode(findProblems(document)).keys()]).toEqual(['m', 'inner']);
  });

  it('D15: are told at the edge, or at the flow, that has them', () => {
    const document = draft([route('s', 'big'), node('a')], edges('s:bgi -> a'), {
      output: '{{ nope }}',
      colour: 1,
    });
    const found = findProblems(document).map(({ code, node: id, edge: line, at: place, instead }) => ({
      code,
      id,
      line,
      place,
      instead,
    }));
    expect(found).toContainEqual({
      code: 'port_unknown',
      id: undefined,
      line: document.edges[0],
      place: '/port',
      instead: 'big',
    });
    expect(found).toContainEqual({
      code: 'property_unknown',
      id: undefined,
      line: undefined,
      place: '/colour',
      instead: undefined,
    });
    expect(found.find(({ place }) => place === '/output')).toMatchObject({ code: 'reference_unknown' });
  });

  it('D15: name what has them as a person would, and not by a JSON pointer', () => {
    const inner = { ...node('inner'), kind: 'llm', prompt: 7 };
    const document = draft(
      [{ ...node('a'), colour: 1, retry: { maxAttempts: 'x' } }, map('m', [inner as never])] as never,
      [{ from: 'a' }] as never,
      { budget: { costUsd: -1 } },
    );
    const messages = findProblems(document).map(({ message }) => message);
    expect(messages).toEqual(
      expect.arrayContaining([
        'The node has no property "colour"',
        expect.stringMatching(/^retry.maxAttempts must be /),
        expect.stringMatching(/^prompt must be /),
        'The edge lacks "to"',
        'budget.costUsd must be >= 0',
      ]),
    );
    expect(messages.filter((message) => message.startsWith('/'))).toEqual([]);
  });

  it('D15: of an inner graph that has none of its own nodes to blame are those of the container', () => {
    const found = findProblems(draft([map('m', [])]));
    expect(found).toMatchObject([{ graph: [], node: 'm', at: '/body/nodes' }]);
  });

  it('D15: of a draft that is no flow are told too', () => {
    const found = findProblems(draft([null, { kind: 'llm' }, node('a')] as never, [7] as never));
    expect(found.length).toBeGreaterThan(2);
    expect(found.every(({ graph }) => graph.length === 0)).toBe(true);
  });
});
