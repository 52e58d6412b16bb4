import { execFile } from 'node:child_process';
import { chown, mkdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { UnreachableFolderError } from '../errors.ts';

const run = promisify(execFile);

/** How to start PostgreSQL, which refuses to run as root. */
export interface PostgresUser {
  /** Ids that the spawned command takes; absent: those of this process. */
  readonly uid?: number;
  readonly gid?: number;
  /** Who must own the data folder, where that is not the user of this process. */
  readonly owner: { readonly uid?: number; readonly gid?: number };
  /** Command words put before the server's own. */
  readonly wrap: readonly string[];
}

export interface UserPlace {
  readonly dataDir: string;
  /** Path of `postgres`. */
  readonly binary: string;
  /** Folder around it that becomes the user's own too. */
  readonly ownFolder?: string;
}

/**
 * Chooses the user that runs PostgreSQL and gives it the data folder. A normal user runs it itself. Root hands it to the
 * owner of an existing data folder, else to `postgres`, else to `nobody`; when that user cannot enter the folders on the
 * way (a clone under /root), it gets the capability to pass by permission bits, which `setpriv` hands over.
 *
 * @throws {UnreachableFolderError} when there is no way in
 */
export async function choosePostgresUser(place: UserPlace): Promise<PostgresUser> {
  const { dataDir, binary, ownFolder } = place;
  if (process.getuid?.() !== 0) {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    return { owner: {}, wrap: [] };
  }
  const user = (await ownerOf(dataDir)) ?? (await accountFor());
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await chown(dataDir, user.uid, user.gid);
  if (ownFolder) await chown(ownFolder, user.uid, user.gid);

  const owner = { uid: user.uid, gid: user.gid };
  const plain: PostgresUser = { ...owner, owner, wrap: [] };
  if (await canReach(plain, dataDir, binary)) return plain;
  const capable: PostgresUser = { owner, wrap: withCapability(user.uid, user.gid) };
  if (await canReach(capable, dataDir, binary)) return capable;
  throw new UnreachableFolderError(dirname(dataDir), user.name);
}

function withCapability(uid: number, gid: number): string[] {
  return [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    // Keeps the capability in force for access(2) too, which initdb asks; all others end with the next exec.
    '--securebits=+no_setuid_fixup',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
  ];
}

async function canReach(user: PostgresUser, dataDir: string, binary: string): Promise<boolean> {
  const script = '[ -x "$1" ] && "$1" --version && cd "$2" && [ -w . ]';
  const [file, ...args] = [...user.wrap, '/bin/sh', '-c', script, 'probe', binary, dataDir];
  try {
    const ids = user.uid === undefined ? {} : { uid: user.uid, gid: user.gid as number };
    await run(file as string, args, { cwd: '/', ...ids });
    return true;
  } catch {
    return false;
  }
}

interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

async function ownerOf(dataDir: string): Promise<Account | undefined> {
  const found = await stat(dataDir).catch(() => undefined);
  return found && found.uid !== 0
    ? { name: `with id ${found.uid}`, uid: found.uid, gid: found.gid }
    : undefined;
}

async function accountFor(): Promise<Account> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const accounts = passwd.split('\n').map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const found = accounts.find((fields) => fields[0] === name);
    if (found) return { name, uid: Number(found[2]), gid: Number(found[3]) };
  }
  return { name: 'nobody', uid: 65534, gid: 65534 };
}
