import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { Json } from '@pawl/dag-core';
import { FlowEntity } from '../entities/flow.ts';
import { FlowVersionEntity } from '../entities/flow-version.ts';
import type { Orm } from '../entities/orm.ts';
import { StoreError } from '../errors.ts';
import type { FlowDraft, ListedFlow, Version, VersionSummary } from '../store-types.ts';
import {
  type FlowRef,
  type FlowRow,
  findFlow,
  flowDraft,
  flowSummary,
  PUBLISHED,
  type VersionRow,
  versionOf,
  versionSummary,
} from './flow-shapes.ts';
import { NO_RECENT_RUNS, recentRuns } from './recent-runs.ts';

/** Every flow of a workspace that people drew, by name, with its newest runs. */
export async function listFlows(orm: Orm, workspaceId: string): Promise<ListedFlow[]> {
  const em = orm.fork();
  const rows = await em.find(
    FlowEntity,
    { workspaceId, isHidden: false },
    { orderBy: { name: 'asc' }, exclude: ['draft'] },
  );
  const [counts, recent] = await Promise.all([
    em.execute<{ flow_id: string; count: number }[]>(
      'select flow_id, count(*)::int as count from flow_version where workspace_id = ? and number is not null group by flow_id',
      [workspaceId],
    ),
    recentRuns(orm, workspaceId),
  ]);
  const countOf = new Map(counts.map((row) => [row.flow_id, row.count]));
  return rows.map((row) => ({
    ...flowSummary(row, countOf.get(row.id) ?? 0),
    recent: recent.get(row.name) ?? NO_RECENT_RUNS,
  }));
}

/**
 * A flow with its draft.
 *
 * @throws {StoreError} `flow_not_found`
 */
export async function getFlow(orm: Orm, ref: FlowRef): Promise<FlowDraft> {
  const em = orm.fork();
  const row = await findFlow(em, ref);
  return flowDraft(row, await em.count(FlowVersionEntity, { flowId: row.id, ...PUBLISHED }));
}

/**
 * Published versions of a flow, newest first.
 *
 * @throws {StoreError} `flow_not_found`
 */
export async function listVersions(orm: Orm, ref: FlowRef): Promise<VersionSummary[]> {
  const em = orm.fork();
  const flow = await findFlow(em, ref);
  const rows = await em.find(
    FlowVersionEntity,
    { flowId: flow.id, ...PUBLISHED },
    { orderBy: { number: 'desc' }, exclude: ['document'] },
  );
  return rows.map((row) => versionSummary(row, flow.name));
}

/**
 * A version of a flow, or what a test run of it runs.
 *
 * @throws {StoreError} `flow_not_found`; `version_not_found`, also for a version of another flow
 */
export async function getVersion(orm: Orm, ref: FlowRef & { readonly version: string }): Promise<Version> {
  const em = orm.fork();
  const flow = await findFlow(em, ref);
  return versionOf(await findVersion(em, flow, ref.version), flow.name);
}

/**
 * The document as it was saved or published, layout and order of keys included: what `flow export` writes.
 *
 * @param ref.version absent: the draft
 * @throws {StoreError} `flow_not_found`, `version_not_found`
 */
export async function exportFlow(orm: Orm, ref: FlowRef & { readonly version?: string }): Promise<Json> {
  if (ref.version === undefined) return (await getFlow(orm, ref)).document;
  return (await getVersion(orm, { ...ref, version: ref.version })).document as unknown as Json;
}

/**
 * The version that a start would run.
 *
 * @param ref.version absent: the published one
 * @throws {StoreError} `flow_not_found`, `version_not_found`, `flow_not_published`
 */
export async function versionToRun(orm: Orm, ref: FlowRef & { readonly version?: string }): Promise<Version> {
  const em = orm.fork();
  const flow = await findFlow(em, ref);
  const version = ref.version ?? flow.publishedVersionId;
  if (version == null) throw new StoreError('flow_not_published', { flow: ref.flow });
  const found = await findVersion(em, flow, version);
  if (found.number === null) throw new StoreError('version_not_found', { version, flow: flow.name });
  return versionOf(found, flow.name);
}

async function findVersion(em: SqlEntityManager, flow: FlowRow, version: string): Promise<VersionRow> {
  const row = await em.findOne(FlowVersionEntity, { flowId: flow.id, id: version });
  if (!row) throw new StoreError('version_not_found', { version, flow: flow.name });
  return row;
}
