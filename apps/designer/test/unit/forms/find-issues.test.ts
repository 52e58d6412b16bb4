// Would catch: a form that sends what does not fit, one that refuses what fits, an issue at the wrong place.
import type { Json, JsonSchema } from '@pawl/dag-core';
import { describe, expect, it } from 'vitest';
import { findIssues, unparsed } from '../../../src/forms/find-issues.ts';

const schema: JsonSchema = {
  type: 'object',
  required: ['amount'],
  properties: {
    amount: { type: 'number', maximum: 500 },
    'a/b': { type: 'string' },
    tags: { type: 'array', items: { $ref: '#/$defs/tag' } },
    to: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  },
  additionalProperties: false,
  $defs: { tag: { type: 'string', minLength: 2 } },
};
const issuesOf = (value: Json | undefined) =>
  findIssues(schema, value).map(({ path, keyword, limit }) => [path.join('.'), keyword, limit]);

describe('what does not fit a schema', () => {
  it('is nothing for what fits', () => {
    expect(issuesOf({ amount: 1, tags: ['ab'], to: null })).toEqual([]);
    expect(findIssues(undefined, 17)).toEqual([]);
    expect(findIssues(true, 17)).toEqual([]);
  });

  it('is named once, at its own place, with what is demanded', () => {
    expect(issuesOf({ amount: 900 })).toEqual([['amount', 'maximum', '500']]);
    expect(issuesOf({ amount: 1, 'a/b': 1 })).toEqual([['a/b', 'type', 'string']]);
    expect(issuesOf({})).toEqual([['amount', 'required', undefined]]);
    expect(issuesOf({ amount: 1, tags: ['ab', 'c'] })).toMatchObject([['tags.1', 'minLength', undefined]]);
  });

  it('of alternatives is that none fits', () => {
    expect(issuesOf({ amount: 1, to: 5 })).toEqual([['to', 'anyOf', undefined]]);
  });

  it('is a name that is not asked for', () => {
    expect(issuesOf({ amount: 1, more: 1 })).toMatchObject([['more', 'false', undefined]]);
  });

  it('is text that is not JSON, before anything else', () => {
    expect(issuesOf({ amount: unparsed('{"a":') })).toEqual([['amount', 'json', undefined]]);
    expect(findIssues(true, unparsed('x'))).toMatchObject([{ path: [], keyword: 'json' }]);
  });

  it('takes a reference to a secret for a text', () => {
    expect(issuesOf({ amount: 1, 'a/b': { $secret: 'CARD' } })).toEqual([]);
  });
});
