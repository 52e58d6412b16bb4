// Catches: a default that never arrives, null taken for "absent", text converted to numbers, a caller's value changed.
import { describe, expect, it } from 'vitest';
import {
  applyDefaults,
  checkUserSchema,
  checkValue,
  type Json,
  type JsonSchema,
  validateInput,
} from '../../src/index.ts';

const start: JsonSchema = {
  type: 'object',
  properties: { name: { type: 'string', default: 'hello' }, n: { type: 'integer', default: 3 } },
};
const codes = (schema: JsonSchema, value: Json) =>
  validateInput(schema, value).issues.map((issue) => `${issue.code} ${issue.pointer}`);

describe('input against a schema (C31)', () => {
  it('G8: fills in what was left out', () => {
    expect(validateInput(start, {})).toEqual({ value: { name: 'hello', n: 3 }, issues: [] });
  });

  it('G8: refuses null unless the schema allows it', () => {
    expect(codes(start, { name: null })).toEqual(['wrong_type /name']);
    const nullable: JsonSchema = {
      type: 'object',
      properties: { name: { type: ['string', 'null'], default: 'x' } },
    };
    expect(validateInput(nullable, { name: null })).toEqual({ value: { name: null }, issues: [] });
  });

  it('G8: converts nothing: "3" is no integer', () => {
    const { issues } = validateInput(start, { n: '3' });
    expect(issues).toEqual([
      expect.objectContaining({ code: 'wrong_type', pointer: '/n', message: '/n must be an integer' }),
    ]);
  });

  it('G8: lists every problem with its pointer', () => {
    const schema: JsonSchema = {
      type: 'object',
      required: ['mail'],
      additionalProperties: false,
      properties: {
        mail: { type: 'string', format: 'email' },
        list: { type: 'array', items: { type: 'object', required: ['id'] } },
      },
    };
    expect(codes(schema, { list: [{ id: 1 }, {}], 'a/b': 1 })).toEqual([
      'property_missing ',
      'property_unknown /a~1b',
      'property_missing /list/1',
    ]);
    expect(codes(schema, { mail: 'nobody' })).toEqual(['malformed /mail']);
  });

  it('G8: fills in defaults inside lists and objects, and leaves the given value as it was', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: {
        list: { type: 'array', items: { type: 'object', properties: { on: { default: true } } } },
      },
    };
    const given: Json = { list: [{}, { on: false }] };
    expect(applyDefaults(schema, given)).toEqual({ list: [{ on: true }, { on: false }] });
    expect(given).toEqual({ list: [{}, { on: false }] });
  });

  it('G8: gives every run its own copy of a default', () => {
    const schema: JsonSchema = { type: 'object', properties: { tags: { default: [] } } };
    const [first, second] = [applyDefaults(schema, {}), applyDefaults(schema, {})] as { tags: Json[] }[];
    first?.tags.push('changed');
    expect(second?.tags).toEqual([]);
    expect(applyDefaults(schema, {})).toEqual({ tags: [] });
  });

  it('G8: takes anything where there is no schema, and nothing where the schema is false', () => {
    expect(validateInput(undefined, { a: 1 })).toEqual({ value: { a: 1 }, issues: [] });
    expect(validateInput(false, 1).issues).toHaveLength(1);
  });

  it('G5: tells schemas with one $id apart', () => {
    const first = { $id: 'same', type: 'string' };
    const second = { $id: 'same', type: 'number' };
    expect([checkUserSchema(first), checkUserSchema(second)]).toEqual([[], []]);
    expect(checkValue(first, 'x')).toEqual([]);
    expect(checkValue(second, 1)).toEqual([]);
    expect(checkValue(second, 'x')).toHaveLength(1);
  });
});
