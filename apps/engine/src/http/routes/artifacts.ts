import type { Artifact } from '@pawl/api';
import { answerBytes } from '../answer-bytes.ts';
import type { Handlers } from '../bind-routes.ts';
import { notFoundBy } from '../read-parts.ts';
import type { RouteContext } from './context.ts';

type ArtifactRoutes =
  | 'listArtifacts'
  | 'findArtifacts'
  | 'uploadArtifact'
  | 'getArtifact'
  | 'downloadArtifact';

/** Artifacts: what runs leave behind, and what is uploaded for them. */
export function artifactHandlers({ store }: RouteContext): Pick<Handlers, ArtifactRoutes> {
  return {
    listArtifacts: async ({ workspaceId, params: { runId }, query }) => {
      const page = await store.listArtifacts({ workspaceId, runId, ...query });
      if (!page) throw notFoundBy('runId', runId);
      return { status: 200, body: page };
    },

    findArtifacts: async ({ workspaceId, query: { uploaded, ...filter } }) => ({
      status: 200,
      body: await store.findArtifacts({
        workspaceId,
        ...filter,
        ...(uploaded !== undefined && { uploaded: uploaded === 'true' }),
      }),
    }),

    uploadArtifact: async ({ workspaceId, by, query: { name }, headers, body: content }) => {
      const mediaType = headers['content-type'] ?? 'application/octet-stream';
      const { artifact, isNew } = await store.uploadArtifact({ workspaceId, by, name, mediaType, content });
      return {
        status: isNew ? 201 : 200,
        body: artifact,
        headers: { location: `/v1/artifacts/${artifact.id}` },
      };
    },

    getArtifact: async ({ workspaceId, params: { artifactId } }) => {
      const artifact = await store.getArtifact(workspaceId, artifactId);
      if (!artifact) throw notFoundBy('artifactId', artifactId);
      return { status: 200, body: artifact };
    },

    downloadArtifact: async ({ workspaceId, params: { artifactId }, headers }) => {
      const opened = await store.openArtifact(workspaceId, artifactId);
      if (!opened) throw notFoundBy('artifactId', artifactId);
      const { artifact, read } = opened;
      const { hash, bytes } = artifact;
      return answerBytes({ hash, bytes, read }, headers, downloadHeaders(artifact));
    },
  };
}

/** A model or a tool wrote the bytes: they are never shown as a page of this origin, whatever their media type. */
function downloadHeaders({ name, mediaType }: Artifact): Record<string, string> {
  const file = name.split('/').at(-1) ?? name;
  const plain = file.replaceAll(/[^\w .+-]/g, '_');
  return {
    'content-type': /^[\w.+-]+\/[\w.+-]+(; ?[\w-]+=[\w.+-]+)*$/.test(mediaType)
      ? mediaType
      : 'application/octet-stream',
    'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${escapeName(file)}`,
    'content-security-policy': "sandbox; default-src 'none'",
  };
}

const escapeName = (file: string): string =>
  encodeURIComponent(file.replaceAll(LONE_SURROGATE, '_')).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
