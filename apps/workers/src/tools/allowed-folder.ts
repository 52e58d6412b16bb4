import { lstat, mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileProblem, pathOutside, rootMissing } from './file-problems.ts';

/**
 * A folder that file tools may work in. Paths are given relative to it, written with `/`.
 *
 * `..`, absolute paths elsewhere and symbolic links that lead out are refused; links that stay inside are followed.
 */
export class AllowedFolder {
  readonly #root: string;

  constructor(root: string) {
    this.#root = resolve(root);
  }

  /** The real path of something that exists. */
  async existing(path: string): Promise<string> {
    const root = await this.#realRoot();
    const wanted = within(root, path);
    const real = await realpath(wanted).catch((cause: unknown) => {
      throw fileProblem(path, cause);
    });
    return confined(root, real, path);
  }

  /** The real path for a file that is to be written; missing folders are made, the allowed one included. */
  async writable(path: string): Promise<string> {
    await mkdir(this.#root, { recursive: true }).catch((cause: unknown) => {
      throw rootMissing(cause);
    });
    const root = await this.#realRoot();
    const wanted = within(root, path);
    if (wanted === root || /[/\\]$/.test(path)) throw pathOutside(path);
    // First the part that exists, so that no folder is ever made behind a link that leads out.
    await confineNearest(root, dirname(wanted), path);
    const folder = await mkdir(dirname(wanted), { recursive: true })
      .then(() => realpath(dirname(wanted)))
      .catch((cause: unknown) => {
        throw fileProblem(path, cause);
      });
    const target = join(confined(root, folder, path), basename(wanted));
    const present = await lstat(target).catch(() => undefined);
    // The rename would replace the link itself, which nobody who wrote this path expects.
    if (present?.isSymbolicLink()) throw pathOutside(path);
    return target;
  }

  /** How a real path inside is shown and given to other tools. */
  async shown(realPath: string): Promise<string> {
    return relative(await this.#realRoot(), realPath)
      .split(sep)
      .join('/');
  }

  #realRoot(): Promise<string> {
    return realpath(this.#root).catch((cause: unknown) => {
      throw rootMissing(cause);
    });
  }
}

const within = (root: string, path: string): string => {
  if (path.includes('\0')) throw pathOutside(path);
  return confined(root, resolve(root, path), path);
};

function confined(root: string, path: string, given: string): string {
  if (path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)) return path;
  throw pathOutside(given);
}

async function confineNearest(root: string, folder: string, given: string): Promise<void> {
  for (let at = folder; ; at = dirname(at)) {
    const real = await realpath(at).catch(() => undefined);
    if (real !== undefined) {
      confined(root, real, given);
      return;
    }
    // A link to nowhere has no real path, but making a folder "at" it would follow it.
    if ((await lstat(at).catch(() => undefined))?.isSymbolicLink()) throw pathOutside(given);
  }
}
