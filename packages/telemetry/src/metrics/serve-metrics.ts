import { createServer } from 'node:http';
import type { Registry } from 'prom-client';

/**
 * Serves `GET /metrics` and nothing else.
 *
 * @param at `port` 0 for a free one
 * @returns address of the metrics, for instance `http://127.0.0.1:9464/metrics`
 * @throws {Error} when the address cannot be had
 */
export async function serveMetrics(
  registry: Registry,
  at: { readonly host: string; readonly port: number },
): Promise<string> {
  const server = createServer({ requestTimeout: 10_000, keepAliveTimeout: 5_000 }, (request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response
        .writeHead(404, { 'content-type': 'text/plain; charset=utf-8' })
        .end('There is only GET /metrics.\n');
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = 20;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, resolve);
  });
  // Metrics do not keep a process alive that has nothing else to do.
  server.unref();
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : at.port;
  const host = at.host.includes(':') ? `[${at.host}]` : at.host;
  return `http://${host}:${port}/metrics`;
}
