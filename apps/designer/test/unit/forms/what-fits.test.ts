// Would catch: a form that drops what is filled in, or shows a place that it cannot show.
import type { JsonSchema } from '@pawl/dag-core';
import { describe, expect, it } from 'vitest';
import { asDrawn, whatFits } from '../../../src/forms/what-fits.ts';

const json = { 'ui:field': 'json' };
const refund: JsonSchema = {
  type: 'object',
  properties: {
    amount: { type: 'number' },
    note: { type: 'string' },
    to: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  },
};

describe('what is drawn of a schema', () => {
  it('is all of it but the places that are JSON: those have a name, their own or the one they stand under', () => {
    const schema: JsonSchema = {
      type: 'object',
      required: ['what'],
      properties: { what: true, who: { $ref: '#/nowhere', title: 'Who' }, n: { type: 'integer' } },
    };
    expect(asDrawn(schema, whatFits(schema))).toEqual({
      ...schema,
      title: '',
      properties: { what: { title: 'what' }, who: { title: 'Who' }, n: { type: 'integer', title: 'n' } },
    });
  });
});

describe('how a form shows a schema', () => {
  it('makes a field of each place with one type, and JSON of the others alone', () => {
    expect(whatFits(refund)).toEqual({ amount: {}, note: { 'ui:widget': 'text' }, to: json });
  });

  it('makes JSON of all where there is no schema, no type or nothing named', () => {
    const unsure: (JsonSchema | undefined)[] = [
      undefined,
      true,
      {},
      { type: 'object' },
      { type: ['string', 'number'] },
    ];
    for (const schema of unsure) expect(whatFits(schema)).toEqual(json);
  });

  it('keeps what is filled in: a name that no field has, a reference to a secret, a value that is no choice', () => {
    expect(whatFits(refund, { amount: 1, extra: true })).toEqual(json);
    expect(whatFits(refund, { note: { $secret: 'CARD' } })).toMatchObject({ note: json });
    expect(whatFits({ enum: ['a', 'b'] }, 'c')).toEqual(json);
    expect(whatFits({ type: 'number' }, null)).toEqual(json);
    expect(whatFits({ enum: ['a', 'b'] }, 'b')).toEqual({});
  });

  it('gives long texts room', () => {
    expect(whatFits({ type: 'string' }, 'two\nlines')).toEqual({ 'ui:widget': 'textarea' });
  });

  it('shows lists item by item, unless one item does not fit', () => {
    const list: JsonSchema = { type: 'array', items: { type: 'string' } };
    expect(whatFits(list, ['a'])).toEqual({ items: { 'ui:widget': 'text' } });
    expect(whatFits(list, ['a', 1])).toEqual(json);
    expect(whatFits({ type: 'array' }, ['a'])).toEqual(json);
  });
});
