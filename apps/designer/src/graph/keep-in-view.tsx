import { useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import { panToShow } from '../canvas/pan-to-show.ts';
import type { DressedNode } from './dress.ts';

const RIMS = { left: 24, top: 24, right: 24, bottom: 24 } as const;

/** Moves the view when a node is chosen, or grows, that is not seen as a whole; what has the focus by keys follows the choice. */
export function KeepInView({
  nodes,
  id,
}: {
  readonly nodes: readonly DressedNode[];
  readonly id: string | undefined;
}) {
  const { getViewport, setViewport, fitView } = useReactFlow();
  const store = useStoreApi();
  const isReady = useStore(({ width }) => width > 0);
  const node = nodes.find((each) => each.id === id);
  const [width, height] = [node?.width ?? 0, node?.height ?? 0];
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a node that only moved is left where it is.
  useEffect(() => {
    if (!node || !isReady) return;
    // Who opens the page sees all of it.
    const wasFirst = isFirst.current;
    isFirst.current = false;
    if (wasFirst) return;
    const { width: paneWidth, height: paneHeight, domNode } = store.getState();
    const view = getViewport();
    const isLarger = width * view.zoom > paneWidth - 48 || height * view.zoom > paneHeight - 48;
    if (isLarger) void fitView({ nodes: [{ id: node.id }], padding: 0.08, maxZoom: view.zoom });
    else {
      const box = { ...cornerOf(node, nodes), width, height };
      const next = panToShow(view, { width: paneWidth, height: paneHeight }, box, RIMS);
      if (next !== view) void setViewport(next);
    }
    const active = domNode?.ownerDocument.activeElement;
    if (active?.matches('.react-flow__node') && domNode?.contains(active))
      domNode
        .querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(node.id)}"]`)
        ?.focus({ preventScroll: true });
  }, [isReady, node?.id, width, height]);
  return null;
}

/** Positions inside a container count from its corner. */
function cornerOf(
  { position, parentId }: DressedNode,
  nodes: readonly DressedNode[],
): { x: number; y: number } {
  const parent = nodes.find(({ id }) => id === parentId);
  if (!parent) return position;
  const { x, y } = cornerOf(parent, nodes);
  return { x: x + position.x, y: y + position.y };
}
