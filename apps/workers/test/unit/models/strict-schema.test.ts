// Would catch: a schema compiled to something that a strict provider refuses on every call (C32).
import type { JsonSchema } from '@pawl/tool-sdk';
import { describe, expect, it } from 'vitest';
import { strictSchemaProblem } from '../../../../../test/support/fake-openai/validate-schema.ts';
import { isWrapped, sentSchemaOf } from '../../../src/models/strict-schema.ts';

const compile = (schema: unknown) => sentSchemaOf(schema as JsonSchema);

describe('C32: strict schemas', () => {
  it.each([
    [
      'optional properties, nested in lists',
      {
        type: 'object',
        properties: {
          list: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } },
        },
      },
    ],
    [
      'lengths and defaults',
      {
        type: 'object',
        required: ['a'],
        properties: { a: { type: 'string', minLength: 1, maxLength: 9, default: 'x' } },
      },
    ],
    [
      'const, enum without type, oneOf',
      {
        type: 'object',
        properties: {
          k: { const: 'x' },
          e: { enum: ['a', 1, null] },
          o: { oneOf: [{ type: 'string' }, { type: 'object', properties: {} }] },
        },
      },
    ],
    [
      'references and definitions',
      {
        type: 'object',
        properties: { n: { $ref: '#/$defs/n', description: 'beside' } },
        $defs: { n: { type: 'object', properties: { next: { $ref: '#/$defs/n' } } } },
      },
    ],
    ['a list at the top', { type: 'array', items: { type: 'string' } }],
    [
      'alternatives at the top',
      { anyOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { type: 'string' }] },
    ],
    ['a text at the top', { type: 'string', maxLength: 10 }],
    [
      'a nullable optional',
      {
        type: 'object',
        properties: { a: { type: ['string', 'null'] }, b: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
      },
    ],
  ])('%s: compiled to what the provider takes', (_what, schema) => {
    const { strict, schema: sent } = compile(schema);
    expect(strict).toBe(true);
    expect(strictSchemaProblem('answer', sent)).toBeUndefined();
  });

  it.each([
    ['a map', { type: 'object', additionalProperties: { type: 'string' } }],
    ['a condition', { type: 'object', properties: { a: { type: 'string' } }, if: {}, else: {} }],
    ['any list', { type: 'object', properties: { a: { type: 'array' } } }],
    ['a property without a type', { type: 'object', properties: { a: {} } }],
    ['tuples', { type: 'object', properties: { a: { type: 'array', prefixItems: [{ type: 'string' }] } } }],
    ['a required name that is not described', { type: 'object', required: ['z'], properties: {} }],
    ['true', true],
  ])('%s: sent as it is, without strict mode', (_what, schema) => {
    expect(compile(schema).strict).toBe(false);
  });

  it('tells in words what strict mode cannot say', () => {
    const { schema } = compile({
      type: 'object',
      properties: { a: { type: 'string', minLength: 3, description: 'A name.' } },
    });
    expect(JSON.stringify(schema)).toContain('A name. (at least 3 characters)');
  });

  it('wraps what is no object, and only that', () => {
    expect(isWrapped({ type: 'string' })).toBe(true);
    expect(isWrapped({ type: 'object' })).toBe(false);
    expect(isWrapped({ properties: {} })).toBe(false);
  });

  it('does not change the schema it is given', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', minLength: 1 } } };
    const before = structuredClone(schema);
    compile(schema);
    expect(schema).toEqual(before);
  });
});
