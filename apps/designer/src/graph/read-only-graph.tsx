import type { FlowDocument } from '@pawl/dag-core';
import { Background, type Edge, MarkerType, type Node, ReactFlow, type ReactFlowProps } from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { useEffect, useState } from 'react';
import { useTheme } from '../theme/theme.ts';
import { layOut, type Positions } from './lay-out.ts';
import { CARD } from './node-card.tsx';
import css from './read-only-graph.module.css';

/** A graph that is looked at and not edited; nothing is drawn before it is known where. */
export function ReadOnlyGraph<N extends Node>({
  nodes,
  ...rest
}: Pick<
  ReactFlowProps<N>,
  'edges' | 'nodeTypes' | 'elementsSelectable' | 'onNodeClick' | 'onSelectionChange'
> & {
  readonly nodes: N[];
}) {
  const theme = useTheme(({ shown }) => shown);
  if (nodes.length === 0) return null;
  return (
    <ReactFlow
      className={css.graph}
      nodes={nodes}
      {...rest}
      colorMode={theme}
      nodesDraggable={false}
      nodesConnectable={false}
      edgesFocusable={false}
      onlyRenderVisibleElements={nodes.length > 150}
      fitView
      fitViewOptions={{ padding: 0.12, maxZoom: 1 }}
      minZoom={0.1}
      proOptions={{ hideAttribution: true }}
    >
      <Background gap={22} size={1} color="var(--line2)" />
    </ReactFlow>
  );
}

/** The edges of a flow as they are drawn; `classOf` gives how each looks. */
export const drawnEdges = (
  { edges }: FlowDocument,
  classOf?: (from: string, to: string, port: string) => string | undefined,
): Edge[] =>
  edges.map(({ from, port = '', to }) => ({
    id: `${from}:${port}->${to}`,
    source: from,
    target: to,
    label: port || undefined,
    className: classOf?.(from, to, port),
    markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14 },
    focusable: false,
  }));

/** Where the nodes of a flow are; where its layout does not say so of one, all are laid out. Undefined: not known yet. */
export function usePositions(document: FlowDocument): Positions | undefined {
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
