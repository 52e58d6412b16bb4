import type { JsonObject, JsonSchema } from '@pawl/dag-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hasRows,
  rowsOf,
  withNewRow,
  withoutRow,
  withRow,
  withRowMoved,
} from '../../../src/inspecting/schema-rows.ts';

// A builder that loses what it does not show would spoil schemas that were written by hand.

const schema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  additionalProperties: false,
  properties: {
    amount: { type: 'number', minimum: 0, description: 'In euros' },
    kind: { type: 'string', enum: ['refund', 'reply'] },
    odd: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  },
  required: ['amount'],
};

describe('rows of a schema', () => {
  it('show name, type, what must be given, and what it means', () => {
    expect(rowsOf(schema)).toEqual([
      { name: 'amount', type: 'number', isRequired: true, description: 'In euros', choices: [] },
      { name: 'kind', type: 'choice', isRequired: false, description: '', choices: ['refund', 'reply'] },
      { name: 'odd', type: undefined, isRequired: false, description: '', choices: [] },
    ]);
  });

  it('change what they show and leave the rest as it is', () => {
    const changed = withRow(schema, 'amount', { description: 'In cents', isRequired: false });
    expect(changed).toMatchObject({
      $schema: schema.$schema,
      additionalProperties: false,
      properties: { amount: { type: 'number', minimum: 0, description: 'In cents' }, odd: schemaAt('odd') },
    });
    expect(changed).not.toHaveProperty('required');
  });

  it('rename in place, in what must be given too', () => {
    const renamed = withRow(schema, 'amount', { name: 'sum' });
    expect(Object.keys(renamed.properties as JsonObject)).toEqual(['sum', 'kind', 'odd']);
    expect(renamed.required).toEqual(['sum']);
  });

  it('turn a text into a choice and back without what belonged to the other type', () => {
    const choice = withRow(schema, 'amount', { type: 'choice', choices: ['a'] });
    expect((choice.properties as JsonObject).amount).toMatchObject({ type: 'string', enum: ['a'] });
    const text = withRow(choice, 'amount', { type: 'string' });
    expect((text.properties as JsonObject).amount).not.toHaveProperty('enum');
  });

  it('stand for objects only; what says more is for the JSON view', () => {
    expect(hasRows(undefined)).toBe(true);
    expect(hasRows({ type: 'array' })).toBe(false);
    expect(hasRows({ type: 'object', allOf: [] })).toBe(false);
  });

  it('are what was done to them, whatever was done before', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd');
    const step = fc.oneof(
      fc.record({ do: fc.constant('add' as const), name }),
      fc.record({ do: fc.constant('remove' as const), name }),
      fc.record({ do: fc.constant('move' as const), name, by: fc.constantFrom(1 as const, -1 as const) }),
      fc.record({ do: fc.constant('require' as const), name, isRequired: fc.boolean() }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let now: JsonSchema | undefined;
        for (const each of steps) {
          const has = rowsOf(now).some((row) => row.name === each.name);
          if (each.do === 'add' && !has) now = withNewRow(now, each.name);
          if (each.do === 'remove' && has) now = withoutRow(now, each.name);
          if (each.do === 'move' && has) now = withRowMoved(now, each.name, each.by);
          if (each.do === 'require' && has) now = withRow(now, each.name, { isRequired: each.isRequired });
          const rows = rowsOf(now);
          const required = ((now as JsonObject | undefined)?.required ?? []) as string[];
          expect(required).toEqual(rows.filter((row) => row.isRequired).map((row) => row.name));
          expect(new Set(rows.map((row) => row.name)).size).toBe(rows.length);
        }
      }),
    );
  });
});

const schemaAt = (name: string) => (schema.properties as JsonObject)[name];
