import { readFileSync } from 'node:fs';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FlowDocument } from '@pawl/dag-core';
import type { Closers } from '../bench/closers.ts';
import { bundleForPage } from './page-code.ts';
import type { Rect } from './probe/contract.ts';

/** Serves the bare page and its graphs, and hands calls of the API on to the engine. */
export interface BareSite {
  /** Bytes of gzip of its script and style. */
  readonly bytes: number;
  /** Address of a graph that was put there, in a canvas of the same place and size as the designer's; with a run, which it follows. */
  addressOf(graph: string, canvas: Rect, runId?: string): string;
  put(document: FlowDocument): void;
}

const TYPES = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
  css: 'text/css',
  json: 'application/json',
};

/** Starts it on a free port of the loopback address. */
export async function startBareSite(engineUrl: string, closers: Closers): Promise<BareSite> {
  const { script, style } = await bundleForPage('bare/page.tsx');
  const graphOf = await loadGraphOf();
  const page = readFileSync(join(import.meta.dirname, 'bare/page.html'), 'utf8');
  const files = new Map([
    ['/', { type: TYPES.html, text: page }],
    ['/page.js', { type: TYPES.js, text: script }],
    ['/page.css', { type: TYPES.css, text: style }],
  ]);
  const server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://x').pathname;
    if (path.startsWith('/v1/')) return pass(engineUrl, request, response);
    const file = files.get(path);
    response.writeHead(file ? 200 : 404, {
      'content-type': file?.type ?? 'text/plain',
      'cache-control': 'no-cache',
    });
    response.end(file?.text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.add(() => {
    server.closeAllConnections();
    server.close();
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    bytes: gzipSync(script).length + gzipSync(style).length,
    addressOf(graph, { x, y, width, height }, runId) {
      const query = new URLSearchParams({
        graph,
        left: String(x),
        top: String(y),
        width: String(width),
        height: String(height),
        ...(runId !== undefined && { run: runId }),
      });
      return `${base}/?${query}`;
    },
    put(document) {
      files.set(`/graphs/${document.name}`, { type: TYPES.json, text: JSON.stringify(graphOf(document)) });
    },
  };
}

/** Runs code that was written for the page here. */
async function loadGraphOf(): Promise<(document: FlowDocument) => unknown> {
  const { script } = await bundleForPage('bare/graph-of.ts');
  return (await import(`data:text/javascript,${encodeURIComponent(script)}`)).graphOf;
}

function pass(engineUrl: string, request: IncomingMessage, response: ServerResponse): void {
  const { method, headers } = request;
  const passed = forward(new URL(request.url!, engineUrl), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
  });
  passed.on('error', () => response.destroy());
  response.on('close', () => passed.destroy());
  request.pipe(passed);
}
