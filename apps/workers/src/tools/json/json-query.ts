import { defineTool, type Json, PermanentError } from '@pawl/tool-sdk';
import { z } from 'zod';
import { follow } from './json-pointer.ts';
import { jsonPointer, stepsOf } from './schemas.ts';

/** `json.query@1`: the part of a value that a JSON pointer names. */
export const jsonQuery = defineTool({
  name: 'json.query',
  version: '1',
  title: 'Take a part of a value',
  description:
    'Follows a JSON pointer (RFC 6901) into a value. Where there is nothing, the default is the answer; without a default the node fails.',
  effect: 'pure',
  input: z.strictObject({
    value: z.unknown(),
    pointer: jsonPointer.describe('For instance /orders/0/total; empty for the whole value.'),
    default: z.unknown().optional(),
  }),
  execute(_ctx, args): Json {
    const found = follow(args.value as Json, stepsOf(args.pointer));
    if ('value' in found) return found.value;
    if (args.default !== undefined) return args.default as Json;
    throw new PermanentError({
      code: 'pointer_missing',
      message: `There is nothing at ${found.missingAt} (pointer ${JSON.stringify(args.pointer)}). Give a default, or correct the pointer.`,
    });
  },
});
