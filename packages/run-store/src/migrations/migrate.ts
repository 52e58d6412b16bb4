import { MikroORM, type Options, type Transaction } from '@mikro-orm/core';
import { PostgreSqlDriver, type SqlEntityManager } from '@mikro-orm/postgresql';
import { quietLogging } from '../entities/quiet.ts';
import { StoreError } from '../errors.ts';
import { MIGRATIONS, type MigrationEntry } from './list.ts';

// Rules kept here (case C52): each step is one transaction that holds the migration lock, does its work and notes its own
// name; so a killed process leaves nothing half done and no lock behind, and whoever waited looks again before it works.

/** Table in which applied steps are noted. */
const MIGRATION_TABLE = 'schema_migration';
/** Key of the advisory lock that one migrating process holds. */
const MIGRATION_LOCK = 7_241_001;

export interface MigrateOptions {
  /** Told in plain sentences what happens: what is applied, who is waited for. */
  readonly log?: (line: string) => void;
  /** Longest wait for another process, and for locks that a step needs. Default 120,000. */
  readonly timeoutMs?: number;
  /** The steps. Default: all of this release. */
  readonly migrations?: readonly MigrationEntry[];
}

/**
 * Brings the schema to this release. Safe when several processes start at once: one works, the others say that they wait and
 * then find nothing left to do; when the working one dies, the next takes over.
 *
 * @returns names of the steps that this call applied, in order
 * @throws {StoreError} `schema_newer` when the database holds steps that this release does not know
 * @throws {StoreError} `migration_timeout` when another process, or a lock on a table, kept it waiting longer than `timeoutMs`
 */
export async function migrate(
  databaseUrl: string,
  options: MigrateOptions = {},
): Promise<{ applied: string[] }> {
  const { log = () => {}, timeoutMs = 120_000, migrations = MIGRATIONS } = options;
  const applied: string[] = [];
  if ((await pendingMigrations(databaseUrl, migrations)).length === 0) return { applied };
  const orm = await openMigrator(databaseUrl, migrations);
  try {
    await underLock(orm.em, { log, timeoutMs }, (trx) => createMigrationTable(orm.em, trx));
    for (const { name } of migrations) {
      const done = await underLock(orm.em, { log, timeoutMs }, async (trx) => {
        if (!(await pendingSteps(orm.em, migrations, trx)).includes(name)) return false;
        log(`Applying migration ${name}.`);
        await orm.getMigrator().up({ migrations: [name], transaction: trx });
        return true;
      });
      if (done) applied.push(name);
    }
    return { applied };
  } finally {
    await orm.close(true);
  }
}

/**
 * Names of the steps (default: of this release) that the database lacks, in order.
 *
 * @throws {StoreError} `schema_newer` when it holds steps that this release does not know
 */
export async function pendingMigrations(
  databaseUrl: string,
  migrations: readonly MigrationEntry[] = MIGRATIONS,
): Promise<string[]> {
  const orm = await openMapper(databaseUrl);
  try {
    return await pendingSteps(orm.em, migrations);
  } finally {
    await orm.close(true);
  }
}

async function openMigrator(databaseUrl: string, migrations: readonly MigrationEntry[]) {
  // Most processes find nothing to do; this would be a tenth of the time in which they start.
  const { Migrator } = await import('@mikro-orm/migrations');
  return openMapper(databaseUrl, {
    extensions: [Migrator],
    migrations: {
      tableName: MIGRATION_TABLE,
      migrationsList: [...migrations],
      transactional: true,
      allOrNothing: true,
      disableForeignKeys: false,
      snapshot: false,
      silent: true,
    },
  });
}

function openMapper(databaseUrl: string, more: Pick<Options, 'extensions' | 'migrations'> = {}) {
  // What a person should know is told by `log` of the options.
  const quiet = quietLogging(() => {});
  return MikroORM.init<PostgreSqlDriver>({
    driver: PostgreSqlDriver,
    clientUrl: databaseUrl,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    ...quiet.mapper,
    ...more,
    // Two, because the migrator looks at its table beside the transaction of the step.
    pool: { min: 0, max: 2 },
    driverOptions: { ...quiet.queryBuilder, connection: { application_name: `pawl migrate ${process.pid}` } },
  });
}

async function pendingSteps(
  em: SqlEntityManager,
  migrations: readonly MigrationEntry[],
  trx?: Transaction,
): Promise<string[]> {
  const names = migrations.map((migration) => migration.name);
  const applied = await appliedSteps(em, trx);
  const unknown = applied.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new StoreError('schema_newer', { unknown, newest: names.at(-1) ?? 'none' });
  return names.filter((name) => !applied.includes(name));
}

async function appliedSteps(em: SqlEntityManager, trx?: Transaction): Promise<string[]> {
  const connection = em.getConnection();
  const [table] = await connection.execute<{ present: boolean }[]>(
    `select to_regclass('${MIGRATION_TABLE}') is not null as present`,
    [],
    'all',
    trx,
  );
  if (!table?.present) return [];
  const rows = await connection.execute<{ name: string }[]>(
    `select name from ${MIGRATION_TABLE} order by id`,
    [],
    'all',
    trx,
  );
  return rows.map((row) => row.name);
}

/** In the shape the migrator would make itself, but made under the lock. */
async function createMigrationTable(em: SqlEntityManager, trx: Transaction): Promise<void> {
  await em.getConnection().execute(
    `create table if not exists ${MIGRATION_TABLE} (
       id serial primary key,
       name varchar(255),
       executed_at timestamptz default current_timestamp
     )`,
    [],
    'run',
    trx,
  );
}

async function underLock<T>(
  em: SqlEntityManager,
  { log, timeoutMs }: { log: (line: string) => void; timeoutMs: number },
  work: (trx: Transaction) => Promise<T>,
): Promise<T> {
  const connection = em.getConnection();
  const run = (sql: string, trx: Transaction) =>
    connection.execute<Record<string, unknown>[]>(sql, [], 'all', trx);
  try {
    return await connection.transactional(async (trx) => {
      await run(`set local lock_timeout = ${Math.max(1, Math.round(timeoutMs))}`, trx);
      await endWithClient(run, trx);
      const [got] = await run(`select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as held`, trx);
      if (!got?.held) {
        log('Another process is migrating the database; waiting for it.');
        await run(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`, trx);
      }
      return work(trx);
    });
  } catch (error) {
    if (isLockTimeout(error)) throw new StoreError('migration_timeout', { timeoutMs }, { cause: error });
    throw error;
  }
}

/**
 * Lets the server notice within a second that this process is gone while one of its statements waits or works, so that the
 * next process need not wait for it. Not every platform offers it; without it the takeover merely comes later.
 */
async function endWithClient(
  run: (sql: string, trx: Transaction) => Promise<unknown>,
  trx: Transaction,
): Promise<void> {
  await run('savepoint watch_client', trx);
  await run("set local client_connection_check_interval = '1s'", trx).catch(() =>
    run('rollback to savepoint watch_client', trx),
  );
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03';
}
