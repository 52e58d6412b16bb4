import type { FlowDocument, JsonObject } from '@pawl/dag-core';
import { z } from 'zod';
import { list, named, page } from './named.ts';
import { FlowName, Id, Instant, JsonObjectValue, JsonValue, RunStatusWord, VersionId } from './values.ts';

/** A flow document as a body: an object with a slug for a name, otherwise untouched (drafts may be unfinished). */
export const DraftDocument = named(
  'DraftDocument',
  z
    .unknown()
    .superRefine((value, context) => {
      const read = z.looseObject({ name: FlowName }).safeParse(value);
      for (const issue of read.error?.issues ?? []) context.addIssue({ ...issue });
    })
    .meta({
      type: 'object',
      required: ['name'],
      description: 'A flow document; its JSON Schema is at /v1/schemas/flow.json.',
    }),
) as unknown as z.ZodType<JsonObject & { name: string }, JsonObject & { name: string }>;

const flowSummary = {
  name: z.string(),
  title: z.string().optional(),
  revision: z.int(),
  publishedVersion: VersionId.optional(),
  versionCount: z.int(),
  /** It starts no runs since then, and by whose word. */
  pausedAt: Instant.optional(),
  pausedBy: z.string().optional(),
  createdAt: Instant,
  updatedAt: Instant,
};
export const FlowSummary = named('FlowSummary', z.object(flowSummary));
export const FlowDraft = named('FlowDraft', z.object({ ...flowSummary, document: JsonValue }));
export const ListedFlow = named(
  'ListedFlow',
  z.object({
    ...flowSummary,
    recent: z
      .object({
        runs: list(z.object({ id: Id, status: RunStatusWord })),
        ended: z.int().meta({ description: 'Succeeded, partial or failed.' }),
        succeeded: z.int(),
      })
      .meta({
        description: 'Of the newest 1,000 runs of the workspace: the last ten of this flow, newest first.',
      }),
  }),
);
export type ListedFlow = z.output<typeof ListedFlow>;
export const FlowPage = page('FlowPage', ListedFlow);

const versionSummary = { id: VersionId, flow: z.string(), number: z.int().min(1), createdAt: Instant };
export const VersionSummary = named('VersionSummary', z.object(versionSummary));
/** Without a number: what a test run runs, never published. */
export const VersionDetail = named(
  'Version',
  z.object({
    ...versionSummary,
    number: versionSummary.number.optional(),
    document: JsonObjectValue as unknown as z.ZodType<FlowDocument>,
  }),
);
export const VersionPage = page('VersionPage', VersionSummary);

/** What publishing did: `created` is false when this graph was published before. */
export const Published = named('Published', z.object({ version: VersionSummary, created: z.boolean() }));

/** One problem of a document, an input or a body. `pointer` is a JSON pointer (RFC 6901), empty for the whole. */
export const Issue = named(
  'Issue',
  z.object({
    pointer: z.string(),
    code: z.string(),
    message: z.string(),
    severity: z.enum(['error', 'warning']).optional().meta({ description: 'Absent: an error.' }),
    hint: z.string().optional(),
  }),
);
export type Issue = z.output<typeof Issue>;

/** All problems of a document at once; without errors it is valid, with the id that its version would have. */
export const Validation = named(
  'Validation',
  z.object({ valid: z.boolean(), issues: list(Issue), versionId: VersionId.optional() }),
);
