import { z } from 'zod';
import { Artifact, ArtifactPage, Cursor, FlowName, Id, Limit } from '../schemas/index.ts';
import { bytesOf, json, raw, route } from './route.ts';
import { byRun } from './runs.ts';

const byArtifact = z.object({ artifactId: Id });

const pattern = z.string().min(1).max(200).optional();
const filter = {
  name: pattern.meta({ description: 'Exactly, or with `*` for anything: `report-*.md`' }),
  mediaType: pattern.meta({ description: 'Exactly, or with `*` for anything: `image/*`' }),
  cursor: Cursor,
  limit: Limit,
};

const header = z.string().max(500).optional();

/** Of whatever is downloaded in parts. */
export const rangeHeaders = z.strictObject({ range: header, 'if-range': header, 'if-none-match': header });

export const artifactRoutes = {
  listArtifacts: route({
    method: 'GET',
    path: '/v1/runs/:runId/artifacts',
    summary: 'List the artifacts of a run in the order they were made',
    tag: 'artifacts',
    auth: 'viewer',
    params: byRun,
    query: z.strictObject(filter),
    replies: { 200: json(ArtifactPage, 'A page of artifacts') },
    errors: ['run_not_found', 'cursor_invalid'],
  }),
  findArtifacts: route({
    method: 'GET',
    path: '/v1/artifacts',
    summary: 'List artifacts of the workspace, newest first: all, those of one flow, or uploads',
    tag: 'artifacts',
    auth: 'viewer',
    query: z.strictObject({
      flow: FlowName.optional(),
      uploaded: z
        .enum(['true', 'false'])
        .optional()
        .meta({ description: '`true`: only what was uploaded; `false`: only what runs made' }),
      ...filter,
    }),
    replies: { 200: json(ArtifactPage, 'A page of artifacts') },
    errors: ['cursor_invalid'],
  }),
  uploadArtifact: route({
    method: 'POST',
    path: '/v1/artifacts',
    summary:
      'Upload an artifact for inputs of runs: the bytes as they are, of the media type in Content-Type',
    tag: 'artifacts',
    auth: 'operator',
    query: z.strictObject({
      name: z
        .string()
        .min(1)
        .max(200)
        .meta({ description: 'For instance prices.csv; each upload of other bytes is its next version' }),
    }),
    headers: z.strictObject({
      'content-type': z
        .string()
        .max(200)
        .regex(/^[\w.+!#$&^-]+\/[\w.+!#$&^-]+(\s*;[^\r\n]*)?$/, 'Expected a media type such as text/csv')
        .optional(),
    }),
    body: bytesOf('The bytes of the artifact'),
    replies: {
      201: json(Artifact, 'A new artifact'),
      200: json(Artifact, 'The newest version of this name, which has the same bytes'),
    },
    errors: ['upload_interrupted'],
  }),
  getArtifact: route({
    method: 'GET',
    path: '/v1/artifacts/:artifactId',
    summary: 'Get what is known about an artifact',
    tag: 'artifacts',
    auth: 'viewer',
    params: byArtifact,
    replies: { 200: json(Artifact, 'The artifact') },
    errors: ['artifact_not_found'],
  }),
  downloadArtifact: route({
    method: 'GET',
    path: '/v1/artifacts/:artifactId/content',
    summary: 'Download the content of an artifact or a range of it, always as an attachment',
    tag: 'artifacts',
    auth: 'viewer',
    params: byArtifact,
    headers: rangeHeaders,
    replies: {
      200: raw('*/*', 'The bytes, with the media type of the artifact; the ETag is their hash'),
      206: raw('*/*', 'The bytes of the range'),
      304: raw('*/*', 'The bytes are those that If-None-Match names'),
    },
    errors: ['artifact_not_found', 'range_not_satisfiable'],
  }),
};
