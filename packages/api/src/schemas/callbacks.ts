import { z } from 'zod';
import { named } from './named.ts';
import { JsonValue } from './values.ts';

/** What a service says about a call that it took: what it gave, or why it failed. */
export const CallbackBody = named(
  'Callback',
  z.union([
    z.strictObject({ result: JsonValue }),
    z.strictObject({
      failure: z.strictObject({
        message: z.string().min(1).max(4_000),
        code: z
          .string()
          .regex(/^[a-z][a-z0-9_]{0,99}$/)
          .optional(),
        retryable: z
          .boolean()
          .optional()
          .meta({ description: 'Nothing happened, and trying again may help.' }),
      }),
    }),
  ]),
);

/** What became of a callback. */
export const CallbackTaken = named(
  'CallbackTaken',
  z.object({
    state: z.enum(['taken', 'duplicate']).meta({ description: '`duplicate`: the same was said before.' }),
  }),
);
