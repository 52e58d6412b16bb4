import type { EffectClass, JsonSchema } from '@pawl/dag-core';
import { z } from 'zod';
import { list, named, words } from './named.ts';
import { JsonObjectValue } from './values.ts';

const JsonSchemaValue = named(
  'JsonSchema',
  z.union([z.boolean(), JsonObjectValue]).meta({ description: 'A JSON Schema, draft 2020-12.' }),
) as unknown as z.ZodType<JsonSchema, JsonSchema>;

/** A registered tool as flows see it. */
export const ToolInfo = named(
  'ToolInfo',
  z.object({
    name: z.string(),
    version: z.string(),
    title: z.string().optional(),
    description: z.string().optional(),
    effect: words<EffectClass>({ pure: true, idempotent: true, non_repeatable: true }),
    compensates: z.boolean().optional(),
    probes: z.boolean().optional(),
    polls: z.boolean().optional(),
    timeoutMs: z.number().optional(),
    input: JsonSchemaValue.optional(),
    output: JsonSchemaValue.optional(),
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
