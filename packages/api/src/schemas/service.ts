import type { EffectClass, JsonSchema } from '@pawl/dag-core';
import { z } from 'zod';
import { list, named, words } from './named.ts';
import { JsonObjectValue } from './values.ts';

const JsonSchemaValue = named(
  'JsonSchema',
  z.union([z.boolean(), JsonObjectValue]).meta({ description: 'A JSON Schema, draft 2020-12.' }),
) as unknown as z.ZodType<JsonSchema, JsonSchema>;

const Effect = words<EffectClass>({ pure: true, idempotent: true, non_repeatable: true });

/** Where a tool of an MCP server comes from, and how it came to its class. */
const McpOrigin = named(
  'McpOrigin',
  z.object({
    server: z.string().meta({ description: 'As the configuration of the workers names it.' }),
    tool: z.string().meta({ description: 'As the server names it.' }),
    definition: z.string().meta({ description: 'SHA-256 (hex) of what the server says of the tool.' }),
    hints: z
      .object({
        readOnly: z.boolean().optional(),
        destructive: z.boolean().optional(),
        idempotent: z.boolean().optional(),
        openWorld: z.boolean().optional(),
      })
      .meta({ description: 'What the server says of the tool; absent members: it does not say.' }),
    proposed: Effect.meta({ description: 'The class that follows from the hints. It counts for nothing.' }),
    confirmed: Effect.optional().meta({
      description:
        'The class that a person confirmed for this definition. Absent: none, and it is non-repeatable.',
    }),
    lapsed: Effect.optional().meta({
      description: 'The class that was confirmed for another definition, which counts no more.',
    }),
  }),
);
export type McpOrigin = z.output<typeof McpOrigin>;

/** A registered tool as flows see it. */
export const ToolInfo = named(
  'ToolInfo',
  z.object({
    name: z.string(),
    version: z.string(),
    title: z.string().optional(),
    description: z.string().optional(),
    effect: Effect,
    compensates: z.boolean().optional(),
    probes: z.boolean().optional(),
    polls: z.boolean().optional(),
    timeoutMs: z.number().optional(),
    input: JsonSchemaValue.optional(),
    output: JsonSchemaValue.optional(),
    mcp: McpOrigin.optional().meta({ description: 'Of a tool of an MCP server.' }),
  }),
);
export type ToolInfo = z.output<typeof ToolInfo>;
export const ToolList = named('ToolList', z.object({ items: list(ToolInfo) }));

/** A model that a flow can name. `simulated` answers never leave the machine. Prices in USD per million tokens. */
export const ModelInfo = named(
  'ModelInfo',
  z.object({
    id: z.string().meta({ description: '<provider>:<model>' }),
    provider: z.string(),
    title: z.string().optional(),
    simulated: z.boolean().optional(),
    inputUsdPerMillion: z.number().optional(),
    outputUsdPerMillion: z.number().optional(),
    cachedUsdPerMillion: z
      .number()
      .optional()
      .meta({ description: 'Of input that the provider had cached.' }),
    priceVersion: z.string().optional().meta({ description: 'Names the table that the prices come from.' }),
  }),
);
export type ModelInfo = z.output<typeof ModelInfo>;
export const ModelList = named('ModelList', z.object({ items: list(ModelInfo) }));

export const Health = named('Health', z.object({ status: z.literal('ok') }));
export const Readiness = named(
  'Readiness',
  z.object({ ready: z.boolean(), checks: z.record(z.string(), z.boolean()) }),
);

/** A JSON document whose form is described elsewhere (a schema, this contract). */
export const AnyDocument = JsonObjectValue;
