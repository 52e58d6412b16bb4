import type { Client } from '@pawl/api';
import type { Command } from 'commander';
import type { NodeRun, NodeRunDetail, Run } from '../api-types.ts';
import {
  type ClientOptions,
  clientFor,
  newClientCommand,
  printJson,
  type Shell,
  wholeNumber,
} from '../command.ts';
import { everyPage } from '../every-page.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../output/json-text.ts';
import { runDetails } from '../output/run-details.ts';
import { paintStatus } from '../output/statuses.ts';
import { pairs, table } from '../output/table.ts';
import { cut } from '../output/text-width.ts';
import { count, duration, money } from '../output/values.ts';
import { waitingWords } from '../output/waiting.ts';
import { RUN_ARGUMENT, resolveRunId } from './run-id.ts';

interface ShowOptions extends ClientOptions {
  readonly path?: string;
  readonly limit: number;
}

/** `pawl run show <run>`: the run and its node runs; with `--path` one node run and its journal. */
export const runShow = (shell: Shell): Command =>
  newClientCommand('show', 'show a run and its node runs, or one node run')
    .argument('<run>', RUN_ARGUMENT)
    .option('-p, --path <path>', 'one node run, for instance each/3/score')
    .option('-n, --limit <count>', 'node runs shown', wholeNumber(0, 1_000_000), 40)
    .action(async (named: string, options: ShowOptions) => {
      const client = clientFor(options, shell);
      const runId = await resolveRunId(client, named);
      if (options.path) return showNodeRun(client, runId, options.path, shell, options);
      const run = await client.getRun({ params: { runId } });
      const nodeRuns = await nodeRunsOf(client, runId, options.limit);
      if (options.json)
        return printJson(shell, { ...run, nodeRuns: { counts: run.nodeRuns, items: nodeRuns } });
      const { io } = shell;
      io.out(runDetails(run, io));
      if (nodeRuns.length > 0) io.out(`\n${nodeRunTable(nodeRuns, io)}`);
      const hidden = totalOf(run) - nodeRuns.length;
      if (hidden > 0) io.out(io.colours.dim(`… and ${count(hidden)} more (--limit)\n`));
      if (run.output !== undefined) io.out(`\n${io.colours.dim('output')}\n${jsonText(run.output)}\n`);
    });

const totalOf = (run: Run): number => Object.values(run.nodeRuns).reduce((sum, each) => sum + (each ?? 0), 0);

async function nodeRunsOf(client: Client, runId: string, limit: number): Promise<NodeRun[]> {
  if (limit === 0) return [];
  const size = Math.min(limit, 200);
  return everyPage(
    (cursor) => client.listNodeRuns({ params: { runId }, query: { cursor, limit: size } }),
    limit,
  );
}

function nodeRunTable(nodeRuns: readonly NodeRun[], io: Io): string {
  const columns = [
    { head: 'node run' },
    { head: 'kind' },
    { head: 'status' },
    { head: 'attempt', align: 'right' as const },
    { head: 'took', align: 'right' as const },
    { head: 'cost', align: 'right' as const },
    { head: 'waits for' },
  ];
  const rows = nodeRuns.map((node) => [
    node.path,
    node.kind,
    paintStatus(node.status, io.colours),
    count(node.attempt),
    node.startedAt && node.finishedAt
      ? duration(Date.parse(node.finishedAt) - Date.parse(node.startedAt))
      : '',
    money(node.costUsd * 1e9),
    node.waitingFor ? cut(waitingWords(node.waitingFor, io.now()), 50) : '',
  ]);
  return table(columns, rows, io.colours.dim);
}

async function showNodeRun(client: Client, runId: string, path: string, shell: Shell, options: ShowOptions) {
  const node = await client.getNodeRun({ params: { runId }, query: { path } });
  if (options.json) return printJson(shell, node);
  const { io } = shell;
  io.out(nodeRunDetails(node, io));
  io.out(`\n${io.colours.dim('journal')}\n`);
  for (const event of node.events) {
    const at = new Date(event.at).toISOString();
    io.out(
      `${io.colours.dim(`${String(event.seq).padStart(6)}  ${at}`)}  ${event.type}  attempt ${event.attempt}\n`,
    );
  }
  if (node.output !== undefined) io.out(`\n${io.colours.dim('output')}\n${jsonText(node.output)}\n`);
}

function nodeRunDetails(node: NodeRunDetail, io: Io): string {
  return pairs(
    [
      ['node run', io.colours.bold(node.path)],
      ['kind', node.kind],
      ['effect', node.effect],
      ['status', paintStatus(node.status, io.colours)],
      ['attempt', String(node.attempt)],
      ['waits for', node.waitingFor && waitingWords(node.waitingFor, io.now())],
      ['its run', node.subFlow && `${node.subFlow.runId} (${node.subFlow.flow})`],
      ['cost', node.costUsd > 0 ? money(node.costUsd * 1e9) : undefined],
      ['tokens', node.tokens > 0 ? count(node.tokens) : undefined],
      ['failure', node.failure && `${io.colours.red(node.failure.code)} ${node.failure.message}`],
    ],
    io.colours.dim,
  );
}
