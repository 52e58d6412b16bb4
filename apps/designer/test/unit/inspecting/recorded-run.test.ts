import type { FlowDocument, Json, NodeView } from '@pawl/dag-core';
import { describe, expect, it } from 'vitest';
import { RecordedRun } from '../../../src/inspecting/recorded/recorded-run.ts';
import { draft, edges, map, node, reads } from '../editor/drafts.ts';

// A preview that shows another value than the run had, or none where there was one, would be believed.

const outputs: Readonly<Record<string, Json>> = {
  find: {
    lines: [
      { sku: 'A', cents: 100 },
      { sku: 'B', cents: 250 },
    ],
  },
  'each/0/price': 1,
  'each/1/price': 2.5,
  'again/0': { count: 1 },
};

const document: FlowDocument = draft(
  [
    node('find'),
    map('each', [reads('price', '{{ item.cents / 100 }}')], [], { over: '{{ nodes.find.output.lines }}' }),
    node('again', { kind: 'loop', until: 'true', body: { nodes: [node('turn')], edges: [] } }),
    node('count', { kind: 'code', source: 'export default ({ nodes }) => nodes.find.output.lines.length;' }),
  ],
  edges('find -> each', 'each -> again', 'again -> count'),
);

const run = new RecordedRun({
  document,
  input: { limit: 200 },
  run: { id: 'r', startedAt: '2026-01-01T00:00:00Z' },
  nodeRun: async (path): Promise<NodeView | undefined> =>
    path in outputs ? { status: 'succeeded', output: outputs[path]! } : undefined,
});

const value = (template: Json, scopePath = '', as: 'value' | 'text' | 'expression' = 'value') =>
  run.evaluate({ template, as }, scopePath);

describe('an expression on a recorded run', () => {
  it('gives what it would have given there', async () => {
    expect(await value('{{ $sum(nodes.find.output.lines.cents) > input.limit }}')).toBe(true);
    expect(await value('Sum {{ $sum(nodes.find.output.lines.cents) }}', '', 'text')).toBe('Sum 350');
    expect(await value({ first: '{{ nodes.find.output.lines[0].sku }}' })).toEqual({ first: 'A' });
  });

  it('in an item of a map reads that item, and what ran in it', async () => {
    expect(await value('{{ item.sku & index }}', 'each/1')).toBe('B1');
    expect(await value('{{ nodes.price.output }}', 'each/1')).toBe(2.5);
    await expect(value('{{ item }}', 'each/7')).rejects.toMatchObject({ code: 'item_not_there' });
  });

  it('in a turn of a loop reads what the turn before gave, in the first nothing', async () => {
    expect(await value('{{ item.count }}', 'again/1')).toBe(1);
    await expect(value('{{ item.count }}', 'again/0')).rejects.toMatchObject({ code: 'expression_empty' });
  });

  it('of a node that the version does not have says so, and which one', async () => {
    await expect(value('{{ nodes.renamed.output }}')).rejects.toMatchObject({
      code: 'version_lacks_node',
      what: 'renamed',
    });
    await expect(value('{{ item }}', 'gone/0')).rejects.toMatchObject({ what: 'gone' });
  });

  it('shows a secret as the name that it is, never more (V13)', async () => {
    expect(await value('{{ secrets.API_KEY }}')).toEqual({ $secret: 'API_KEY' });
  });

  it('of what only an agent knows while it runs says so', async () => {
    await expect(value('turn.index > 2', '', 'expression')).rejects.toMatchObject({
      code: 'known_in_the_run_only',
      what: 'turn',
    });
  });

  it('tells what a node run read, of code by the names in its source', async () => {
    expect(await run.readings('each/1/price')).toEqual([{ path: 'item.cents', value: 250 }]);
    expect(await run.readings('count')).toEqual([
      { path: 'input', value: { limit: 200 } },
      { path: 'nodes.find.output', value: outputs.find },
    ]);
  });
});
