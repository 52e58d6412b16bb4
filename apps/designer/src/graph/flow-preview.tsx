import type { FlowDocument, NodeConfig } from '@pawl/dag-core';
import { useCallback } from 'react';
import { FlowGraph } from './flow-graph.tsx';
import css from './flow-preview.module.css';
import { KIND_ICONS } from './kinds.tsx';

/** What became of a node since another version. */
export type NodeMark = 'added' | 'changed' | 'removed';

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
  const dressOf = useCallback(
    (node: NodeConfig) => {
      const name = node.title ?? node.id;
      const marked = marks.get(node.id);
      return { label: marked ? `${name}, ${marked.words}` : name, className: marked && css[marked.mark] };
    },
    [marks],
  );
  return (
    <section className={css.preview} aria-label={label}>
      <FlowGraph document={document} dressOf={dressOf} />
    </section>
  );
}
