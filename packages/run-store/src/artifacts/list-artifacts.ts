import type { FilterQuery } from '@mikro-orm/core';
import { ArtifactEntity } from '../entities/artifact.ts';
import type { Orm } from '../entities/orm.ts';
import { cursorAfterId, idOfCursor, pageOf, pageSize } from '../queries/cursor.ts';
import { findRun, type RunRef } from '../queries/find-run.ts';
import type { Page } from '../store-types.ts';
import { type ArtifactRow, type ArtifactSummary, artifactSummary } from './artifact-shapes.ts';

const SIZES = { usual: 50, most: 200 };

export interface ArtifactFilter {
  /** Exactly, or with `*` for anything: `report-*.md`. */
  readonly name?: string;
  /** Exactly, or with `*` for anything: `image/*`. Parameters such as a charset do not count. */
  readonly mediaType?: string;
  /** Opaque, from the previous page. */
  readonly cursor?: string;
  /** 1…200, default 50. */
  readonly limit?: number;
}

/**
 * Artifacts of a run in the order they were made, page by page. Index: artifact_by_run.
 *
 * @returns undefined when the workspace has no such run (V14)
 * @throws {StoreError} `cursor_invalid`
 */
export async function listArtifacts(
  orm: Orm,
  { workspaceId, runId, ...filter }: RunRef & ArtifactFilter,
): Promise<Page<ArtifactSummary> | undefined> {
  const run = await findRun(orm.fork(), { workspaceId, runId });
  if (!run) return undefined;
  return find(orm, [{ workspaceId, runId: run.id }], filter, 'asc');
}

/**
 * Artifacts of a workspace, newest first, page by page: all, those of the runs of one flow, or those that were uploaded.
 * Indexes: artifact_by_workspace, artifact_by_flow, artifact_by_run.
 *
 * @throws {StoreError} `cursor_invalid`
 */
export function listWorkspaceArtifacts(
  orm: Orm,
  {
    workspaceId,
    flow,
    uploaded,
    ...filter
  }: ArtifactFilter & {
    readonly workspaceId: string;
    readonly flow?: string;
    readonly uploaded?: boolean;
  },
): Promise<Page<ArtifactSummary>> {
  const where: FilterQuery<ArtifactRow>[] = [{ workspaceId }];
  if (flow !== undefined) where.push({ flowName: flow });
  if (uploaded !== undefined) where.push({ runId: uploaded ? null : { $ne: null } });
  return find(orm, where, filter, 'desc');
}

async function find(
  orm: Orm,
  where: FilterQuery<ArtifactRow>[],
  { name, mediaType, cursor, limit }: ArtifactFilter,
  order: 'asc' | 'desc',
): Promise<Page<ArtifactSummary>> {
  const size = pageSize(limit, SIZES);
  if (name !== undefined) where.push({ name: like(name) });
  if (mediaType !== undefined)
    where.push({ $or: [like(mediaType), like(`${mediaType};*`)].map((pattern) => ({ mediaType: pattern })) });
  if (cursor !== undefined)
    where.push({ id: order === 'asc' ? { $gt: idOfCursor(cursor) } : { $lt: idOfCursor(cursor) } });
  const rows = await orm
    .fork()
    .find(
      ArtifactEntity,
      { $and: where },
      { orderBy: { id: order }, limit: size + 1, disableIdentityMap: true },
    );
  return pageOf(rows.map(artifactSummary), size, (last) => cursorAfterId(last.id));
}

/** A condition for a text with `*` for anything; every other character stands for itself. */
function like(pattern: string): string | { $like: string } {
  if (!pattern.includes('*')) return pattern;
  return { $like: pattern.replaceAll(/[\\%_]/g, '\\$&').replaceAll('*', '%') };
}
