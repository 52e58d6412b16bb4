import { LockMode, raw } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type FlowDocument, type Json, validateFlow, versionId } from '@pawl/dag-core';
import { FlowEntity } from '../entities/flow.ts';
import { FlowVersionEntity } from '../entities/flow-version.ts';
import type { Orm } from '../entities/orm.ts';
import { StoreError } from '../errors.ts';
import type { VersionSummary } from '../store-types.ts';
import { type FlowRef, type FlowRow, findFlow, type VersionRow, versionSummary } from './flow-shapes.ts';
import { newFlowRow } from './write-drafts.ts';

/** The tools and models that flows may name. */
export type Registered = NonNullable<Parameters<typeof validateFlow>[1]>;

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
 * Publishes a flow: from now on starts run this version unless they name another. The same graph is the same version, with
 * the document of its first publication, whatever layout and titles say.
 *
 * @throws {StoreError} `flow_not_found` (without a document), `flow_name_mismatch`, `flow_invalid` with every problem
 */
export async function publishFlow(orm: Orm, request: PublishFlow): Promise<PublishedFlow> {
  const text =
    request.document === undefined ? await draftText(orm, request) : JSON.stringify(request.document);
  const document = checked(request, JSON.parse(text));
  const id = versionId(document);
  return orm.fork().transactional(async (em) => {
    const flow = await lockFlow(em, request, text);
    const known = await em.findOne(FlowVersionEntity, { flowId: flow.id, id });
    const version = known ?? (await insertVersion(em, flow, { id, text }));
    flow.publishedVersionId = id;
    return { version: versionSummary(version, flow.name), created: !known };
  });
}

async function draftText(orm: Orm, ref: FlowRef): Promise<string> {
  return (await findFlow(orm.fork(), ref)).draft;
}

function checked({ flow, registered }: PublishFlow, document: unknown): FlowDocument {
  const { document: valid, issues } = validateFlow(document, registered);
  if (!valid) {
    throw new StoreError('flow_invalid', {
      flow,
      issues: issues.filter((issue) => issue.severity === 'error'),
    });
  }
  if (valid.name !== flow) throw new StoreError('flow_name_mismatch', { flow, documentName: valid.name });
  return valid;
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
    number: (await em.count(FlowVersionEntity, { flowId: flow.id })) + 1,
    document: text,
    createdAt: raw('now()'),
  });
  return em.findOneOrFail(FlowVersionEntity, { workspaceId: flow.workspaceId, id });
}
