import { raw, UniqueConstraintViolationException } from '@mikro-orm/core';
import type { Json } from '@pawl/dag-core';
import { FlowEntity } from '../entities/flow.ts';
import type { Orm } from '../entities/orm.ts';
import { StoreError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { FlowDraft } from '../store-types.ts';
import { type FlowRef, findFlow, titleOf } from './flow-shapes.ts';
import { getFlow } from './read-flows.ts';

/**
 * Makes a flow whose draft is at revision 1. The draft may be unfinished; only publishing asks for a valid one.
 *
 * @throws {StoreError} `flow_exists`
 */
export async function createFlow(
  orm: Orm,
  { document, ...ref }: FlowRef & { document: Json },
): Promise<FlowDraft> {
  try {
    await orm.fork().insert(FlowEntity, newFlowRow(ref, JSON.stringify(document)));
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) {
      throw new StoreError('flow_exists', { flow: ref.flow }, { cause: error });
    }
    throw error;
  }
  return getFlow(orm, ref);
}

/**
 * Replaces a draft that is still at `expectedRevision`; the revision goes up by one.
 *
 * @throws {StoreError} `flow_not_found`; `draft_conflict` with both documents when somebody saved in between
 */
export async function saveDraft(
  orm: Orm,
  { document, expectedRevision, ...ref }: FlowRef & { document: Json; expectedRevision: number },
): Promise<FlowDraft> {
  const em = orm.fork();
  const changed = await em.nativeUpdate(
    FlowEntity,
    { workspaceId: ref.workspaceId, name: ref.flow, revision: expectedRevision },
    {
      draft: JSON.stringify(document),
      title: titleOf(document),
      revision: expectedRevision + 1,
      updatedAt: raw('now()'),
    },
  );
  if (changed === 1) return getFlow(orm, ref);
  const current = await findFlow(em, ref);
  throw new StoreError('draft_conflict', {
    flow: ref.flow,
    expectedRevision,
    currentRevision: current.revision,
    current: JSON.parse(current.draft) as Json,
    yours: document,
  });
}

/** A flow that is new, with the text of its draft. */
export function newFlowRow({ workspaceId, flow }: FlowRef, draft: string) {
  return {
    id: newId(),
    workspaceId,
    name: flow,
    title: titleOf(JSON.parse(draft) as Json),
    draft,
    revision: 1,
    createdAt: raw('now()'),
    updatedAt: raw('now()'),
  };
}
