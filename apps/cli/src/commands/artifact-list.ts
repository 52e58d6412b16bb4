import type { Client } from '@pawl/api';
import type { Command } from 'commander';
import type { Artifact } from '../api-types.ts';
import {
  type ClientOptions,
  clientFor,
  newClientCommand,
  printJson,
  type Shell,
  wholeNumber,
} from '../command.ts';
import { UsageError } from '../errors.ts';
import { everyPage } from '../every-page.ts';
import type { Io } from '../io.ts';
import { table } from '../output/table.ts';
import { cut, oneLine } from '../output/text-width.ts';
import { ago, size } from '../output/values.ts';
import { resolveRunId } from './run-id.ts';

interface ListOptions extends ClientOptions {
  readonly run?: string;
  readonly flow?: string;
  readonly uploaded?: boolean;
  readonly name?: string;
  readonly mediaType?: string;
  readonly limit: number;
}

/** `pawl artifact list`: newest first; of one run in the order they were made. */
export const artifactList = (shell: Shell): Command =>
  newClientCommand('list', 'list artifacts, newest first; those of one run in the order they were made')
    .option('--run <run>', 'of one run (id or "latest")')
    .option('--flow <flow>', 'of the runs of one flow')
    .option('--uploaded', 'only what was uploaded')
    .option('--name <pattern>', 'of this name; * stands for anything')
    .option('--media-type <pattern>', 'of this media type; * stands for anything, as in image/*')
    .option('-n, --limit <count>', 'how many', wholeNumber(1, 10_000), 50)
    .action(async (options: ListOptions) => {
      if (options.run !== undefined && (options.flow !== undefined || options.uploaded))
        throw new UsageError(
          '--run goes with neither --flow nor --uploaded: the artifacts of a run are its own.',
        );
      const client = clientFor(options, shell);
      const artifacts = await everyPage(await reader(client, options), options.limit);
      if (options.json) return printJson(shell, artifacts);
      shell.io.out(artifacts.length > 0 ? artifactTable(artifacts, shell.io) : 'No such artifacts.\n');
    });

async function reader(client: Client, { run, flow, uploaded, name, mediaType, limit }: ListOptions) {
  const filter = {
    ...(name !== undefined && { name }),
    ...(mediaType !== undefined && { mediaType }),
    limit: Math.min(limit, 200),
  };
  if (run === undefined) {
    const query = {
      ...filter,
      ...(flow !== undefined && { flow }),
      ...(uploaded && { uploaded: 'true' as const }),
    };
    return (cursor: string | undefined) => client.findArtifacts({ query: { ...query, cursor } });
  }
  const runId = await resolveRunId(client, run);
  return (cursor: string | undefined) =>
    client.listArtifacts({ params: { runId }, query: { ...filter, cursor } });
}

function artifactTable(artifacts: readonly Artifact[], io: Io): string {
  const columns = [
    { head: 'artifact' },
    { head: 'name' },
    { head: 'version', align: 'right' as const },
    { head: 'media type' },
    { head: 'size', align: 'right' as const },
    { head: 'made' },
    { head: 'by' },
  ];
  const rows = artifacts.map((artifact) => [
    artifact.id,
    cut(oneLine(artifact.name), 40),
    String(artifact.version),
    cut(oneLine(artifact.mediaType), 30),
    size(artifact.bytes),
    ago(artifact.createdAt, io.now()),
    io.colours.dim(cut(oneLine(makerOf(artifact)), 60)),
  ]);
  return table(columns, rows, io.colours.dim);
}

const makerOf = ({ runId, flow, path, by }: Artifact): string =>
  runId === undefined ? (by ?? '') : [flow, runId, path].filter(Boolean).join(' ');
