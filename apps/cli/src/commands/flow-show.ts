import { bodyOf, callNameOf, type FlowDocument, type NodeConfig } from '@pawl/dag-core';
import type { Command } from 'commander';
import { type ClientOptions, clientFor, newClientCommand, printJson, type Shell } from '../command.ts';
import { pairs, table } from '../output/table.ts';
import { cut, oneLine } from '../output/text-width.ts';
import { ago, count, shortVersion } from '../output/values.ts';

/** `pawl flow show <flow>`: the published version (or the draft) and its nodes. */
export const flowShow = (shell: Shell): Command =>
  newClientCommand('show', 'show a flow: versions and nodes')
    .argument('<flow>')
    .option('--version-id <id>', 'a certain version instead of the published one')
    .action(async (name: string, options: ClientOptions & { versionId?: string }) => {
      const client = clientFor(options, shell);
      const params = { flow: name };
      const flow = await client.getFlow({ params });
      const versions = await client.listVersions({ params });
      const versionId = options.versionId ?? flow.publishedVersion;
      const version = versionId && (await client.getVersion({ params: { ...params, versionId } }));
      const document = version ? version.document : flow.document;
      if (options.json) return printJson(shell, { ...flow, document, versions: versions.items });
      const { io } = shell;
      const { dim } = io.colours;
      io.out(
        pairs(
          [
            ['flow', io.colours.bold(flow.name)],
            ['title', oneLine(flow.title ?? '')],
            [
              'showing',
              version ? `version ${version.number} (${version.id})` : `draft, revision ${flow.revision}`,
            ],
            ['changed', ago(flow.updatedAt, io.now())],
            ['versions', `${count(flow.versionCount)}${newestWords(versions.items, io.now())}`],
          ],
          dim,
        ),
      );
      if (isDocument(document)) io.out(`\n${nodeTable(document, dim)}`);
    });

function newestWords(
  versions: readonly { number: number; id: string; createdAt: string }[],
  now: number,
): string {
  const words = versions.map((each) => `${each.number} ${shortVersion(each.id)} ${ago(each.createdAt, now)}`);
  return words.length > 0 ? `: ${words.slice(0, 3).join(', ')}${versions.length > 3 ? ', …' : ''}` : '';
}

function nodeTable(document: FlowDocument, dim: (text: string) => string): string {
  const rows = nodeRows(document, 0);
  return table([{ head: 'node' }, { head: 'kind' }, { head: 'does' }, { head: 'after' }], rows, dim);
}

function nodeRows(graph: Pick<FlowDocument, 'nodes' | 'edges'>, depth: number): string[][] {
  return graph.nodes.flatMap((node) => {
    const edges = graph.edges.filter((edge) => edge.to === node.id);
    const after = edges.map((edge) => (edge.port ? `${edge.from}.${edge.port}` : edge.from)).join(', ');
    const row = [`${'  '.repeat(depth)}${node.id}`, node.kind, cut(whatItDoes(node), 48), cut(after, 40)];
    const body = bodyOf(node);
    return body ? [row, ...nodeRows(body, depth + 1)] : [row];
  });
}

function whatItDoes(node: NodeConfig): string {
  switch (node.kind) {
    case 'llm':
      return node.model;
    case 'tool':
      return node.tool;
    case 'map':
      return `over ${typeof node.over === 'string' ? oneLine(node.over) : 'a list'}`;
    case 'agent':
      return `${node.model} with ${node.tools.map(callNameOf).join(', ')}`;
    case 'loop':
      return `until ${oneLine(node.until)}`;
    case 'switch':
      return node.cases.map((each) => each.port).join(' | ');
    default:
      return oneLine(node.title ?? '');
  }
}

/** A draft may be anything. */
const isDocument = (value: unknown): value is FlowDocument => {
  const { nodes, edges } = (value ?? {}) as { nodes?: unknown; edges?: unknown };
  return Array.isArray(nodes) && Array.isArray(edges);
};
