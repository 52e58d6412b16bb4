import { z } from 'zod';
import { PROBLEMS, type ProblemCode } from '../problems.ts';
import { Issue } from './flows.ts';
import { list, named } from './named.ts';

const codes = Object.keys(PROBLEMS) as ProblemCode[];

/** An error reply (RFC 9457, `application/problem+json`). Some codes add members of their own. */
export const Problem = named(
  'Problem',
  z.looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.enum(codes),
    detail: z.string().meta({ description: 'Names the thing, what was expected and the way out.' }),
    requestId: z.string(),
    issues: list(Issue).optional(),
  }),
);
export type Problem = z.output<typeof Problem>;
