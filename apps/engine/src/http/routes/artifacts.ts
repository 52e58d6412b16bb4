import { Readable } from 'node:stream';
import type { Artifact } from '@pawl/api';
import { type Handlers, Raw } from '../bind-routes.ts';
import { notFoundBy } from '../read-parts.ts';
import type { RouteContext } from './context.ts';

type ArtifactRoutes = 'listArtifacts' | 'getArtifact' | 'downloadArtifact';

/** Artifacts: what runs leave behind. */
export function artifactHandlers({ store }: RouteContext): Pick<Handlers, ArtifactRoutes> {
  return {
    listArtifacts: async ({ workspaceId, params: { runId }, query }) => {
      const page = await store.listArtifacts({ workspaceId, runId, ...query });
      if (!page) throw notFoundBy('runId', runId);
      return { status: 200, body: page };
    },

    getArtifact: async ({ workspaceId, params: { artifactId } }) => {
      const artifact = await store.getArtifact(workspaceId, artifactId);
      if (!artifact) throw notFoundBy('artifactId', artifactId);
      return { status: 200, body: artifact };
    },

    downloadArtifact: async ({ workspaceId, params: { artifactId } }) => {
      const opened = await store.openArtifact(workspaceId, artifactId);
      if (!opened) throw notFoundBy('artifactId', artifactId);
      return {
        status: 200,
        body: new Raw(Readable.from(opened.content, { objectMode: false })),
        headers: downloadHeaders(opened.artifact),
      };
    },
  };
}

/** A model or a tool wrote the bytes: they are never shown as a page of this origin, whatever their media type. */
function downloadHeaders({ name, mediaType, bytes, hash }: Artifact): Record<string, string> {
  const file = name.split('/').at(-1) ?? name;
  const plain = file.replaceAll(/[^\w .+-]/g, '_');
  return {
    'content-type': /^[\w.+-]+\/[\w.+-]+(; ?[\w-]+=[\w.+-]+)*$/.test(mediaType)
      ? mediaType
      : 'application/octet-stream',
    'content-length': String(bytes),
    'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${escapeName(file)}`,
    'content-security-policy': "sandbox; default-src 'none'",
    etag: `"${hash}"`,
  };
}

const escapeName = (file: string): string =>
  encodeURIComponent(file.replaceAll(LONE_SURROGATE, '_')).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
