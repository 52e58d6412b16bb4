import { join } from 'node:path';
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

// Nothing from elsewhere, nothing inline but style attributes, and no page around it.
const PAGE_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');
// Schemas of flows are compiled to functions, which happens in workers only: they have no page, no cookies to show and no document.
const WORKER_POLICY = "default-src 'self'; script-src 'self' 'unsafe-eval'";

/** Puts the files of the built designer on the server. They are for everybody: what they show comes from the API. */
export function serveDesigner(app: FastifyInstance, folder: string): void {
  // A route for each of some four hundred assets would take a third of the time in which an engine starts.
  app.register(fastifyStatic, { ...HOW, root: folder, wildcard: false, globIgnore: ['assets/**'] });
  app.register(fastifyStatic, {
    ...HOW,
    root: join(folder, 'assets'),
    prefix: '/assets/',
    decorateReply: false,
  });
}

const HOW: Pick<FastifyStaticOptions, 'cacheControl' | 'setHeaders'> = {
  cacheControl: false,
  setHeaders(reply, path) {
    const isWorker = /[/\\][\w-]*worker-[^/\\]*[.]js$/.test(path);
    reply.header('content-security-policy', isWorker ? WORKER_POLICY : PAGE_POLICY);
    reply.header('referrer-policy', 'no-referrer');
    // The names of assets hold the hash of what is in them.
    const isNamedByContent = /[/\\]assets[/\\]/.test(path);
    reply.header('cache-control', isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache');
  },
};

/** A browser that opens an address of the designer; which screen it is, the page itself knows. */
export const asksForPage = ({ method, url, headers }: FastifyRequest): boolean =>
  method === 'GET' && !/^[/](v1|assets)([/?]|$)/.test(url) && Boolean(headers.accept?.includes('text/html'));

/** Answers with the page of the designer. */
export const sendPage = (reply: FastifyReply): FastifyReply => reply.sendFile('index.html');
