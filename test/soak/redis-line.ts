import { createConnection } from 'node:net';

/** Sends one command without arguments to a Redis of this machine and waits for its answer. */
export function tellRedis(port: number, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: '127.0.0.1', port }, () => socket.write(`${command}\r\n`));
    socket.once('data', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}
