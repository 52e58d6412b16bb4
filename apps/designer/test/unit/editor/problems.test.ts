// Which mistake would this catch? A problem that a click cannot find, one of an inner node shown at its container, a suggestion that
// can be read but not taken.
import type { NodeConfig } from '@pawl/dag-core';
import { describe, expect, it } from 'vitest';
import { findProblems, problemsByNode } from '../../../src/editor/index.ts';
import { draft, edges, map, node, reads, route } from './drafts.ts';

describe('problems', () => {
  it('D15: are told at the node that has them, in its graph, at its setting, as it is drawn', () => {
    const document = draft([
      node('lookup'),
      map('m', [reads('inner', { deep: ['{{ nodes.lokup.output }}'] })], [], { concurrency: 'many' }),
    ]);
    expect(findProblems(document)).toMatchObject([
      { code: 'wrong_type', graph: [], node: 'm', at: '/concurrency' },
      { code: 'reference_unknown_node', graph: ['m'], node: 'inner', at: '/value/deep/0' },
    ]);
    expect([...problemsByNode(findProblems(document)).keys()]).toEqual(['m', 'inner']);
  });

  it('D15: are mended by what they name: another node, another tool, a conversion', () => {
    const tool = (name: string) => ({
      name,
      version: '1',
      effect: 'pure' as const,
      input: { properties: { n: { type: 'number' } } },
    });
    const tools = new Map([['sum@1', tool('sum')]]);
    const sum = (id: string, n: string, ref = 'sum@1') => node(id, { kind: 'tool', tool: ref, args: { n } });
    const asked = node('ask', { kind: 'llm', model: 'sim:a', prompt: 'How many?' });
    const fixesOf = (...nodes: NodeConfig[]) => {
      const document = draft([asked, ...nodes], edges('ask -> a'));
      return findProblems(document, { tools }).map(({ fix }) => fix);
    };
    expect(fixesOf(sum('a', '{{ nodes.ask.output }}'))).toEqual([
      { text: '{{ $number(nodes.ask.output) }}', instead: '{{ $number(nodes.ask.output) }}' },
    ]);
    expect(fixesOf(sum('a', 'of {{ 1 + nodes.akk.output }}'))).toEqual([
      { text: 'of {{ 1 + nodes.ask.output }}', instead: 'ask' },
    ]);
    expect(fixesOf(sum('a', '{{ 1 }}', 'sun@1'))).toEqual([{ text: 'sum@1', instead: 'sum@1' }]);
    const dashed = { ...asked, id: 'the-ask' };
    expect(fixesOf(dashed, sum('a', '{{ nodes.`the-aks`.output }}'))[0]).toEqual({
      text: '{{ nodes.`the-ask`.output }}',
      instead: 'the-ask',
    });
  });

  it('D15: have no way out to take where a name would be guessed', () => {
    const document = draft([node('a', { colour: 'red' }), route('s', 'big')], edges('s:bgi -> a'));
    expect(findProblems(document).map(({ fix }) => fix)).toEqual([undefined, undefined]);
  });

  it('D15: are told at the edge, or at the flow, that has them', () => {
    const document = draft([route('s', 'big'), node('a')], edges('s:bgi -> a'), {
      output: '{{ nope }}',
      colour: 1,
    });
    const found = findProblems(document).map(({ code, node: id, edge: line, at: place }) => ({
      code,
      id,
      line,
      place,
    }));
    expect(found).toContainEqual({
      code: 'port_unknown',
      id: undefined,
      line: document.edges[0],
      place: '/port',
    });
    expect(found).toContainEqual({
      code: 'property_unknown',
      id: undefined,
      line: undefined,
      place: '/colour',
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
