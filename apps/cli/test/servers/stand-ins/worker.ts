// Stands in for a worker in tests of `pawl dev`: proves that the database is there and waits.
import pg from 'pg';

const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
client.on('error', () => undefined);
await client.connect();
const { rows } = await client.query(
  'select current_database() as name, to_regclass($1) is not null as migrated',
  ['stand_in'],
);
if (rows[0]?.name !== 'pawl' || !rows[0]?.migrated)
  throw new Error(`wrong database ${JSON.stringify(rows[0])}`);
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
console.log(`this worker is ${process.env.STAND_IN_SERVED ?? 'alone'}`);
console.log(JSON.stringify({ ready: true }));
