import type { ToolInfo } from '@pawl/api';
import type { NodeConfig } from '@pawl/dag-core';
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { memo, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { CARD, NodeCard } from '../../graph/node-card.tsx';
import { drawnEdges, ReadOnlyGraph, usePositions } from '../../graph/read-only-graph.tsx';
import type { NodeRunMoment, RunHistory } from '../../run/history.ts';
import css from './run-graph.module.css';

type CardNode = Node<
  {
    readonly node: NodeConfig;
    readonly tool: ToolInfo | undefined;
    readonly moment: NodeRunMoment | undefined;
    readonly note: string | undefined;
  },
  'card'
>;

const Card = memo(function Card({ data }: NodeProps<CardNode>) {
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <NodeCard {...data} />
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </>
  );
});

const NODE_TYPES = { card: Card };

/** The graph of a run's version, each node as it stood after event `seq`. */
export function RunGraph({
  history,
  seq,
  tools,
  selected,
  onSelect,
}: {
  readonly history: RunHistory;
  readonly seq: number;
  readonly tools: ReadonlyMap<string, ToolInfo>;
  readonly selected: string | undefined;
  readonly onSelect: (path: string) => void;
}) {
  const { t } = useTranslation();
  const { document } = history.graph;
  const positions = usePositions(document);
  const nodes = useMemo<CardNode[]>(
    () =>
      positions === undefined
        ? []
        : document.nodes.map((node) => {
            const moment = history.nodeRunAt(node.id, seq);
            const name = node.title ?? node.id;
            const status = moment ? t(`nodeRunStatus.${moment.status}`) : t('run.notReached');
            return {
              id: node.id,
              type: 'card',
              position: positions[node.id] ?? { x: 0, y: 0 },
              ...CARD,
              selected: node.id === selected,
              ariaLabel: `${name}, ${status}`,
              data: {
                node,
                tool: node.kind === 'tool' ? tools.get(node.tool) : undefined,
                moment,
                note: moment?.items
                  ? t('run.items', {
                      done: moment.items.done,
                      count: moment.items.count,
                      failed: moment.items.failed,
                    })
                  : moment?.given
                    ? t(`testing.origin.${moment.given.origin}`)
                    : moment && status,
              },
            };
          }),
    [document, history, positions, selected, seq, t, tools],
  );
  const edges = useMemo(
    () => drawnEdges(document, (from, to, port) => css[edgeTone(history, from, to, port, seq)]),
    [document, history, seq],
  );
  return (
    <div className={css.graph}>
      <ReadOnlyGraph
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        onNodeClick={(_, { id }) => onSelect(id)}
        onSelectionChange={({ nodes: [only] }) => only && only.id !== selected && onSelect(only.id)}
      />
    </div>
  );
}

function edgeTone(history: RunHistory, from: string, to: string, port: string, seq: number) {
  const source = history.nodeRunAt(from, seq)?.status;
  if (source === undefined || !['succeeded', 'failed', 'skipped', 'compensated'].includes(source))
    return 'open';
  const target = history.nodeRunAt(to, seq);
  const name = `${from}${port && `:${port}`}->${to}`;
  if (!target || target.deadEdges.includes(name)) return 'dead';
  return port === 'error' ? 'error' : 'live';
}
