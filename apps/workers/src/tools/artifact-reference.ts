import type { ArtifactRef } from '@pawl/tool-sdk';
import { z } from 'zod';

/** A reference to an artifact, as tools and uploads return it; `artifactId` is enough, and more is let through. */
export const artifactReference = z.looseObject({
  artifactId: z.string(),
  name: z.string().optional(),
  mediaType: z.string().optional(),
});

/** The reference as the output of a tool: these members and no others. */
export const artifactOutput = z.strictObject({
  artifactId: z.string(),
  name: z.string(),
  version: z.int(),
  mediaType: z.string(),
  bytes: z.int().nonnegative(),
  hash: z.string().describe('SHA-256 (hex) of the bytes.'),
});

/** Only what {@link artifactOutput} knows. */
export const plainReference = (ref: ArtifactRef): z.infer<typeof artifactOutput> => {
  const { artifactId, name, version, mediaType, bytes, hash } = ref;
  return { artifactId, name, version, mediaType, bytes, hash };
};
