// Catches: JSONata's singletons reaching a tool that wants a list, or a list made where none is wanted.
import { describe, expect, it } from 'vitest';
import { compileTemplate, type Json, type JsonSchema } from '../../src/index.ts';
import { anEnv, aScope } from './scope-builder.ts';

const fill = (template: Json, input: Json, schema: JsonSchema) =>
  compileTemplate(template).evaluate(aScope(input), anEnv(), { schema });
const list = { type: 'array', items: { type: 'string' } };

describe('lists for targets that want lists', () => {
  it('X4: makes a list of one from a single value, and [] from nothing', async () => {
    const schema = { type: 'object', required: ['to'], properties: { to: list } };
    const template = { to: '{{ input.people[role = "owner"].mail }}' };
    const people = [
      { role: 'owner', mail: 'a@x' },
      { role: 'guest', mail: 'b@x' },
    ];
    expect(await fill(template, { people }, schema)).toEqual({ to: ['a@x'] });
    expect(await fill(template, { people: [] }, schema)).toEqual({ to: [] });
    expect(await fill(template, { people: [people[0], people[0]] as Json }, schema)).toEqual({
      to: ['a@x', 'a@x'],
    });
  });

  it('X4: does the same for simple paths, at the top and in lists of lists', () => {
    expect(fill('{{ input.items.name }}', { items: [{ name: 'a' }] }, list)).toEqual(['a']);
    expect(fill('{{ input.gone }}', {}, list)).toEqual([]);
    expect(fill('{{ input.x }}', { x: ['a'] }, { type: 'array', items: list })).toEqual([['a']]);
  });

  it('X4: looks inside the value of one expression too', () => {
    const schema = { type: 'object', properties: { inner: { type: 'object', properties: { tags: list } } } };
    expect(fill('{{ input }}', { inner: { tags: 'a', more: 1 } }, schema)).toEqual({
      inner: { tags: ['a'], more: 1 },
    });
  });

  it('X4: follows references inside the schema, recursive ones as well', () => {
    const schema: JsonSchema = {
      $ref: '#/$defs/node',
      $defs: { node: { type: 'object', properties: { tags: list, child: { $ref: '#/$defs/node' } } } },
    };
    expect(fill('{{ input }}', { child: { child: { tags: 'x' } } }, schema)).toEqual({
      child: { child: { tags: ['x'] } },
    });
  });

  it('X4: leaves a value alone that the schema takes as it is', () => {
    expect(fill('{{ input.x }}', { x: null }, { type: ['array', 'null'] })).toBeNull();
    expect(fill('{{ input.x }}', { x: 'a' }, { type: ['string', 'array'] })).toBe('a');
    expect(fill('{{ input.x }}', { x: 3 }, { type: ['integer', 'array'] })).toBe(3);
    expect(fill('{{ input.x }}', { x: 3 }, {})).toBe(3);
    expect(fill('{{ input.x }}', { x: 3 }, true)).toBe(3);
  });

  it('X4: leaves literals to the schema, and the scope as it was', () => {
    const input = { tags: 'a' };
    expect(fill({ tags: 'b' }, input, { type: 'object', properties: { tags: list } })).toEqual({ tags: 'b' });
    fill('{{ input }}', input, { type: 'object', properties: { tags: list } });
    expect(input).toEqual({ tags: 'a' });
  });
});
