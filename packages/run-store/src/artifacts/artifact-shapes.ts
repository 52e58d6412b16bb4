import type { InferEntity } from '@mikro-orm/postgresql';
import type { ArtifactEntity } from '../entities/artifact.ts';

/** One version of a named result of a run. */
export interface ArtifactSummary {
  readonly id: string;
  readonly name: string;
  /** 1, 2, … per run and name. */
  readonly version: number;
  readonly mediaType: string;
  readonly bytes: number;
  /** SHA-256 (hex) of the bytes. */
  readonly hash: string;
  readonly runId?: string;
  /** Path and attempt of the node run that made it. */
  readonly path?: string;
  readonly attempt?: number;
  readonly createdAt: string;
}

export type ArtifactRow = InferEntity<typeof ArtifactEntity>;

export function artifactSummary(row: ArtifactRow): ArtifactSummary {
  return {
    id: row.id,
    name: row.name,
    version: row.version,
    mediaType: row.mediaType,
    bytes: row.bytes,
    hash: row.hash,
    ...(row.runId != null && { runId: row.runId }),
    ...(row.path != null && { path: row.path }),
    ...(row.attempt != null && { attempt: row.attempt }),
    createdAt: row.createdAt.toISOString(),
  };
}
