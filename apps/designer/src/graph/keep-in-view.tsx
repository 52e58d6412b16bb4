import { useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import { type RefObject, useEffect, useRef } from 'react';
import { panToShow } from '../canvas/pan-to-show.ts';
import { boundsOf } from '../editor/index.ts';
import type { DressedNode } from './dress.ts';

/** How a whole graph is shown. */
export const FIT = { padding: 0.12, maxZoom: 1 } as const;
const RIM = 24;
const RIMS = { left: RIM, top: RIM, right: RIM, bottom: RIM } as const;

/**
 * Shows the whole graph, also when parts of it come later, until a person moves it. From then on it moves as little as shows what is
 * selected or opened. What has the focus by keys follows what is selected.
 */
export function KeepInView({
  nodes,
  selected,
  unfolded,
  isMoved,
}: {
  readonly nodes: readonly DressedNode[];
  readonly selected: string | undefined;
  /** What a person opened or closed last. */
  readonly unfolded: string | undefined;
  /** Whether a person has moved the graph. */
  readonly isMoved: RefObject<boolean>;
}) {
  const { getViewport, setViewport, fitView } = useReactFlow();
  const store = useStoreApi();
  const isReady = useStore(({ width }) => width > 0);
  const { width, height } = boundsOf(nodes.flatMap((node) => (node.parentId ? [] : [boxOf(node)])));
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the nodes only how far they reach matters.
  useEffect(() => {
    if (isReady && !isMoved.current) void fitView(FIT);
  }, [isReady, width, height]);

  const show = (id: string | undefined) => {
    const node = nodes.find((each) => each.id === id);
    if (!node || !isReady) return;
    const { width: paneWidth, height: paneHeight } = store.getState();
    const view = getViewport();
    const { width: wide, height: high } = boxOf(node);
    if (wide * view.zoom > paneWidth - 2 * RIM || high * view.zoom > paneHeight - 2 * RIM) {
      void fitView({ nodes: [{ id: node.id }], padding: 0.08, maxZoom: view.zoom });
      return;
    }
    const box = { ...boxOf(node), ...cornerOf(node, nodes) };
    const next = panToShow(view, { width: paneWidth, height: paneHeight }, box, RIMS);
    if (next !== view) void setViewport(next);
  };
  const before = useRef(selected);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another choice moves the graph.
  useEffect(() => {
    if (before.current === selected) return;
    before.current = selected;
    show(selected);
    const { domNode } = store.getState();
    const active = domNode?.ownerDocument.activeElement;
    if (selected !== undefined && active?.matches('.react-flow__node') && domNode?.contains(active))
      domNode
        .querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(selected)}"]`)
        ?.focus({ preventScroll: true });
  }, [selected]);
  const opened = nodes.find(({ id }) => id === unfolded);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was opened grows when what is inside has come.
  useEffect(() => show(unfolded), [unfolded, opened?.width, opened?.height]);
  return null;
}

const boxOf = ({ position, width = 0, height = 0 }: DressedNode) => ({ ...position, width, height });

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
