import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@pawl/api';
import pg from 'pg';
import {
  type ExampleServices,
  type ServicesPlace,
  startExampleServices,
} from '../../apps/cli/src/dev/example-services.ts';
import { type PawlProcess, startProcess } from '../bench/pawl-process.ts';
import { type Ledger, startLedger } from '../support/ledger.ts';
import { startPostgres, startRedis, type TestServer } from '../support/process.ts';

const REPOSITORY = join(import.meta.dirname, '../..');
const TIMES = {
  PAWL_LEASE_MS: '4000',
  PAWL_SWEEP_MS: '500',
  PAWL_RELAY_MS: '500',
  PAWL_EFFECT_MARGIN_MS: '500',
  PAWL_CANCEL_GRACE_MS: '3000',
};

/** Servers, engines and workers of a soak, each of which may be killed and started again. */
export class SoakSystem {
  readonly postgres: TestServer;
  readonly redis: TestServer | undefined;
  readonly ledger: Ledger;
  readonly databaseUrl: string;
  /** Into which the workers may write. */
  readonly folder: string;
  readonly engines: PawlProcess[] = [];
  readonly workers: PawlProcess[] = [];
  readonly #env: Record<string, string>;
  readonly #stopServices: () => Promise<void>;

  private constructor(
    postgres: TestServer,
    redis: TestServer | undefined,
    ledger: Ledger,
    databaseUrl: string,
    folder: string,
    services: Services,
  ) {
    this.postgres = postgres;
    this.redis = redis;
    this.ledger = ledger;
    this.databaseUrl = databaseUrl;
    this.folder = folder;
    this.#env = {
      ...(process.env as Record<string, string>),
      ...TIMES,
      DATABASE_URL: databaseUrl,
      REDIS_URL: redis?.url ?? '',
      PAWL_QUEUE_PREFIX: `soak-${randomUUID()}`,
      PAWL_PORT: '0',
      PAWL_AUTH: 'loopback-open',
      PAWL_FILES_ROOT: REPOSITORY,
      PAWL_WRITE_ROOT: folder,
      PAWL_LOG_LEVEL: 'error',
      LEDGER_URL: ledger.url,
      ...services.env,
      PAWL_TOOLS: [join(REPOSITORY, 'test/support/ledger-tools.ts'), services.env.PAWL_TOOLS].join(','),
      PAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8',
    };
    this.#stopServices = services.stop;
  }

  static async start(options: {
    redis: boolean;
    engines: number;
    workers: number;
    examples: readonly string[];
  }): Promise<SoakSystem> {
    const postgres = await startPostgres();
    const admin = new pg.Client({ connectionString: postgres.url });
    await admin.connect();
    await admin.query("create database soak template template0 encoding 'UTF8'");
    await admin.end();
    const url = new URL(postgres.url);
    url.pathname = '/soak';
    const redis = options.redis ? await startRedis() : undefined;
    const ledger = await startLedger({ honoursKeys: ['put', 'unput'] });
    const folder = await mkdtemp(join(tmpdir(), 'pawl-soak-'));
    const services = await startServices(options.examples, { databaseUrl: url.href, folder });
    const system = new SoakSystem(postgres, redis, ledger, url.href, folder, services);
    for (let i = 0; i < options.engines; i++) system.engines.push(await system.#launch('engine'));
    for (let i = 0; i < options.workers; i++) system.workers.push(await system.#launch('workers'));
    return system;
  }

  #launch(app: 'engine' | 'workers'): Promise<PawlProcess> {
    return startProcess(app, this.#env);
  }

  /** A client of an engine that runs. */
  client(): Client {
    const alive = this.engines.filter((engine) => !engine.hasEnded());
    return createClient({
      baseUrl: alive[Math.floor(Math.random() * alive.length)]?.url ?? 'http://127.0.0.1:9',
    });
  }

  async replaceWorker(at: number, signal: NodeJS.Signals): Promise<void> {
    const worker = this.workers[at]!;
    worker.kill(signal);
    await worker.ended;
    this.workers[at] = await this.#launch('workers');
  }

  async replaceEngine(at: number): Promise<void> {
    const engine = this.engines[at]!;
    engine.kill('SIGKILL');
    await engine.ended;
    this.engines[at] = await this.#launch('engine');
  }

  /** Workers that ended by themselves, having lost their lease, are started again, as a supervisor would. */
  async revive(): Promise<void> {
    for (const [at, worker] of this.workers.entries())
      if (worker.hasEnded()) this.workers[at] = await this.#launch('workers');
    for (const [at, engine] of this.engines.entries())
      if (engine.hasEnded()) this.engines[at] = await this.#launch('engine');
  }

  async stop(): Promise<void> {
    for (const each of [...this.workers, ...this.engines]) each.kill('SIGKILL');
    await Promise.all([...this.workers, ...this.engines].map(({ ended }) => ended));
    await this.#stopServices();
    await this.ledger.close();
    await this.redis?.dispose();
    await this.postgres.dispose();
    await rm(this.folder, { recursive: true, force: true });
  }
}

interface Services {
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** What the examples need beside Pawl; the tools of all of them are for every worker. */
async function startServices(examples: readonly string[], place: ServicesPlace): Promise<Services> {
  const started: ExampleServices[] = [];
  for (const name of examples) {
    const services = await startExampleServices(join(REPOSITORY, 'examples'), name, place);
    if (services) started.push(services);
  }
  const tools = started.flatMap(({ env }) => env.PAWL_TOOLS ?? []);
  return {
    env: Object.assign({}, ...started.map(({ env }) => env), { PAWL_TOOLS: tools.join(',') }),
    async stop() {
      for (const services of started) await services.stop();
    },
  };
}
