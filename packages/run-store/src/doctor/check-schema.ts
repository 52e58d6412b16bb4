import type { Pool } from 'pg';
import { isStoreError } from '../errors.ts';
import { pendingMigrations } from '../migrations/migrate.ts';
import { existing } from '../partitions/ensure-partitions.ts';
import { MONTHS_AHEAD, wantedPartitions } from '../partitions/partition-sql.ts';

/** One thing looked at: `problem` says what is wrong and the way out. */
export interface SchemaFinding {
  readonly check: 'server' | 'migrations' | 'partitions';
  readonly problem?: string;
}

/** Oldest PostgreSQL that is supported, as its own version number. */
const OLDEST_SERVER = 150_000;

/** Looks at the server's version, the migrations and the partitions; changes nothing. */
export async function checkSchema(databaseUrl: string, pool: Pool): Promise<SchemaFinding[]> {
  const migrations = await checkMigrations(databaseUrl);
  const findings = [await checkServer(pool), migrations];
  if (migrations.problem === undefined) findings.push(await checkPartitions(pool));
  return findings;
}

async function checkServer(pool: Pool): Promise<SchemaFinding> {
  const { rows } = await pool.query<{ number: number; name: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as name`,
  );
  const { number, name } = rows[0]!;
  if (number >= OLDEST_SERVER) return { check: 'server' };
  return {
    check: 'server',
    problem: `PostgreSQL ${name} is too old; version 15 or newer is needed. Upgrade the server.`,
  };
}

async function checkMigrations(databaseUrl: string): Promise<SchemaFinding> {
  try {
    const pending = await pendingMigrations(databaseUrl);
    if (pending.length === 0) return { check: 'migrations' };
    const problem = `The schema lacks ${pending.join(', ')}. Run "pawl migrate".`;
    return { check: 'migrations', problem };
  } catch (error) {
    if (isStoreError(error, 'schema_newer')) return { check: 'migrations', problem: error.message };
    throw error;
  }
}

async function checkPartitions(pool: Pool): Promise<SchemaFinding> {
  const { rows } = await pool.query<{ now: Date }>('select now() as now');
  const names = wantedPartitions(rows[0]!.now, MONTHS_AHEAD).map((partition) => partition.name);
  const present = await existing(pool, names);
  const missing = names.filter((name) => !present.has(name));
  if (missing.length === 0) return { check: 'partitions' };
  const problem = `The partitions ${missing.join(', ')} are missing. Run "pawl migrate", or start an engine, which makes them.`;
  return { check: 'partitions', problem };
}
