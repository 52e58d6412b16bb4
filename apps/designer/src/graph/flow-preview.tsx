import type { FlowDocument } from '@pawl/dag-core';
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { memo, useMemo } from 'react';
import css from './flow-preview.module.css';
import { KIND_ICONS } from './kinds.tsx';
import { CARD, NodeCard } from './node-card.tsx';
import { drawnEdges, ReadOnlyGraph, usePositions } from './read-only-graph.tsx';

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
  const positions = usePositions(document);
  const nodes = useMemo<CardNode[]>(
    () =>
      (positions ? document.nodes : []).map((node) => {
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
  const edges = useMemo(() => drawnEdges(document), [document]);
  return (
    <section className={css.preview} aria-label={label}>
      <ReadOnlyGraph nodes={nodes} edges={edges} nodeTypes={NODE_TYPES} elementsSelectable={false} />
    </section>
  );
}
