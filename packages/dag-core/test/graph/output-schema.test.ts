import { describe, expect, it } from 'vitest';
import { type NodeConfig, outputSchemaOf } from '../../src/index.ts';

// Hints about what a node gives must not promise what it does not give.

const tools = new Map([['find@1', { output: { type: 'object' } }]]);
const node = (id: string, fields: object): NodeConfig => ({ id, ...fields }) as unknown as NodeConfig;
const reads = (id: string, value: unknown) => node(id, { kind: 'transform', value });
const schemaOf = (of: NodeConfig) => outputSchemaOf(of, tools);

describe('what a node is known to give', () => {
  it('is a text of a model unless its answer has a schema', () => {
    expect(schemaOf(node('a', { kind: 'llm', model: 'm', prompt: '' }))).toEqual({ type: 'string' });
    const answer = { type: 'object', properties: { label: { type: 'string' } } };
    expect(schemaOf(node('a', { kind: 'llm', model: 'm', prompt: '', output: { schema: answer } }))).toBe(
      answer,
    );
  });

  it('is what its tool declares, and nothing where the tool is not known', () => {
    expect(schemaOf(node('a', { kind: 'tool', tool: 'find@1' }))).toEqual({ type: 'object' });
    expect(schemaOf(node('a', { kind: 'tool', tool: 'gone@1' }))).toBeUndefined();
  });

  it('is, of a transform, its members, with the type of what is no expression', () => {
    expect(schemaOf(reads('a', { sum: '{{ 1 }}', unit: 'EUR' }))).toEqual({
      type: 'object',
      properties: { sum: {}, unit: { type: 'string' } },
    });
    expect(schemaOf(reads('a', '{{ input }}'))).toBeUndefined();
  });

  it('is, of a map, a list of what its only leaf gives, and of a switch the ports taken (K7, K11)', () => {
    expect(
      schemaOf(node('a', { kind: 'map', over: [], body: { nodes: [reads('b', 'text')], edges: [] } })),
    ).toEqual({ type: 'array', items: { type: 'string' } });
    expect(schemaOf(node('a', { kind: 'switch', cases: [{ port: 'yes', when: 'true' }] }))).toMatchObject({
      properties: { ports: { type: 'array' } },
    });
  });
});
