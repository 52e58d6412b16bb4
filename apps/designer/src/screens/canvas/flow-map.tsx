import { type Node, Panel, type ReactFlowState, useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import { type PointerEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Box, boundsOf, type Point } from '../../editor/index.ts';
import { atMostEvery } from '../../live/at-most-every.ts';

const SIZE = { width: 200, height: 150 } as const;
/** Pixels of the map that stay free around what it shows. */
const RIM = 5;

/**
 * The whole flow in small, and what of it is in view: dragged, it moves the view, and the wheel zooms. That of React Flow draws every
 * node by itself, and each listens to every movement of the view; here they are one line.
 */
export function FlowMap() {
  const { t } = useTranslation();
  const store = useStoreApi();
  const nodes = useNodesNowAndAgain();
  const { line, bounds } = useMemo(() => {
    const { nodeLookup } = store.getState();
    const boxes = nodes.flatMap(({ id }) => {
      const node = nodeLookup.get(id);
      const { width = 0, height = 0 } = node?.measured ?? {};
      return node ? [{ ...node.internals.positionAbsolute, width, height }] : [];
    });
    return { line: boxes.map(lineAround).join(''), bounds: boundsOf(boxes) };
  }, [nodes, store]);
  const view = useStore(inView, isSameBox);
  const all = boundsOf([bounds, view]);
  const scale = Math.max(all.width / SIZE.width, all.height / SIZE.height);
  const shown = around(all, scale);
  const moving = useMoving(scale);
  return (
    <Panel position="top-right" className="react-flow__minimap">
      <svg
        {...SIZE}
        {...moving}
        viewBox={`${shown.x} ${shown.y} ${shown.width} ${shown.height}`}
        className="react-flow__minimap-svg"
        role="img"
        aria-label={t('canvas.zoom.map')}
      >
        <path className="react-flow__minimap-node" d={line} shapeRendering="crispEdges" />
        <path
          className="react-flow__minimap-mask"
          d={lineAround(around(all, 2 * scale)) + lineAround(view)}
          fillRule="evenodd"
          pointerEvents="none"
        />
      </svg>
    </Panel>
  );
}

/** Milliseconds between two drawings of the map while nodes move: each draws all of them. */
const EVERY_MS = 200;

/** The nodes, seldom enough to be drawn all. */
function useNodesNowAndAgain(): readonly Node[] {
  const store = useStoreApi();
  const [nodes, setNodes] = useState(() => store.getState().nodes);
  useEffect(() => {
    const look = atMostEvery(EVERY_MS, () => setNodes(store.getState().nodes));
    look();
    return store.subscribe((state, before) => {
      if (state.nodes !== before.nodes) look();
    });
  }, [store]);
  return nodes;
}

/** What moves the view: a drag by as much as `scale` says, the wheel as over the flow itself. */
function useMoving(scale: number) {
  const { getViewport, setViewport, zoomTo } = useReactFlow();
  const last = useRef<Point>(undefined);
  const ref = useCallback(
    (map: SVGSVGElement) => {
      const turn = (event: WheelEvent) => {
        event.preventDefault();
        void zoomTo(getViewport().zoom * 2 ** (-event.deltaY * WHEEL_UNITS[event.deltaMode]!));
      };
      // React listens so that nothing can be prevented, and the browser would zoom the page.
      map.addEventListener('wheel', turn, { passive: false });
      return () => map.removeEventListener('wheel', turn);
    },
    [getViewport, zoomTo],
  );
  const onPointerDown = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    last.current = { x: event.clientX, y: event.clientY };
  };
  const onPointerMove = ({ clientX, clientY }: PointerEvent) => {
    if (!last.current) return;
    const { x, y, zoom } = getViewport();
    const [right, down] = [clientX - last.current.x, clientY - last.current.y];
    last.current = { x: clientX, y: clientY };
    void setViewport({ x: x - right * scale * zoom, y: y - down * scale * zoom, zoom });
  };
  const end = () => {
    last.current = undefined;
  };
  return { ref, onPointerDown, onPointerMove, onPointerUp: end, onPointerCancel: end };
}

/** How much a unit of the wheel zooms, as its power of two: pixels, lines, pages. */
const WHEEL_UNITS = [0.002, 0.05, 1] as const;

const inView = ({ transform: [x, y, zoom], width, height }: ReactFlowState): Box => ({
  x: -x / zoom,
  y: -y / zoom,
  width: width / zoom,
  height: height / zoom,
});

const isSameBox = (one: Box, other: Box): boolean =>
  one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;

const lineAround = ({ x, y, width, height }: Box): string => `M${x},${y}h${width}v${height}h${-width}z`;

/** What a map of this scale shows around what is in its middle. */
function around({ x, y, width, height }: Box, scale: number): Box {
  const [wide, high] = [(SIZE.width + 2 * RIM) * scale, (SIZE.height + 2 * RIM) * scale];
  return { x: x - (wide - width) / 2, y: y - (high - height) / 2, width: wide, height: high };
}
