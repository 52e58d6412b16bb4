import { z } from 'zod';
import { Artifact, ArtifactPage, Cursor, Id, Limit } from '../schemas/index.ts';
import { json, raw, route } from './route.ts';
import { byRun } from './runs.ts';

const byArtifact = z.object({ artifactId: Id });

export const artifactRoutes = {
  listArtifacts: route({
    method: 'GET',
    path: '/v1/runs/:runId/artifacts',
    summary: 'List the artifacts of a run by name and version',
    tag: 'artifacts',
    auth: 'key',
    params: byRun,
    query: z.strictObject({ cursor: Cursor, limit: Limit }),
    replies: { 200: json(ArtifactPage, 'A page of artifacts') },
    errors: ['run_not_found'],
  }),
  getArtifact: route({
    method: 'GET',
    path: '/v1/artifacts/:artifactId',
    summary: 'Get what is known about an artifact',
    tag: 'artifacts',
    auth: 'key',
    params: byArtifact,
    replies: { 200: json(Artifact, 'The artifact') },
    errors: ['artifact_not_found'],
  }),
  downloadArtifact: route({
    method: 'GET',
    path: '/v1/artifacts/:artifactId/content',
    summary: 'Download the content of an artifact, always as an attachment',
    tag: 'artifacts',
    auth: 'key',
    params: byArtifact,
    replies: { 200: raw('*/*', 'The bytes, with the media type of the artifact') },
    errors: ['artifact_not_found'],
  }),
};
