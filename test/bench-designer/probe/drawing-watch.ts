import { afterPaint } from './after-paint.ts';
import type { Probe } from './contract.ts';

/** Counts what is drawn, frame by frame, from the beginning of the page until all that was asked for is there. */
export function watchDrawing(): Pick<Probe, 'drawnAt' | 'drawn' | 'transferredKb'> {
  const nodes = document.getElementsByClassName('react-flow__node');
  const edges = document.getElementsByClassName('react-flow__edge-path');
  const seen: { readonly at: number; readonly nodes: number; readonly edges: number }[] = [];
  let isOver = false;
  const look = () => {
    const now = { at: performance.now(), nodes: nodes.length, edges: edges.length };
    const last = seen.at(-1);
    if (last?.nodes !== now.nodes || last.edges !== now.edges) seen.push(now);
    if (!isOver) afterPaint(look);
  };
  afterPaint(look);
  return {
    drawnAt(wantedNodes, wantedEdges) {
      const found = seen.find((each) => each.nodes >= wantedNodes && each.edges >= wantedEdges);
      if (found) isOver = true;
      return found?.at;
    },
    drawn: () => ({
      nodes: [...nodes].map((node) => (node as HTMLElement).dataset.id!),
      edges: edges.length,
    }),
    transferredKb() {
      const kinds = ['navigation', 'resource'];
      const sizes = kinds.flatMap(
        (kind) => performance.getEntriesByType(kind) as PerformanceResourceTiming[],
      );
      return sizes.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1_024;
    },
  };
}
