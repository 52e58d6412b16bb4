import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { type ClientOptions, clientFor, newClientCommand, printJson, type Shell } from '../command.ts';
import { FileError, UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { size } from '../output/values.ts';

interface PutOptions extends ClientOptions {
  readonly name?: string;
  readonly mediaType?: string;
}

/** `pawl artifact put`: the file is sent as it is read, however large it is. */
export const artifactPut = (shell: Shell): Command =>
  newClientCommand(
    'put',
    'upload a file for inputs of runs; other bytes of the same name are its next version',
  )
    .argument('<file>', 'a file, or - for standard input')
    .option('--name <name>', 'name of the artifact (default: that of the file)')
    .option('--media-type <type>', 'media type (default: by the ending of the name)')
    .action(async (file: string, options: PutOptions) => {
      const name = options.name ?? (file === '-' ? undefined : basename(file));
      if (name === undefined)
        throw new UsageError('Standard input has no name: give the artifact one with --name.');
      const mediaType =
        options.mediaType ?? MEDIA_TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream';
      const artifact = await clientFor(options, shell).uploadArtifact({
        query: { name },
        headers: { 'content-type': mediaType },
        body: await contentOf(file, shell.io),
      });
      if (options.json) return printJson(shell, artifact);
      shell.io.out(`${artifact.id}\n`);
      shell.io.err(
        `${artifact.name}, version ${artifact.version}, ${size(artifact.bytes)}, ${artifact.mediaType}\n`,
      );
    });

async function contentOf(file: string, io: Io): Promise<ReadableStream<Uint8Array>> {
  if (file === '-') return Readable.toWeb(Readable.from(io.stdinBytes())) as ReadableStream<Uint8Array>;
  const path = resolve(io.cwd, file);
  // Looked at before, because the error of a stream would reach the user as one of the connection.
  const found = await stat(path).catch((cause: unknown) => {
    throw new FileError('read', file, cause);
  });
  if (found.isDirectory()) throw new FileError('read', file, { code: 'EISDIR' });
  return Readable.toWeb(createReadStream(path, { highWaterMark: 256 * 1024 })) as ReadableStream<Uint8Array>;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.gif': 'image/gif',
  '.gz': 'application/gzip',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.ndjson': 'application/x-ndjson',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.tsv': 'text/tab-separated-values',
  '.txt': 'text/plain',
  '.webp': 'image/webp',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.zip': 'application/zip',
};
