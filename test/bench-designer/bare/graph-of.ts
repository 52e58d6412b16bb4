import type { FlowDocument, NodeConfig } from '@pawl/dag-core';
import { drawEdges, drawNodes } from '../../../apps/designer/src/canvas/draw-flow.ts';

const nameOf = ({ title, id }: NodeConfig): string => title ?? id;

/** What React Flow is told of a flow: the same as in the designer, but for how nodes and edges look. */
export function graphOf(document: FlowDocument) {
  const nodes = drawNodes(document, new Set(), nameOf, []).map(({ data: { node, ports }, ...drawn }) => ({
    ...drawn,
    type: 'bare',
    data: { title: nameOf(node), ports: ports.map((port) => `port ${port}`) },
  }));
  const edges = drawEdges(document, new Set(), [], { lit: '', error: '' }).map(
    ({ type: _, data: __, ...edge }) => edge,
  );
  return { nodes, edges };
}
