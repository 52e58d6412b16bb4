import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Command } from 'commander';
import { newCommand, type Shell } from '../command.ts';
import { AppEndedError } from '../errors.ts';
import { nodeArguments, REPOSITORY } from '../repository.ts';
import { databaseUrlOf } from './database-url.ts';

const APPS = {
  engine: {
    folder: 'engine',
    description: 'run one engine process in the foreground: API, event streams, relay, sweeper',
  },
  worker: { folder: 'workers', description: 'run one worker process in the foreground' },
} as const;

/** `pawl engine` and `pawl worker`: one process, configured by the environment (docs/guide/operations.md). */
export function appCommand(name: keyof typeof APPS, shell: Shell): Command {
  const { folder, description } = APPS[name];
  return newCommand(name, description)
    .option('--database-url <url>', 'PostgreSQL (DATABASE_URL)')
    .option('--redis-url <url>', 'Redis for the queue (REDIS_URL; default: the queue lives in PostgreSQL)')
    .action(async (options: { databaseUrl?: string; redisUrl?: string }) => {
      const { io } = shell;
      const redisUrl = options.redisUrl ?? io.env.REDIS_URL;
      const app = spawn(process.execPath, nodeArguments(join(REPOSITORY, 'apps', folder, 'src', 'main.ts')), {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        // A group of its own: the terminal's Ctrl-C reaches it once, through here.
        detached: true,
        env: {
          ...io.env,
          DATABASE_URL: await databaseUrlOf(name, options, io),
          ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
          PAWL_PARENT_PID: String(process.pid),
        },
      });
      const stop = (): void => void app.kill('SIGTERM');
      io.interrupted.addEventListener('abort', stop, { once: true });
      const [code, signal] = (await once(app, 'exit')) as [number | null, NodeJS.Signals | null];
      if (code === 0 || (io.interrupted.aborted && signal === 'SIGTERM')) return;
      throw new AppEndedError(name, signal ? `by ${signal}` : `with exit code ${code}`);
    });
}
