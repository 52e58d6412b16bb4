import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { defineTool, type Tool } from '@pawl/tool-sdk';
import { z } from 'zod';
import type { AllowedFolder } from './allowed-folder.ts';
import { fileProblem, notAFile, notText, tooLarge } from './file-problems.ts';

/** `files.read@1`: one file as text or base64. */
export const filesRead = (folder: AllowedFolder, maxBytes: number): Tool =>
  defineTool({
    name: 'files.read',
    version: '1',
    title: 'Read a file',
    description:
      'Reads one file of the allowed folder, as UTF-8 text (a byte order mark is dropped) or as base64.',
    effect: 'pure',
    input: z.strictObject({
      path: z.string().min(1).describe('Relative to the allowed folder.'),
      encoding: z.enum(['utf8', 'base64']).default('utf8'),
    }),
    output: z.strictObject({
      path: z.string(),
      encoding: z.enum(['utf8', 'base64']),
      bytes: z.int().nonnegative().describe('Size of the file.'),
      text: z.string().describe('The text, or the base64 of the bytes.'),
    }),
    async execute(ctx, { path, encoding }) {
      const real = await folder.existing(path);
      const bytes = await readBounded(real, path, maxBytes, ctx.signal);
      const text = encoding === 'base64' ? bytes.toString('base64') : decode(bytes, path);
      return { path: await folder.shown(real), encoding, bytes: bytes.byteLength, text };
    },
    resources: ({ path }) => ({ reads: [`file:${path}`] }),
  });

async function readBounded(
  real: string,
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  // Neither followed if it became a link meanwhile, nor waited for if it is a pipe.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  let file: FileHandle | undefined;
  try {
    file = await open(real, flags);
    const stats = await file.stat();
    if (!stats.isFile()) throw notAFile(path);
    if (stats.size > maxBytes) throw tooLarge(path, stats.size, maxBytes);
    signal.throwIfAborted();
    const bytes = await file.readFile();
    // The file may have grown since.
    if (bytes.byteLength > maxBytes) throw tooLarge(path, bytes.byteLength, maxBytes);
    return bytes;
  } catch (cause) {
    throw fileProblem(path, cause);
  } finally {
    await file?.close();
  }
}

function decode(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notText(path);
  }
}
