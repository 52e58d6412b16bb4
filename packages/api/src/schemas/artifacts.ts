import { z } from 'zod';
import { named, page } from './named.ts';
import { Id, Instant } from './values.ts';

/**
 * A long-lived result: identity, version, media type, hash (SHA-256, hex) and where it came from: the node run that made it
 * (`runId`, `flow`, `path`, `attempt`), or who uploaded it (`by`).
 */
export const Artifact = named(
  'Artifact',
  z.object({
    id: Id,
    artifactId: Id.meta({ description: 'The same as `id`: tools take this document as a reference' }),
    runId: Id.optional(),
    flow: z.string().optional(),
    path: z.string().optional(),
    attempt: z.int().optional(),
    by: z.string().optional(),
    name: z.string(),
    version: z.int().min(1),
    mediaType: z.string(),
    bytes: z.number(),
    hash: z.string(),
    createdAt: Instant,
  }),
);
export type Artifact = z.output<typeof Artifact>;
export const ArtifactPage = page('ArtifactPage', Artifact);
