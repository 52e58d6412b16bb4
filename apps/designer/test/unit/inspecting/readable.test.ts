import { describe, expect, it } from 'vitest';
import { whatCanBeRead, writtenPath } from '../../../src/inspecting/readable.ts';
import { standpointAt } from '../../../src/inspecting/standpoint.ts';
import { draft, edges, map, node } from '../editor/drafts.ts';

// A list that offers what cannot be read, or hides what can, would lead people into errors.

const tools = new Map([
  ['find@1', { output: { type: 'object', properties: { lines: { type: 'array', items: LINE() } } } }],
]);
function LINE() {
  return { type: 'object', properties: { sku: { type: 'string' } } };
}

const flow = draft(
  [
    node('read'),
    node('find', { kind: 'tool', tool: 'find@1', title: 'Find order' }),
    node('aside'),
    map('each', [node('line'), node('score')], edges('line -> score'), {
      over: '{{ nodes.find.output.lines }}',
    }),
    node('after'),
  ],
  edges('read -> find', 'find -> each', 'each -> after'),
  { input: { type: 'object', properties: { text: { type: 'string' } } } },
);

const read = (id: string, pointer = '/value') => {
  const found = flow.nodes.find((each) => each.id === id) ?? { kind: 'transform' as const };
  return whatCanBeRead(flow, id, standpointAt(found, pointer), tools as never);
};
const written = (id: string, pointer?: string) => read(id, pointer).map(({ path }) => writtenPath(path));

describe('what an expression can read (X2, X3)', () => {
  it('is what settles before, the nearest first, and nothing beside or behind', () => {
    expect(written('after')).toEqual([
      'nodes.each.output',
      'nodes.find.output',
      'nodes.read.output',
      'input',
      'run',
    ]);
    expect(written('read')).toEqual(['input', 'run']);
  });

  it('inside a map is also what is upstream of the map, the item and its index', () => {
    expect(written('score')).toEqual([
      'nodes.line.output',
      'nodes.find.output',
      'nodes.read.output',
      'input',
      'item',
      'index',
      'run',
    ]);
  });

  it('in the output of a map is every node of its body', () => {
    expect(written('each', '/output')).toEqual([
      'nodes.score.output',
      'nodes.line.output',
      'nodes.find.output',
      'nodes.read.output',
      'input',
      'item',
      'index',
      'run',
    ]);
    expect(written('each', '/over')).not.toContain('item');
  });

  it('names secrets in the arguments of a tool only', () => {
    expect(written('find', '/args/key')).toContain('secrets');
    expect(written('find', '/title')).not.toContain('secrets');
  });

  it('knows the item of a map from the list that it runs over, and titles of nodes', () => {
    expect(read('line').find(({ path }) => path[0] === 'item')?.schema).toEqual(LINE());
    expect(read('after').find(({ path }) => path[1] === 'find')?.title).toBe('Find order');
  });

  it('writes an id with a hyphen in backticks', () => {
    expect(writtenPath(['nodes', 'my-node', 'output'])).toBe('nodes.`my-node`.output');
  });
});
