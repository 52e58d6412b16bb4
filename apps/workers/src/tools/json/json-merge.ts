import { defineTool, type Json } from '@pawl/tool-sdk';
import { z } from 'zod';
import { mergeJson } from './merge-json.ts';

/** `json.merge@1`: several values as one. */
export const jsonMerge = defineTool({
  name: 'json.merge',
  version: '1',
  title: 'Merge values',
  description:
    'Merges values from first to last: objects member by member, at every level; everything else is replaced by the later one. With nulls "delete" and two values this is a merge patch (RFC 7396).',
  effect: 'pure',
  input: z.strictObject({
    values: z.array(z.unknown()).min(1).max(1_000),
    arrays: z.enum(['replace', 'concat']).default('replace').describe('What becomes of two lists.'),
    nulls: z
      .enum(['keep', 'delete'])
      .default('keep')
      .describe('Whether null in a later value is a value or deletes the member.'),
  }),
  execute: (_ctx, { values, arrays, nulls }): Json =>
    (values as Json[]).reduce((merged, next) => mergeJson(merged, next, { arrays, nulls })),
});
