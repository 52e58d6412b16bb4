import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { defineTool, PermanentError, type Tool, type ToolContext } from '@pawl/tool-sdk';
import { z } from 'zod';
import type { AllowedFolder } from './allowed-folder.ts';
import { fileProblem } from './file-problems.ts';

/** Most files that one call lists. */
const MAX_FILES = 10_000;

interface Listed {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
}

/** `files.list@1`: the files of a folder, sorted by path. */
export const filesList = (folder: AllowedFolder): Tool =>
  defineTool({
    name: 'files.list',
    version: '1',
    title: 'List files',
    description:
      'Lists the files of a folder inside the allowed folder, sorted by path. Hidden files (a leading dot) are left out.',
    effect: 'pure',
    input: z.strictObject({
      folder: z.string().default('.').describe('Relative to the allowed folder.'),
      extensions: z
        .array(z.string().min(1))
        .optional()
        .describe('For instance [".txt", ".md"]; case does not matter.'),
      nameContains: z.string().optional(),
      recursive: z.boolean().default(false),
    }),
    output: z.strictObject({
      files: z.array(z.strictObject({ path: z.string(), name: z.string(), bytes: z.int().nonnegative() })),
    }),
    async execute(ctx, args) {
      const wanted = (name: string): boolean => matches(name, args.extensions, args.nameContains);
      const found: Listed[] = [];
      await walk(ctx, folder, args.folder, args.recursive, wanted, found);
      return { files: found.sort((a, b) => (a.path < b.path ? -1 : 1)) };
    },
  });

function matches(name: string, extensions: readonly string[] | undefined, part: string | undefined): boolean {
  if (name.startsWith('.')) return false;
  if (part !== undefined && !name.includes(part)) return false;
  if (extensions === undefined) return true;
  const lower = name.toLowerCase();
  return extensions.some((extension) => lower.endsWith(`.${extension.toLowerCase().replace(/^\./, '')}`));
}

async function walk(
  ctx: ToolContext,
  folder: AllowedFolder,
  path: string,
  recursive: boolean,
  wanted: (name: string) => boolean,
  found: Listed[],
): Promise<void> {
  ctx.heartbeat();
  const real = await folder.existing(path);
  const entries = await readdir(real, { withFileTypes: true }).catch((cause: unknown) => {
    throw fileProblem(path, cause);
  });
  for (const entry of entries) {
    const inside = join(real, entry.name);
    if (entry.isDirectory()) {
      if (recursive && !entry.name.startsWith('.')) {
        await walk(ctx, folder, await folder.shown(inside), recursive, wanted, found);
      }
    } else if (wanted(entry.name)) {
      const bytes = await sizeOf(folder, inside, entry);
      if (bytes !== undefined) found.push({ path: await folder.shown(inside), name: entry.name, bytes });
      if (found.length > MAX_FILES) throw tooMany(path);
    }
  }
}

/** Size of an ordinary file, also behind a link that stays inside; `undefined` for everything else. */
async function sizeOf(folder: AllowedFolder, path: string, entry: Dirent): Promise<number | undefined> {
  if (!entry.isFile() && !entry.isSymbolicLink()) return undefined;
  // Gone meanwhile, or a link that leads out: not one of the files that can be read here.
  const real = await folder.existing(path).catch(() => undefined);
  const stats = real === undefined ? undefined : await stat(real).catch(() => undefined);
  return stats?.isFile() ? stats.size : undefined;
}

const tooMany = (path: string): PermanentError =>
  new PermanentError({
    code: 'too_many_files',
    message: `Folder ${JSON.stringify(path)} has more than ${MAX_FILES} matching files. Name a smaller folder or filter by extension.`,
  });
