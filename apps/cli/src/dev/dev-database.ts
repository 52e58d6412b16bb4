import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';

/** The database that `pawl dev` works on. */
export interface DevDatabase {
  readonly url: string;
  /** For people: where it is. */
  readonly words: string;
  /** Undefined when it is somebody else's. */
  readonly bundled?: EmbeddedPostgres;
}

/** Database of the bundled PostgreSQL that everything is in. */
export const DATABASE_NAME = 'pawl';
/** Unusual enough to be free, the same every time so that a database tool finds it again. */
const PREFERRED_PORT = 54_730;

/** `DATABASE_URL` when it is set, else a PostgreSQL of our own with a database `pawl`. */
export async function openDevDatabase(folder: string, givenUrl: string | undefined): Promise<DevDatabase> {
  if (givenUrl) return { url: givenUrl, words: withoutPassword(givenUrl) };
  const bundled = await startEmbeddedPostgres({ folder, preferredPort: PREFERRED_PORT });
  try {
    await createDatabase(bundled.url);
  } catch (error) {
    await bundled.stop({ mode: 'immediate' });
    throw error;
  }
  const url = new URL(bundled.url);
  url.pathname = `/${DATABASE_NAME}`;
  return { url: url.href, words: `bundled PostgreSQL, port ${bundled.port}`, bundled };
}

async function createDatabase(serverUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE_NAME]);
    if (rowCount === 0) await client.query(`create database ${DATABASE_NAME}`);
  } finally {
    await client.end();
  }
}

/** An address that may be shown (V13). */
function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return 'DATABASE_URL';
  const shown = new URL(url);
  shown.password = '';
  shown.search = '';
  return shown.href;
}
