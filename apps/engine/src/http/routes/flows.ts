import type { FlowDraft } from '@pawl/run-store';
import type { Handlers } from '../bind-routes.ts';
import { problems } from '../http-problem.ts';
import type { RouteContext } from './context.ts';

type FlowRoutes =
  | 'listFlows'
  | 'createFlow'
  | 'validateFlow'
  | 'pauseFlow'
  | 'resumeFlow'
  | 'getFlow'
  | 'saveDraft'
  | 'publishFlow'
  | 'listVersions'
  | 'getVersion'
  | 'exportFlow';

/** Flows: drafts that people share, and the versions made of them. */
export function flowHandlers({ store, validateFlow }: RouteContext): Pick<Handlers, FlowRoutes> {
  return {
    pauseFlow: async ({ workspaceId, by, params }) => ({
      status: 200,
      body: await store.pauseFlow({ workspaceId, ...params, by }),
    }),

    resumeFlow: async ({ workspaceId, params }) => ({
      status: 200,
      body: await store.resumeFlow({ workspaceId, ...params }),
    }),

    listFlows: async ({ workspaceId }) => ({
      status: 200,
      body: { items: await store.listFlows(workspaceId) },
    }),

    createFlow: async ({ workspaceId, body }) => {
      const draft = await store.createFlow({ workspaceId, flow: body.name, document: body });
      return { status: 201, body: draft, headers: { ...etagOf(draft), location: `/v1/flows/${body.name}` } };
    },

    validateFlow: async ({ workspaceId, body }) => {
      const { issues, versionId } = await validateFlow(body, workspaceId);
      const valid = issues.every(({ severity }) => severity === 'warning');
      return { status: 200, body: { valid, issues, ...(versionId && { versionId }) } };
    },

    getFlow: async ({ workspaceId, params }) => {
      const draft = await store.getFlow({ workspaceId, flow: params.flow });
      return { status: 200, body: draft, headers: etagOf(draft) };
    },

    saveDraft: async ({ workspaceId, params, headers, body }) => {
      const revision = headers['if-match'];
      if (revision === undefined) throw problems.ifMatchMissing(params.flow);
      demandName(params.flow, body.name);
      const draft = await store.saveDraft({
        workspaceId,
        flow: params.flow,
        expectedRevision: Number(revision.slice(1, -1)),
        document: body,
      });
      return { status: 200, body: draft, headers: etagOf(draft) };
    },

    publishFlow: async ({ workspaceId, params, body }) => {
      if (body) demandName(params.flow, body.name);
      const published = await store.publishFlow({
        workspaceId,
        flow: params.flow,
        ...(body && { document: body }),
      });
      return { status: published.created ? 201 : 200, body: published };
    },

    listVersions: async ({ workspaceId, params }) => ({
      status: 200,
      body: { items: await store.listVersions({ workspaceId, flow: params.flow }) },
    }),

    getVersion: async ({ workspaceId, params }) => ({
      status: 200,
      body: await store.getVersion({ workspaceId, flow: params.flow, version: params.versionId }),
    }),

    exportFlow: async ({ workspaceId, params, query }) => {
      const document = await store.exportFlow({ workspaceId, flow: params.flow, version: query.version });
      return {
        status: 200,
        body: document as never,
        headers: { 'content-disposition': `attachment; filename="${params.flow}.json"` },
      };
    },
  };
}

const etagOf = (draft: FlowDraft) => ({ etag: `"${draft.revision}"` });

function demandName(address: string, document: string): void {
  if (address !== document) throw problems.flowNameMismatch(address, document);
}
