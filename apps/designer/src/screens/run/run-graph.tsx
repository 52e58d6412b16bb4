import type { ToolInfo } from '@pawl/api';
import type { NodeConfig } from '@pawl/dag-core';
import {
  Background,
  type Edge,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
} from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { memo, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { layOut, type Positions } from '../../graph/lay-out.ts';
import { CARD, NodeCard } from '../../graph/node-card.tsx';
import type { NodeRunMoment, RunHistory } from '../../run/history.ts';
import { useTheme } from '../../theme/theme.ts';
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
  const theme = useTheme(({ shown }) => shown);
  const { document } = history.graph;
  const positions = usePositions(history);
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
                  : moment && status,
              },
            };
          }),
    [document, history, positions, selected, seq, t, tools],
  );
  const edges = useMemo<Edge[]>(
    () =>
      document.edges.map(({ from, port = '', to }) => ({
        id: `${from}:${port}->${to}`,
        source: from,
        target: to,
        label: port || undefined,
        className: css[edgeTone(history, from, to, port, seq)],
        markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14 },
        focusable: false,
      })),
    [document, history, seq],
  );
  return (
    <div className={css.graph}>
      <ReactFlow
        key={positions ? 'placed' : 'unplaced'}
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        colorMode={theme}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        onNodeClick={(_, { id }) => onSelect(id)}
        onSelectionChange={({ nodes: [only] }) => only && only.id !== selected && onSelect(only.id)}
        onlyRenderVisibleElements={document.nodes.length > 150}
        fitView
        fitViewOptions={{ padding: 0.12, maxZoom: 1 }}
        minZoom={0.1}
        proOptions={{ hideAttribution: true }}
      >
        <Background gap={22} size={1} color="var(--line2)" />
      </ReactFlow>
    </div>
  );
}

/** Where the drawn layout does not say where a node is, all are laid out. */
function usePositions({ graph }: RunHistory): Positions | undefined {
  const { document } = graph;
  const [positions, setPositions] = useState<Positions>();
  useEffect(() => {
    let isOver = false;
    const drawn = (document.layout ?? {}) as Positions;
    const isDrawn = document.nodes.every(({ id }) => typeof drawn[id]?.x === 'number');
    if (isDrawn) setPositions(drawn);
    else
      layOut({ boxes: document.nodes.map(({ id }) => ({ id, ...CARD })), edges: document.edges }).then(
        (laidOut) => isOver || setPositions(laidOut),
      );
    return () => {
      isOver = true;
    };
  }, [document]);
  return positions;
}

function edgeTone(history: RunHistory, from: string, to: string, port: string, seq: number) {
  const source = history.nodeRunAt(from, seq)?.status;
  if (source === undefined || !['succeeded', 'failed', 'skipped', 'compensated'].includes(source))
    return 'open';
  const target = history.nodeRunAt(to, seq)?.status;
  if (source === 'skipped' || target === 'skipped' || target === undefined) return 'dead';
  return port === 'error' ? 'error' : 'live';
}
