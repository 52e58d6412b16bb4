import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Artifact } from '../api-types.ts';
import { type ClientOptions, clientFor, newClientCommand, printJson, type Shell } from '../command.ts';
import { DownloadDamagedError, UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { size } from '../output/values.ts';
import { writeFileWhole } from '../write-file.ts';

interface GetOptions extends ClientOptions {
  readonly output?: string;
}

/** `pawl artifact get`: the bytes as they come, checked against their hash; `--json` tells about the artifact instead. */
export const artifactGet = (shell: Shell): Command =>
  newClientCommand(
    'get',
    'download an artifact to a file or to standard output; --json tells about it instead',
  )
    .argument('<artifact>', 'id of the artifact')
    .option('-o, --output <path>', 'file to write, or a folder for a file of the artifact’s name')
    .action(async (artifactId: string, options: GetOptions) => {
      const client = clientFor(options, shell);
      if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(artifactId))
        throw new UsageError(
          `"${artifactId}" is no artifact id: expected one as "pawl artifact list" shows it.`,
        );
      const artifact = await client.getArtifact({ params: { artifactId } });
      if (options.json) return printJson(shell, artifact);
      if (options.output === undefined && shell.io.isTerminal && !isText(artifact.mediaType))
        throw new UsageError(
          `Artifact ${artifactId} is ${artifact.mediaType}, which a terminal cannot show: name a file with --output.`,
        );
      const { body } = await client.downloadArtifact({ params: { artifactId } });
      const bytes = checked(artifact, body ?? new ReadableStream());
      if (options.output === undefined) {
        for await (const chunk of bytes) await shell.io.outBytes(chunk);
        return;
      }
      const file = await fileFor(options.output, artifact, shell.io);
      await writeFileWhole(file, bytes, shell.io);
      shell.io.err(`${file}: ${size(artifact.bytes)}\n`);
    });

const isText = (mediaType: string): boolean => /^text\/|[/+](json|xml|yaml|x-ndjson)(;|$)/.test(mediaType);

/** The chunks of a download. @throws {DownloadDamagedError} after the last one when they are not the artifact's */
async function* checked(
  { id, bytes, hash }: Artifact,
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const seen = createHash('sha256');
  let count = 0;
  try {
    for await (const chunk of body) {
      seen.update(chunk);
      count += chunk.length;
      yield chunk;
    }
  } catch (cause) {
    throw new DownloadDamagedError(
      `Artifact ${id}`,
      `the connection ended after ${count} of ${bytes} bytes: ${String(cause)}`,
    );
  }
  if (count !== bytes) throw new DownloadDamagedError(`Artifact ${id}`, `${count} of ${bytes} bytes`);
  if (seen.digest('hex') !== hash) throw new DownloadDamagedError(`Artifact ${id}`, 'its hash differs');
}

/** A folder gets a file of the artifact's name, of which only the last part counts. */
async function fileFor(output: string, { name }: Artifact, io: Io): Promise<string> {
  const path = resolve(io.cwd, output);
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) return path;
  const last = name
    .split(/[/\\]/)
    .at(-1)!
    .replaceAll(/[\p{Cc}<>:"|?*]/gu, '_');
  return join(path, /^\.*$/.test(last) ? 'artifact' : last);
}
