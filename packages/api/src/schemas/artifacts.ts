import { z } from 'zod';
import { named, page } from './named.ts';
import { Id, Instant } from './values.ts';

/** A long-lived result: identity, version, media type, hash (SHA-256, hex) and where it came from. */
export const Artifact = named(
  'Artifact',
  z.object({
    id: Id,
    runId: Id.optional(),
    path: z.string().optional(),
    attempt: z.int().optional(),
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
