import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createClient } from '@pawl/api';
import { createDatabase } from '../bench/bench-database.ts';
import type { Closers } from '../bench/closers.ts';
import { note } from '../bench/notes.ts';
import { type PawlProcess, startProcess } from '../bench/pawl-process.ts';
import { startServers } from '../bench/servers.ts';

/** One engine, which serves the designer, and one worker. */
export interface Engine {
  readonly url: string;
  readonly client: ReturnType<typeof createClient>;
  /** @throws {Error} with the log of a process that has ended */
  checkHealth(): void;
}

/** Starts both on a fresh database; whatever it starts is added to `closers` at once. */
export async function startEngine(closers: Closers): Promise<Engine> {
  const servers = await startServers(true, closers);
  const env = {
    ...inherited(),
    DATABASE_URL: await createDatabase(servers.databaseUrl, closers),
    REDIS_URL: servers.redisUrl ?? '',
    PAWL_QUEUE_PREFIX: `pawl-bench-${randomBytes(4).toString('hex')}`,
    PAWL_PORT: '0',
    PAWL_AUTH: 'loopback-open',
    PAWL_TOOLS: join(import.meta.dirname, '../bench/bench-tools.ts'),
    // All 200 nodes of the flow that runs are to run at once.
    PAWL_CONCURRENCY: '250',
  };
  const engine = await startProcess('engine', env);
  closers.add(() => endProcess(engine));
  const worker = await startProcess('workers', env);
  closers.add(() => endProcess(worker));
  return {
    url: engine.url,
    client: createClient({ baseUrl: engine.url }),
    checkHealth() {
      for (const [name, child] of Object.entries({ engine, worker }))
        if (child.hasEnded()) throw new Error(`The ${name} process has ended:\n${child.log()}`);
    },
  };
}

const inherited = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      (each): each is [string, string] => each[1] !== undefined && !each[0].startsWith('PAWL_'),
    ),
  );

async function endProcess(child: PawlProcess): Promise<void> {
  if (child.hasEnded()) return;
  child.kill('SIGTERM');
  const patience = setTimeout(() => {
    note('A process did not end within 15 s of SIGTERM and is killed.');
    child.kill('SIGKILL');
  }, 15_000);
  await child.ended;
  clearTimeout(patience);
}
