import type { InferEntity } from '@mikro-orm/postgresql';
import type { ArtifactEntity } from '../entities/artifact.ts';

/** One version of a named result: of a run, or uploaded. */
export interface ArtifactSummary {
  readonly id: string;
  /** The same: an artifact as it is told is a reference that tools take. */
  readonly artifactId: string;
  readonly name: string;
  /** 1, 2, … per run and name; uploads count per workspace and name. */
  readonly version: number;
  readonly mediaType: string;
  readonly bytes: number;
  /** SHA-256 (hex) of the bytes. */
  readonly hash: string;
  readonly runId?: string;
  readonly flow?: string;
  /** Path and attempt of the node run that made it. */
  readonly path?: string;
  readonly attempt?: number;
  /** Who uploaded it. */
  readonly by?: string;
  readonly createdAt: string;
}

export type ArtifactRow = InferEntity<typeof ArtifactEntity>;

export function artifactSummary(row: ArtifactRow): ArtifactSummary {
  return {
    id: row.id,
    artifactId: row.id,
    name: row.name,
    version: row.version,
    mediaType: row.mediaType,
    bytes: row.bytes,
    hash: row.hash,
    ...(row.runId != null && { runId: row.runId }),
    ...(row.flowName != null && { flow: row.flowName }),
    ...(row.path != null && { path: row.path }),
    ...(row.attempt != null && { attempt: row.attempt }),
    ...(row.madeBy != null && { by: row.madeBy }),
    createdAt: row.createdAt.toISOString(),
  };
}
