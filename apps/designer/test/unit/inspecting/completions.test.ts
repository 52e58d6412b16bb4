import { describe, expect, it } from 'vitest';
import { completionsFor, type Seen } from '../../../src/inspecting/completions.ts';
import type { Readable } from '../../../src/inspecting/readable.ts';

// What is offered must be what the schema and the last run say together.

const readable: readonly Readable[] = [
  {
    path: ['nodes', 'find', 'output'],
    title: 'Find order',
    schema: {
      type: 'object',
      properties: { amount: { type: 'number', description: 'in euros' }, note: { type: 'string' } },
    },
  },
  { path: ['input'] },
];
const seen: Seen = async (paths) =>
  paths.map((path) => {
    if (path.join('.') !== 'nodes.find.output') return undefined;
    const amount = { name: 'amount', type: 'number' as const, sample: '42.5' };
    return { sample: '{"amount":42.5}', members: [amount, { name: 'odd name', sample: '1' }] };
  });
const offered = (path: string[], written: 'expression' | 'code' = 'expression') =>
  completionsFor({ from: 0, path, begun: '' }, written, readable, seen);

describe('what is offered', () => {
  it('at the beginning are whole readings with the sample of the run, then functions', async () => {
    const [first, second, third] = await offered([]);
    expect(first).toMatchObject({
      text: 'nodes.find.output',
      title: 'Find order',
      sample: '{"amount":42.5}',
    });
    expect(second).toMatchObject({ text: 'input' });
    expect(third).toMatchObject({ text: '$sum', is: 'function' });
    expect((await offered([], 'code')).some(({ is }) => is === 'function')).toBe(false);
  });

  it('after nodes are those upstream, after a node what it shows', async () => {
    expect((await offered(['nodes'])).map(({ text }) => text)).toEqual(['find']);
    expect((await offered(['nodes', 'find'])).map(({ text }) => text)).toEqual([
      'output',
      'status',
      'failure',
    ]);
    expect(await offered(['nodes', 'later'])).toEqual([]);
  });

  it('of a value are the members that its schema names and those that the run has, quoted where they must be', async () => {
    expect(await offered(['nodes', 'find', 'output'])).toMatchObject([
      { text: 'amount', type: 'number', about: 'in euros', sample: '42.5' },
      { text: 'note', type: 'string' },
      { text: '`odd name`', sample: '1' },
    ]);
  });
});
