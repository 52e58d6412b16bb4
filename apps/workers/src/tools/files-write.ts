import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { defineTool, type Tool } from '@pawl/tool-sdk';
import { z } from 'zod';
import type { AllowedFolder } from './allowed-folder.ts';
import { decodeContent } from './content.ts';
import { fileProblem, tooLarge } from './file-problems.ts';

/** `files.write@1`: creates or replaces one file, all of it or nothing. */
export const filesWrite = (folder: AllowedFolder, maxBytes: number): Tool =>
  defineTool({
    name: 'files.write',
    version: '1',
    title: 'Write a file',
    description:
      'Creates or replaces one file of the allowed folder. Readers see the old or the new content, never a part.',
    effect: 'idempotent',
    input: z.strictObject({
      path: z.string().min(1).describe('Relative to the allowed folder; missing folders are made.'),
      text: z.string().describe('The text, or the base64 of the bytes.'),
      encoding: z.enum(['utf8', 'base64']).default('utf8'),
    }),
    output: z.strictObject({
      path: z.string(),
      bytes: z.int().nonnegative(),
      hash: z.string().describe('SHA-256 (hex) of the bytes.'),
    }),
    async execute(ctx, { path, text, encoding }) {
      const bytes = decodeContent(text, encoding, '/text');
      if (bytes.byteLength > maxBytes) throw tooLarge(path, bytes.byteLength, maxBytes);
      const target = await folder.writable(path);
      ctx.signal.throwIfAborted();
      await replaceFile(target, bytes).catch((cause: unknown) => {
        throw fileProblem(path, cause);
      });
      const hash = createHash('sha256').update(bytes).digest('hex');
      return { path: await folder.shown(target), bytes: bytes.byteLength, hash };
    },
    resources: ({ path }) => ({ writes: [`file:${path}`] }),
  });

/** Written beside the target under a hidden name, forced to disk, then renamed over it in one step. */
async function replaceFile(target: string, bytes: Uint8Array): Promise<void> {
  // Not from recorded randomness: two attempts of one node run must never share this name.
  const draft = join(dirname(target), `.${basename(target).slice(0, 100)}.${randomUUID()}.tmp`);
  let file: FileHandle | undefined;
  try {
    file = await open(draft, 'wx');
    await file.writeFile(bytes);
    await file.sync();
    await file.close();
    file = undefined;
    await rename(draft, target);
    await syncFolder(dirname(target));
  } catch (problem) {
    await file?.close().catch(() => undefined);
    await rm(draft, { force: true });
    throw problem;
  }
}

/** Makes the rename itself survive a loss of power; some file systems do not offer it. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
