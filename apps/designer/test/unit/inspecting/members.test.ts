import { describe, expect, it } from 'vitest';
import {
  membersOfSchema,
  membersOfValue,
  sampleOf,
  schemaAt,
  valueThrough,
} from '../../../src/inspecting/members.ts';

// A list means its items in the expression language; a sample must stay short whatever the value.

describe('members', () => {
  const schema = {
    type: 'object',
    properties: { lines: { type: 'array', items: { $ref: '#/$defs/line' } } },
    $defs: { line: { type: 'object', properties: { sku: { type: 'string', title: 'Article' } } } },
  };

  it('of a list are those of its items, in the schema and in the value', () => {
    expect(membersOfSchema(schemaAt({ ...schema, properties: {} }, []))).toEqual([]);
    expect(membersOfValue([{ sku: 'A' }, { sku: 'B', count: 2 }])).toEqual([
      { name: 'sku', type: 'string', sample: '"A"' },
      { name: 'count', type: 'integer', sample: '2' },
    ]);
    expect(valueThrough({ lines: [{}, { sku: 'A' }] }, ['lines', 'sku'])).toBe('A');
  });

  it('follow a reference inside the schema', () => {
    const line = { type: 'object', properties: { sku: { type: 'string' } } };
    const whole = { $ref: '#/$defs/line', $defs: { line } };
    expect(membersOfSchema(whole).map(({ name }) => name)).toEqual(['sku']);
    expect(schemaAt(whole, ['sku'])).toEqual({ type: 'string' });
  });

  it('are no more than a page can show, and a sample is one short line', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`m${at}`, at]));
    expect(membersOfValue(many)).toHaveLength(200);
    expect(sampleOf({ text: 'x'.repeat(1_000_000), deep: [[[[[many]]]]] }).length).toBeLessThanOrEqual(60);
    expect(sampleOf('line\nbreak')).toBe('"line\\nbreak"');
  });
});
