import { z } from 'zod';
import { named } from './named.ts';
import { Instant, JsonValue } from './values.ts';

/** What can be waited for. */
export const WaitWord = z.enum([
  'worker',
  'outcome',
  'edges',
  'children',
  'flow',
  'parent',
  'timer',
  'signal',
  'person',
  'probe',
  'callback',
  'budget',
  'cancel',
  'limit',
  'nodes',
]);
export type WaitWord = z.output<typeof WaitWord>;

/** What an unfinished run or node run waits for, since when, until when (V15). */
export const WaitingFor = named(
  'WaitingFor',
  z.object({
    kind: WaitWord,
    since: Instant,
    until: Instant.optional(),
    detail: JsonValue.optional(),
    hint: z.string().optional().meta({ description: 'What somebody can do about it.' }),
  }),
);
