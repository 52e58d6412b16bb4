import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long a socket that was opened while the server closes may take to send its request. */
const LAST_CHANCE_MS = 1_000;

/**
 * Watches sockets that have sent no request yet. Browsers and clients open such ahead of need, and Node waits for them when
 * a server closes; the returned function cuts them, those that come after it too.
 */
export function watchUnusedSockets(server: Server): () => void {
  const unused = new Set<Socket>();
  let isClosing = false;
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
    if (isClosing) setTimeout(() => unused.has(socket) && socket.destroy(), LAST_CHANCE_MS).unref();
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return () => {
    isClosing = true;
    for (const socket of unused) socket.destroy();
  };
}
