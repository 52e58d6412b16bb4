import { canonicalJson } from '@pawl/dag-core';
import { defineTool, type Json } from '@pawl/tool-sdk';
import { z } from 'zod';

/** `json.stringify@1`: a value as text. */
export const jsonStringify = defineTool({
  name: 'json.stringify',
  version: '1',
  title: 'Write JSON text',
  description:
    'Turns a value into JSON text: on one line, indented, or canonical (RFC 8785: equal values give equal text).',
  effect: 'pure',
  input: z
    .strictObject({
      value: z.unknown(),
      indent: z.int().min(0).max(10).default(0).describe('Spaces per level; 0 for one line.'),
      canonical: z.boolean().default(false),
    })
    .refine(({ indent, canonical }) => !canonical || indent === 0, {
      path: ['indent'],
      message: 'must be 0 for canonical text',
    }),
  output: z.string(),
  execute: (_ctx, { value, indent, canonical }) =>
    canonical ? canonicalJson(value as Json) : JSON.stringify(value, null, indent),
});
