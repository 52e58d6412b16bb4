import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { drawn } from './drawn.ts';
import { tellRedis } from './redis-line.ts';
import type { SoakSystem } from './system.ts';

/** Something bad that happens to the system, and that it gets over by itself. */
interface Mischief {
  readonly name: string;
  readonly weight: number;
  do(system: SoakSystem, random: () => number): Promise<void>;
}

const anyOf = (random: () => number, count: number): number => Math.floor(random() * count);

const all: readonly Mischief[] = [
  {
    name: 'worker killed',
    weight: 6,
    do: (system, random) => system.replaceWorker(anyOf(random, system.workers.length), 'SIGKILL'),
  },
  {
    name: 'worker asked to end',
    weight: 2,
    do: (system, random) => system.replaceWorker(anyOf(random, system.workers.length), 'SIGTERM'),
  },
  {
    name: 'worker stopped past its lease',
    weight: 2,
    async do(system, random) {
      const worker = system.workers[anyOf(random, system.workers.length)]!;
      worker.kill('SIGSTOP');
      await pause(6_000);
      worker.kill('SIGCONT');
    },
  },
  {
    name: 'engine killed',
    weight: 2,
    do: (system, random) => system.replaceEngine(anyOf(random, system.engines.length)),
  },
  {
    name: 'connections cut',
    weight: 3,
    async do({ databaseUrl }) {
      await ask(
        databaseUrl,
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name like 'pawl%'",
      );
    },
  },
  {
    name: 'database restarted',
    weight: 1,
    do: ({ postgres }, random) => postgres.restart({ mode: random() < 0.5 ? 'kill' : 'fast' }),
  },
  {
    name: 'doorbells lost',
    weight: 3,
    async do({ databaseUrl, redis }) {
      if (redis) await tellRedis(redis.port, 'FLUSHALL');
      else await ask(databaseUrl, 'delete from pawl_queue.job');
    },
  },
  {
    name: 'queue server restarted',
    weight: 1,
    async do({ redis }) {
      await redis?.restart({ mode: 'kill' });
    },
  },
];

/** Does one mischief after the other until told to stop; tells how often each was done. */
export async function makeMischief(
  system: SoakSystem,
  random: () => number,
  isOver: () => boolean,
  onTrouble: (line: string) => void,
): Promise<Map<string, number>> {
  const done = new Map<string, number>();
  while (!isOver()) {
    await pause(1_000 + random() * 3_000);
    const mischief = drawn(all, random);
    try {
      await mischief.do(system, random);
      done.set(mischief.name, (done.get(mischief.name) ?? 0) + 1);
    } catch (error) {
      onTrouble(`${mischief.name}: ${(error as Error).message}`);
    }
    await system.revive().catch((error: Error) => onTrouble(`a process did not come back: ${error.message}`));
  }
  return done;
}

async function ask(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end().catch(() => {});
  }
}
