import { createServer } from 'node:net';

/**
 * A TCP port of the loopback interface that is free now.
 *
 * @param preferred  tried first; any other port when it is taken. Absent or 0: any port
 */
export async function freePort(preferred = 0): Promise<number> {
  const port = await tryListen(preferred);
  return port ?? (await tryListen(0)) ?? 0;
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
