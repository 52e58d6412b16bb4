import { LockMode, raw } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type FlowDocument, type Json, pinFlows, validateFlow, versionId } from '@pawl/dag-core';
import { FlowEntity } from '../entities/flow.ts';
import { FlowVersionEntity } from '../entities/flow-version.ts';
import type { Orm } from '../entities/orm.ts';
import { StoreError } from '../errors.ts';
import type { VersionSummary } from '../store-types.ts';
import { findFlows } from './find-flows.ts';
import {
  type FlowRef,
  type FlowRow,
  findFlow,
  PUBLISHED,
  type VersionRow,
  versionSummary,
} from './flow-shapes.ts';
import { newFlowRow } from './write-drafts.ts';

/** The tools and models that flows may name. */
export type Registered = Omit<NonNullable<Parameters<typeof validateFlow>[1]>, 'flows'>;

export interface PublishFlow extends FlowRef {
  /**
   * Absent: the draft. Given: this document; it makes the flow when it is new, and leaves the draft of an existing one as it
   * is, so that nobody's unfinished work is overwritten.
   */
  readonly document?: Json;
  readonly registered?: Registered;
}

/** `created` is false when this graph was published before. */
export interface PublishedFlow {
  readonly version: VersionSummary;
  readonly created: boolean;
}

/**
 * Publishes a flow: from now on starts run this version unless they name another. Flows that it runs are pinned to versions, those
 * named `latest` to the one that starts run now. The same graph is the same version, with
 * the document of its first publication, whatever layout and titles say.
 *
 * @throws {StoreError} `flow_not_found` (without a document), `flow_name_mismatch`, `flow_invalid` with every problem
 */
export async function publishFlow(orm: Orm, request: PublishFlow): Promise<PublishedFlow> {
  const text =
    request.document === undefined ? await draftText(orm, request) : JSON.stringify(request.document);
  const { document, pinned } = await checked(orm, request, text);
  const id = versionId(document);
  return orm.fork().transactional(async (em) => {
    const flow = await lockFlow(em, request, text);
    const known = await em.findOne(FlowVersionEntity, { flowId: flow.id, id });
    const version = known ?? (await insertVersion(em, flow, { id, text: pinned }));
    flow.publishedVersionId = id;
    return { version: versionSummary(version, flow.name), created: !known };
  });
}

async function draftText(orm: Orm, ref: FlowRef): Promise<string> {
  return (await findFlow(orm.fork(), ref)).draft;
}

/** The document with the flows it names pinned to versions (K12), and the text of that: the same where it names none. */
async function checked(
  orm: Orm,
  { workspaceId, flow, registered }: PublishFlow,
  text: string,
): Promise<{ document: FlowDocument; pinned: string }> {
  const given: unknown = JSON.parse(text);
  const flows = await findFlows(orm, workspaceId, given);
  const { document: valid, issues } = validateFlow(given, { ...registered, flows });
  if (!valid) {
    throw new StoreError('flow_invalid', {
      flow,
      issues: issues.filter((issue) => issue.severity === 'error'),
    });
  }
  if (valid.name !== flow) throw new StoreError('flow_name_mismatch', { flow, documentName: valid.name });
  const document = pinFlows(valid, flows);
  return { document, pinned: document === valid ? text : JSON.stringify(document) };
}

/** The row of the flow, locked so that numbers count up one by one; made when it is new and a document came. */
async function lockFlow(em: SqlEntityManager, request: PublishFlow, text: string): Promise<FlowRow> {
  const { workspaceId, flow } = request;
  if (request.document !== undefined) {
    await em
      .createQueryBuilder(FlowEntity)
      .insert(newFlowRow({ workspaceId, flow }, text))
      .onConflict(['workspaceId', 'name'])
      .ignore();
  }
  const row = await em.findOne(
    FlowEntity,
    { workspaceId, name: flow },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!row) throw new StoreError('flow_not_found', { flow });
  return row;
}

async function insertVersion(
  em: SqlEntityManager,
  flow: FlowRow,
  { id, text }: { id: string; text: string },
): Promise<VersionRow> {
  await em.insert(FlowVersionEntity, {
    workspaceId: flow.workspaceId,
    id,
    flowId: flow.id,
    number: (await em.count(FlowVersionEntity, { flowId: flow.id, ...PUBLISHED })) + 1,
    document: text,
    createdAt: raw('now()'),
  });
  return em.findOneOrFail(FlowVersionEntity, { workspaceId: flow.workspaceId, id });
}
