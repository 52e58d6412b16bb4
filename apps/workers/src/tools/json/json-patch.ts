import { defineTool, type Json } from '@pawl/tool-sdk';
import { z } from 'zod';
import { applyPatch, type PatchOperation } from './apply-patch.ts';
import { jsonPointer } from './schemas.ts';

const path = jsonPointer;
const value = z.unknown();
const operation = z.discriminatedUnion('op', [
  z.object({ op: z.literal('add'), path, value }),
  z.object({ op: z.literal('remove'), path }),
  z.object({ op: z.literal('replace'), path, value }),
  z.object({ op: z.literal('move'), from: jsonPointer, path }),
  z.object({ op: z.literal('copy'), from: jsonPointer, path }),
  z.object({ op: z.literal('test'), path, value }),
]);

/** `json.patch@1`: a value changed by a JSON Patch. */
export const jsonPatch = defineTool({
  name: 'json.patch',
  version: '1',
  title: 'Patch a value',
  description:
    'Applies a JSON Patch (RFC 6902): add, remove, replace, move, copy, test. All operations apply or the node fails.',
  effect: 'pure',
  input: z.strictObject({ value: z.unknown(), operations: z.array(operation).max(10_000) }),
  execute: (_ctx, args): Json => applyPatch(args.value as Json, args.operations as PatchOperation[]),
});
