import type { FlowDocument } from '@pawl/dag-core';
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
import { useTheme } from '../theme/theme.ts';
import css from './flow-preview.module.css';
import { KIND_ICONS } from './kinds.tsx';
import { layOut, type Positions } from './lay-out.ts';
import { CARD, NodeCard } from './node-card.tsx';

/** What became of a node since another version. */
export type NodeMark = 'added' | 'changed' | 'removed';

type CardNode = Node<
  { readonly node: FlowDocument['nodes'][number]; readonly mark: NodeMark | undefined },
  'card'
>;

const Card = memo(function Card({ data: { node, mark } }: NodeProps<CardNode>) {
  return (
    <div className={mark && css[mark]}>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <NodeCard node={node} />
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  );
});

const NODE_TYPES = { card: Card };

/** True for a document, perhaps unfinished, whose nodes and edges can be drawn. */
export function isDrawable(document: unknown): document is FlowDocument {
  const { nodes, edges } = (document ?? {}) as Record<string, unknown>;
  if (!Array.isArray(nodes) || !Array.isArray(edges)) return false;
  const isNode = (node: unknown) => {
    const { id, kind } = (node ?? {}) as Record<string, unknown>;
    return typeof id === 'string' && typeof kind === 'string' && Object.hasOwn(KIND_ICONS, kind);
  };
  const isEdge = (edge: unknown) => {
    const { from, to } = (edge ?? {}) as Record<string, unknown>;
    return typeof from === 'string' && typeof to === 'string';
  };
  return nodes.every(isNode) && edges.every(isEdge);
}

/** A flow as it is drawn, to be looked at only. */
export function FlowPreview({
  document,
  marks,
  label,
}: {
  readonly document: FlowDocument;
  readonly marks: ReadonlyMap<string, { readonly mark: NodeMark; readonly words: string }>;
  readonly label: string;
}) {
  const theme = useTheme(({ shown }) => shown);
  const positions = usePositions(document);
  const nodes = useMemo<CardNode[]>(
    () =>
      document.nodes.map((node) => {
        const name = node.title ?? node.id;
        const marked = marks.get(node.id);
        return {
          id: node.id,
          type: 'card',
          position: positions?.[node.id] ?? { x: 0, y: 0 },
          ...CARD,
          ariaLabel: marked ? `${name}, ${marked.words}` : name,
          data: { node, mark: marked?.mark },
        };
      }),
    [document, marks, positions],
  );
  const edges = useMemo<Edge[]>(
    () =>
      document.edges.map(({ from, port = '', to }) => ({
        id: `${from}:${port}->${to}`,
        source: from,
        target: to,
        label: port || undefined,
        markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14 },
        focusable: false,
      })),
    [document],
  );
  return (
    <section className={css.preview} aria-label={label}>
      {positions && (
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          colorMode={theme}
          nodesDraggable={false}
          nodesConnectable={false}
          elementsSelectable={false}
          edgesFocusable={false}
          onlyRenderVisibleElements={document.nodes.length > 150}
          fitView
          fitViewOptions={{ padding: 0.12, maxZoom: 1 }}
          minZoom={0.1}
          proOptions={{ hideAttribution: true }}
        >
          <Background gap={22} size={1} color="var(--line2)" />
        </ReactFlow>
      )}
    </section>
  );
}

/** Where the drawn layout does not say where a node is, all are laid out. */
function usePositions(document: FlowDocument): Positions | undefined {
  const [positions, setPositions] = useState<Positions>();
  useEffect(() => {
    let isOver = false;
    const drawn = (document.layout ?? {}) as Positions;
    if (document.nodes.every(({ id }) => typeof drawn[id]?.x === 'number')) setPositions(drawn);
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
