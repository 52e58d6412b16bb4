import { useStore } from '@xyflow/react';
import { useLayoutEffect } from 'react';

/** How much of a node can be read: all of it, its kind, name and status, or only that it is there. */
type Detail = 'full' | 'brief' | 'block';

const detailAt = (zoom: number): Detail => (zoom >= 0.6 ? 'full' : zoom >= 0.3 ? 'brief' : 'block');

/** Says on the graph how much can be read at its zoom. Styles follow that; no node is drawn anew. */
export function DetailByZoom() {
  const graph = useStore(({ domNode }) => domNode);
  const detail = useStore(({ transform }) => detailAt(transform[2]));
  useLayoutEffect(() => {
    if (graph) graph.dataset.detail = detail;
  }, [graph, detail]);
  return null;
}
