import type { InferEntity, SqlEntityManager } from '@mikro-orm/postgresql';
import type { FlowDocument, Json } from '@pawl/dag-core';
import { FlowEntity } from '../entities/flow.ts';
import type { FlowVersionEntity } from '../entities/flow-version.ts';
import { storableLabel } from '../entities/label.ts';
import { StoreError } from '../errors.ts';
import type { FlowDraft, FlowSummary, Version, VersionSummary } from '../store-types.ts';

export type FlowRow = InferEntity<typeof FlowEntity>;
export type VersionRow = InferEntity<typeof FlowVersionEntity>;

/** Names a flow in a workspace. */
export interface FlowRef {
  readonly workspaceId: string;
  readonly flow: string;
}

/**
 * The row of a flow.
 *
 * @throws {StoreError} `flow_not_found`, also for a flow of another workspace (V14)
 */
export async function findFlow(em: SqlEntityManager, { workspaceId, flow }: FlowRef): Promise<FlowRow> {
  const row = await em.findOne(FlowEntity, { workspaceId, name: flow });
  if (!row) throw new StoreError('flow_not_found', { flow });
  return row;
}

export function flowSummary(row: Omit<FlowRow, 'draft'>, versionCount: number): FlowSummary {
  return {
    name: row.name,
    ...(row.title != null && { title: row.title }),
    revision: row.revision,
    ...(row.publishedVersionId != null && { publishedVersion: row.publishedVersionId }),
    versionCount,
    ...(row.pausedAt && { pausedAt: row.pausedAt.toISOString(), pausedBy: row.pausedBy ?? '' }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function flowDraft(row: FlowRow, versionCount: number): FlowDraft {
  return { ...flowSummary(row, versionCount), document: JSON.parse(row.draft) as Json };
}

/** @param row of a published version */
export function versionSummary(row: Omit<VersionRow, 'document'>, flow: string): VersionSummary {
  return { id: row.id, flow, number: row.number!, createdAt: row.createdAt.toISOString() };
}

export function versionOf(row: VersionRow, flow: string): Version {
  const { number: _, ...summary } = versionSummary(row, flow);
  const { number, document } = row;
  return { ...summary, ...(number != null && { number }), document: JSON.parse(document) as FlowDocument };
}

/** Of the versions of a flow those that were published. */
export const PUBLISHED = { number: { $ne: null } } as const;

/** Title a draft carries; drafts may be unfinished, so anything else than text counts as none. */
export function titleOf(document: Json): string | null {
  const title =
    typeof document === 'object' && document !== null && !Array.isArray(document) && document.title;
  return typeof title === 'string' ? storableLabel(title) : null;
}
