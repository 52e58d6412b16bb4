import { raw } from '@mikro-orm/core';
import { FlowEntity } from '../entities/flow.ts';
import type { Orm } from '../entities/orm.ts';
import type { FlowSummary } from '../store-types.ts';
import { type FlowRef, findFlow } from './flow-shapes.ts';
import { getFlow } from './read-flows.ts';

/**
 * Lets a flow start no runs, whoever asks; runs that exist go on. Asking twice is harmless.
 *
 * @throws {StoreError} `flow_not_found`
 */
export async function pauseFlow(
  orm: Orm,
  { by, ...ref }: FlowRef & { readonly by: string },
): Promise<FlowSummary> {
  const em = orm.fork();
  await findFlow(em, ref);
  await em.nativeUpdate(
    FlowEntity,
    { workspaceId: ref.workspaceId, name: ref.flow, pausedAt: null },
    { pausedAt: raw('now()'), pausedBy: by },
  );
  return summaryOf(orm, ref);
}

/** Lets a flow start runs again. Asking twice is harmless. @throws {StoreError} `flow_not_found` */
export async function resumeFlow(orm: Orm, ref: FlowRef): Promise<FlowSummary> {
  const em = orm.fork();
  await findFlow(em, ref);
  await em.nativeUpdate(
    FlowEntity,
    { workspaceId: ref.workspaceId, name: ref.flow },
    { pausedAt: null, pausedBy: null },
  );
  return summaryOf(orm, ref);
}

async function summaryOf(orm: Orm, ref: FlowRef): Promise<FlowSummary> {
  const { document: _document, ...summary } = await getFlow(orm, ref);
  return summary;
}
