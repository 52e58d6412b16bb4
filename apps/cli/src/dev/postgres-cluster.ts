import { randomBytes } from 'node:crypto';
import { access, chown, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseStartError } from '../errors.ts';
import { startGuarded } from './guarded-process.ts';
import { tail } from './log-tail.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import type { PostgresUser } from './postgres-user.ts';

/** Superuser of the bundled PostgreSQL. */
export const DATABASE_USER = 'pawl';

export interface ClusterPlace {
  /** Holds `data/`, the file `password` and, while it is set up, the file `setting-up`. */
  readonly folder: string;
  readonly dataDir: string;
  readonly logFile: string;
  readonly binaries: PostgresBinaries;
  readonly user: PostgresUser;
  /** Nobody minds when the machine loses it. */
  readonly isTemporary: boolean;
}

// `exec` so that a signal reaches initdb itself, which then removes what it made.
const INITDB = `exec "$@" --pwfile=/dev/stdin <<END
$PAWL_PASSWORD
END
`;

/**
 * Runs `initdb` unless it ran before, and again when it was killed half-way.
 *
 * @returns the superuser's password
 * @throws {DatabaseStartError} when initdb fails or the password of existing data is lost
 */
export async function setUpCluster(place: ClusterPlace): Promise<string> {
  const unfinished = join(place.folder, 'setting-up');
  const passwordFile = join(place.folder, 'password');
  if (await exists(unfinished)) await emptyFolder(place.dataDir);
  else if (await exists(join(place.dataDir, 'PG_VERSION'))) return readPassword(place, passwordFile);

  const password = randomBytes(16).toString('hex');
  await writeFile(unfinished, '');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  await runInitdb(place, password);
  await rm(unfinished);
  return password;

  async function emptyFolder(dataDir: string): Promise<void> {
    await rm(dataDir, { recursive: true, force: true });
    await mkdir(dataDir, { mode: 0o700 });
    const { uid, gid } = place.user.owner;
    if (uid !== undefined && gid !== undefined) await chown(dataDir, uid, gid);
  }
}

async function readPassword(place: ClusterPlace, passwordFile: string): Promise<string> {
  const password = (await readFile(passwordFile, 'utf8').catch(() => '')).trim();
  if (password) return password;
  throw new DatabaseStartError(
    `has data in ${place.dataDir}, but its password file ${passwordFile} is missing: put it back, or move the folder away to begin anew`,
    '',
  );
}

async function runInitdb(place: ClusterPlace, password: string): Promise<void> {
  const log = await open(place.logFile, 'a');
  const options = [
    `--pgdata=${place.dataDir}`,
    `--username=${DATABASE_USER}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
    ...(place.isTemporary ? ['--no-sync'] : []),
  ];
  try {
    const initdb = startGuarded({
      ...place.user,
      file: '/bin/sh',
      args: ['-c', INITDB, 'initdb', place.binaries.initdb, ...options],
      env: { PAWL_PASSWORD: password },
      log: log.fd,
      stopSignal: 'TERM',
    });
    if ((await initdb.ended) === 0) return;
  } finally {
    await log.close();
  }
  throw new DatabaseStartError('could not be set up', await tail(place.logFile), place.logFile);
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
