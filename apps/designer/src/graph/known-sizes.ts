import { useStoreApi } from '@xyflow/react';
import { useState } from 'react';

/**
 * Has React Flow believe the sizes and handles that it is given with the nodes (`drawNodes`). By itself it measures every node that
 * comes into view: the browser must lay out in the middle of a frame, and every node and each of its edges are drawn twice. To be
 * called where its provider is and before it draws.
 */
export function useKnownSizes(): void {
  const store = useStoreApi();
  useState(() =>
    store.setState({
      updateNodeInternals() {
        // What waits for the first measure all the same.
        const { fitViewQueued, nodes, setNodes } = store.getState();
        if (fitViewQueued) setNodes(nodes);
      },
    }),
  );
}
