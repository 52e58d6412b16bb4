import { MikroORM } from '@mikro-orm/core';
import { PostgreSqlDriver, type SqlEntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import { ApiKeyEntity } from './api-key.ts';
import { ArtifactEntity } from './artifact.ts';
import { FlowEntity } from './flow.ts';
import { FlowVersionEntity } from './flow-version.ts';
import { JournalEntity } from './journal.ts';
import { NodeRunEntity } from './node-run.ts';
import { quietLogging } from './quiet.ts';
import { RunEntity } from './run.ts';
import { ScheduleEntity } from './schedule.ts';
import { UserEntity } from './user.ts';
import { WebhookEntity } from './webhook.ts';
import { WebhookSecretEntity } from './webhook-secret.ts';
import { WorkerEntity } from './worker.ts';
import { WorkspaceEntity } from './workspace.ts';

/** Ordinary access to the database. Give it to the functions of this package; entities stay inside. */
export interface Orm {
  /** @internal A fresh unit of work; one per use. */
  readonly fork: () => SqlEntityManager;
  /** @internal For bytes and bulk, which the mapper is not made for. */
  readonly pool: pg.Pool;
  readonly close: () => Promise<void>;
}

/** How long a request waits for a connection before it is told that there is none. */
const PATIENCE_MS = 10_000;

/**
 * Opens ordinary access with a small pool of connections, made when needed. Contended writes have a pool of their own.
 *
 * @param maxConnections default 4, for rows and for bytes each
 * @param log            told about connections that broke; they are replaced by themselves
 */
export async function openOrm(
  databaseUrl: string,
  { maxConnections = 4, log = () => {} }: { maxConnections?: number; log?: (line: string) => void } = {},
): Promise<Orm> {
  const quiet = quietLogging(log);
  const orm = await MikroORM.init<PostgreSqlDriver>({
    driver: PostgreSqlDriver,
    clientUrl: databaseUrl,
    connect: false,
    entities: [
      WorkspaceEntity,
      ApiKeyEntity,
      UserEntity,
      FlowEntity,
      FlowVersionEntity,
      RunEntity,
      NodeRunEntity,
      JournalEntity,
      WorkerEntity,
      ArtifactEntity,
      ScheduleEntity,
      WebhookEntity,
      WebhookSecretEntity,
    ],
    forceUtcTimezone: true,
    ...quiet.mapper,
    pool: { min: 0, max: maxConnections, acquireTimeoutMillis: PATIENCE_MS },
    driverOptions: { ...quiet.queryBuilder, connection: { application_name: `pawl orm ${process.pid}` } },
  });
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: maxConnections,
    connectionTimeoutMillis: PATIENCE_MS,
    application_name: `pawl bytes ${process.pid}`,
  });
  // An idle connection that the server closes is replaced by the next query; unheard, the event would end the process.
  pool.on('error', (error) => log(error.message));
  // Also while it is being closed, when the pool listens no more.
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    fork: () => orm.em.fork(),
    pool,
    close: async () => {
      await Promise.all([orm.close(true), pool.end()]);
    },
  };
}
