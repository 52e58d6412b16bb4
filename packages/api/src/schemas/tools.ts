import { z } from 'zod';
import { list, named } from './named.ts';
import { Id, Instant, JsonValue, VersionId } from './values.ts';

/** `<name>@<version>`, as flows name a tool. */
export const ToolName = z
  .string()
  .max(200)
  .regex(/^[A-Za-z][\w.-]*@[\w.-]+$/, 'Expected <name>@<version>');

const Nodes = list(z.string()).meta({ description: 'Ids of the nodes that call it, inner ones included.' });

const ToolUser = named(
  'ToolUser',
  z.object({
    flow: z.string(),
    title: z.string().optional(),
    draft: Nodes.optional(),
    published: z.object({ version: z.string(), number: z.number(), nodes: Nodes }).optional(),
  }),
);

const CallCount = named(
  'CallCount',
  z.object({
    calls: z.number().meta({ description: 'Attempts that were sent; each retry is one.' }),
    succeeded: z.number(),
    failed: z.number(),
    lost: z.number().meta({ description: 'Their worker was lost before it told how they ended.' }),
    medianMs: z.number().optional().meta({ description: 'Of those that succeeded.' }),
  }),
);

/** Which flows call a tool, and how its calls in the workspace went. */
export const ToolUse = named(
  'ToolUse',
  z.object({
    flows: list(ToolUser),
    isCut: z.boolean().meta({ description: 'More flows call it than are listed.' }),
    calls: z.object({
      day: CallCount,
      week: CallCount,
      onlySince: Instant.optional().meta({
        description: 'The newest calls alone were looked at, those since then.',
      }),
    }),
  }),
);
export type ToolUse = z.output<typeof ToolUse>;

export const TryTool = named(
  'TryTool',
  z.strictObject({
    args: JsonValue.meta({
      description: 'As a node would have them: templates are filled, and may name secrets.',
    }),
    allow: z
      .boolean()
      .optional()
      .meta({ description: 'That a tool may be called whose effect must not be repeated.' }),
  }),
);
export const TriedTool = named(
  'TriedTool',
  z.object({
    runId: Id,
    versionId: VersionId,
    path: z.string().meta({ description: 'Of the call in the run.' }),
  }),
);
