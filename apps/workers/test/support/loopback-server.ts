import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** One request as the server saw it. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** A real HTTP server on loopback that notes what it is asked. */
export interface LoopbackServer {
  readonly url: string;
  readonly port: number;
  readonly seen: readonly SeenRequest[];
  close(): Promise<void>;
}

/** @param answer given the request, its body read; may misbehave as it likes */
export async function startLoopbackServer(
  answer: (request: SeenRequest, response: ServerResponse) => void = (_request, response) =>
    response.end('{}'),
  host = '127.0.0.1',
): Promise<LoopbackServer> {
  const seen: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    void buffer(request).then((body) => {
      const noted = { method: request.method!, path: request.url!, headers: request.headers, body };
      seen.push(noted);
      answer(noted, response);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    seen,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
