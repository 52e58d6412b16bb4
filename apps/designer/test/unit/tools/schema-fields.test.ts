import type { JsonSchema } from '@pawl/dag-core';
import { describe, expect, it } from 'vitest';
import { fieldsOf, typesOf } from '../../../src/tools/schema-fields.ts';

// Would catch: a value that the table leaves out, one that looks optional and is not, a type that it names wrongly.

const files: JsonSchema = {
  type: 'object',
  required: ['files'],
  properties: {
    folder: { type: 'string', description: 'Where to look.', default: '.' },
    files: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path'],
        properties: { path: { type: 'string' }, bytes: { type: ['integer', 'null'] } },
      },
    },
  },
};

describe('the fields of a schema', () => {
  it('are all values that it names, each before what is inside it', () => {
    expect(fieldsOf(files)).toEqual([
      {
        path: 'folder',
        types: [{ is: 'string' }],
        isRequired: false,
        description: 'Where to look.',
        default: '.',
      },
      { path: 'files', types: [{ is: 'array', of: [{ is: 'object' }] }], isRequired: true },
      { path: 'files[].path', types: [{ is: 'string' }], isRequired: true },
      { path: 'files[].bytes', types: [{ is: 'integer' }, { is: 'null' }], isRequired: false },
    ]);
  });

  it('begin with the items where the whole is a list', () => {
    const list: JsonSchema = { type: 'array', items: { type: 'object', properties: { id: true } } };
    expect(fieldsOf(list)).toEqual([{ path: '[].id', types: [], isRequired: false }]);
  });

  it.each([undefined, true, { type: 'string' }, { anyOf: [files, { type: 'null' }] }] as const)(
    'are none where it names none: %j',
    (schema) => {
      expect(fieldsOf(schema as JsonSchema | undefined)).toEqual([]);
    },
  );

  it('end where a schema that refers to itself goes round', () => {
    const self: JsonSchema = {
      $ref: '#/$defs/tree',
      $defs: { tree: { type: 'object', properties: { inner: { $ref: '#/$defs/tree' } } } },
    };
    expect(fieldsOf(self).map(({ path }) => path)).toEqual([
      'inner',
      'inner.inner',
      'inner.inner.inner',
      'inner.inner.inner.inner',
      'inner.inner.inner.inner.inner',
      'inner.inner.inner.inner.inner.inner',
    ]);
  });
});

describe('the types of a value', () => {
  it('are those of every way to give it, choices together and nothing twice', () => {
    const schema: JsonSchema = {
      anyOf: [{ const: 'auto' }, { enum: ['json', 'text'] }, { type: 'number' }, { type: 'number' }],
    };
    expect(typesOf(schema)).toEqual([{ is: 'choice', values: ['auto', 'json', 'text'] }, { is: 'number' }]);
  });

  it('are unknown where one way takes whatever', () => {
    expect(typesOf({ anyOf: [{ type: 'string' }, {}] })).toEqual([]);
  });
});
