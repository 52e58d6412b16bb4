import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Ports that systems give to outgoing connections begin here (Linux; others begin higher). */
const FIRST_OUTGOING = 32_768;
const FIRST = 10_000;
const TRIES = 50;

/**
 * A TCP port of the loopback interface that is free now, below those that outgoing connections get: while a server restarts, a
 * client that tries to reconnect could otherwise be given the very port it calls, reach itself and keep the server out.
 *
 * @param preferred  tried first; any other port when it is taken. Absent or 0: any port
 */
export async function freePort(preferred = 0): Promise<number> {
  if (preferred !== 0 && (await tryListen(preferred)) !== undefined) return preferred;
  for (let tries = 0; tries < TRIES; tries++) {
    const port = await tryListen(randomInt(FIRST, FIRST_OUTGOING));
    if (port !== undefined) return port;
  }
  return (await tryListen(0)) ?? 0;
}

function tryListen(port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(undefined);
      else reject(error);
    });
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : undefined));
    });
  });
}
