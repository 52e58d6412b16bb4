import { z } from 'zod';
import {
  AnyDocument,
  DraftDocument,
  FlowDraft,
  FlowName,
  FlowPage,
  Published,
  Validation,
  VersionDetail,
  VersionId,
  VersionPage,
} from '../schemas/index.ts';
import { json, route } from './route.ts';

const byFlow = z.object({ flow: FlowName });

/** `If-Match: "<revision>"`. */
const IfMatch = z.strictObject({
  'if-match': z
    .string()
    .regex(/^"\d{1,9}"$/)
    .optional(),
});

export const flowRoutes = {
  listFlows: route({
    method: 'GET',
    path: '/v1/flows',
    summary: 'List flows by name',
    tag: 'flows',
    auth: 'key',
    replies: { 200: json(FlowPage, 'Every flow') },
    errors: [],
  }),
  createFlow: route({
    method: 'POST',
    path: '/v1/flows',
    summary: 'Create a flow from its first draft',
    tag: 'flows',
    auth: 'key',
    body: DraftDocument,
    replies: { 201: json(FlowDraft, 'The flow, at revision 1') },
    errors: ['flow_exists'],
  }),
  validateFlow: route({
    method: 'POST',
    path: '/v1/flows/validate',
    summary: 'List every problem of a document, without storing it',
    tag: 'flows',
    auth: 'key',
    body: AnyDocument,
    replies: { 200: json(Validation, 'The problems; none: it can be published') },
    errors: [],
  }),
  getFlow: route({
    method: 'GET',
    path: '/v1/flows/:flow',
    summary: 'Get a flow with its draft; the ETag is the revision',
    tag: 'flows',
    auth: 'key',
    params: byFlow,
    replies: { 200: json(FlowDraft, 'The draft') },
    errors: ['flow_not_found'],
  }),
  saveDraft: route({
    method: 'PUT',
    path: '/v1/flows/:flow/draft',
    summary: 'Save the draft; If-Match names the revision it is based on',
    tag: 'flows',
    auth: 'key',
    params: byFlow,
    headers: IfMatch,
    body: DraftDocument,
    replies: { 200: json(FlowDraft, 'The draft with its new revision') },
    errors: ['flow_not_found', 'flow_name_mismatch', 'draft_conflict', 'if_match_missing'],
  }),
  publishFlow: route({
    method: 'POST',
    path: '/v1/flows/:flow/publish',
    summary: 'Publish the draft, or the document in the body (which makes the flow when it is new)',
    tag: 'flows',
    auth: 'key',
    params: byFlow,
    body: DraftDocument,
    bodyOptional: true,
    replies: {
      200: json(Published, 'This graph was published before: the same version'),
      201: json(Published, 'A new version'),
    },
    errors: ['flow_not_found', 'flow_invalid', 'flow_name_mismatch'],
  }),
  listVersions: route({
    method: 'GET',
    path: '/v1/flows/:flow/versions',
    summary: 'List published versions, newest first',
    tag: 'flows',
    auth: 'key',
    params: byFlow,
    replies: { 200: json(VersionPage, 'Every version') },
    errors: ['flow_not_found'],
  }),
  getVersion: route({
    method: 'GET',
    path: '/v1/flows/:flow/versions/:versionId',
    summary: 'Get a version with its document',
    tag: 'flows',
    auth: 'key',
    params: z.object({ flow: FlowName, versionId: VersionId }),
    replies: { 200: json(VersionDetail, 'The version') },
    errors: ['flow_not_found', 'version_not_found'],
  }),
  exportFlow: route({
    method: 'GET',
    path: '/v1/flows/:flow/export',
    summary: 'Download the document of the draft, or of a version',
    tag: 'flows',
    auth: 'key',
    params: byFlow,
    query: z.strictObject({ version: VersionId.optional() }),
    replies: { 200: json(AnyDocument, 'The document alone, as a file') },
    errors: ['flow_not_found', 'version_not_found'],
  }),
};
