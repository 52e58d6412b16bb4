import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { FileError } from './errors.ts';
import type { Io } from './io.ts';

/**
 * Writes beside the file and renames at the end: a file is whole or not there.
 *
 * @param file  relative to the working folder
 * @throws {FileError}, and what the bytes throw
 */
export async function writeFileWhole(file: string, bytes: AsyncIterable<Uint8Array>, io: Io): Promise<void> {
  const path = resolve(io.cwd, file);
  const part = `${path}.part`;
  let handle: FileHandle | undefined;
  try {
    handle = await open(part, 'w').catch((cause: unknown) => {
      throw new FileError('write', file, cause);
    });
    for await (const chunk of bytes) await handle.writeFile(chunk);
    await handle.close();
    await rename(part, path);
  } catch (error) {
    await handle?.close().catch(() => {});
    if (handle) await rm(part, { force: true });
    throw error;
  }
}
