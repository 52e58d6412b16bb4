// Would catch: a tool that is left out because its server writes an older dialect, or whose arguments are checked by other rules.
import { compileSchema } from '@pawl/tool-sdk';
import { describe, expect, it } from 'vitest';
import { translateSchema } from '../../../src/mcp/translate-schema.ts';

const accepts = (schema: Parameters<typeof translateSchema>[0], value: unknown) =>
  compileSchema(translateSchema(schema), 'input').parse(value).ok;

describe('translateSchema', () => {
  it('when a schema is of draft 7, what it allowed is allowed, lists of fixed length included', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        range: { type: 'array', items: [{ type: 'number' }, { type: 'number' }], additionalItems: false },
        // A member that is called like a keyword, and a value that looks like a schema.
        items: { type: 'string', default: { items: [1] } },
        user: { $ref: '#/definitions/user' },
      },
      definitions: { user: { type: 'object', required: ['name'] } },
    };
    expect(accepts(schema, { range: [1, 2], items: 'x', user: { name: 'Ana' } })).toBe(true);
    expect(accepts(schema, { range: [1, 2, 3] })).toBe(false);
    expect(accepts(schema, { range: ['1', 2] })).toBe(false);
    expect(accepts(schema, { user: {} })).toBe(false);
    expect(translateSchema(schema)).toMatchObject({ properties: { items: { default: { items: [1] } } } });
  });

  it('when it is of 2020-12, or does not say, it stays as it is', () => {
    expect(
      translateSchema({ type: 'object', $schema: 'https://json-schema.org/draft/2020-12/schema' }),
    ).toEqual({
      type: 'object',
    });
    const silent = { type: 'object', properties: {} };
    expect(translateSchema(silent)).toBe(silent);
  });

  it('when its dialect is unknown, the tool cannot be defined', () => {
    const schema = translateSchema({ $schema: 'https://example.com/own', type: 'object' });
    expect(() => compileSchema(schema, 'input')).toThrowError(/dialect/);
  });
});
