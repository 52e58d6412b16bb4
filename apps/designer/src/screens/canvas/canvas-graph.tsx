import type { FlowDocument, NodeConfig } from '@pawl/dag-core';
import {
  applyNodeChanges,
  Background,
  Controls,
  type EdgeChange,
  type FitViewOptions,
  type NodeChange,
  type NodeMouseHandler,
  type OnConnectEnd,
  type OnConnectStart,
  ReactFlow,
  useReactFlow,
} from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import {
  type DragEvent,
  memo,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import {
  type CanvasEdge,
  type CanvasNode as CanvasNodeType,
  drawEdges,
  drawNodes,
  portOf,
} from '../../canvas/draw-flow.ts';
import { type DrawnThing, drawThings, readDrawnId } from '../../canvas/drawn.ts';
import { useEditing, useEditingStore } from '../../canvas/editing.ts';
import { type Shown, showNext, showNow } from '../../canvas/move-gradually.ts';
import type { Chosen } from '../../canvas/new-node.ts';
import {
  boxOf,
  type Drawing,
  type Frame,
  findNode,
  type GraphPath,
  graphAt,
  illegalTargets,
  innerGraph,
  lookOf,
  type Note,
  nodesOf,
  type Point,
} from '../../editor/index.ts';
import { DetailByZoom } from '../../graph/detail.tsx';
import { useKnownSizes } from '../../graph/known-sizes.ts';
import { useTheme } from '../../theme/theme.ts';
import { later } from '../../ui/later.tsx';
import { useLatest } from '../../ui/use-latest.ts';
import css from './canvas-graph.module.css';
import { CanvasNode } from './canvas-node.tsx';
import { Drawn } from './drawings/drawn.tsx';
import { GuideLines } from './drawings/guide-lines.tsx';
import { usePaneMenu } from './drawings/pane-menu.tsx';
import { useNodeMenu } from './testing/node-menu.tsx';
import { useDrag } from './use-drag.ts';
import { Wire } from './wire.tsx';

/** Of large flows alone; without it nothing is missed. */
const FlowMap = memo(
  later(
    async () => (await import('./flow-map.tsx')).FlowMap,
    () => null,
  ),
);
const NODE_TYPES = { card: CanvasNode, container: CanvasNode, drawing: Drawn };
const EDGE_TYPES = { wire: Wire };
const EDGE_CLASSES = { lit: css.lit!, error: css.error! };
/** Beside the palette, or below it where it is closed; above the controls. */
const fit = (): FitViewOptions => ({
  padding: matchMedia('(width <= 900px)').matches
    ? { left: '24px', top: '72px', right: '24px', bottom: '60px' }
    : { left: '250px', top: '40px', right: '40px', bottom: '60px' },
  maxZoom: 1,
});
const NO_LOOP: readonly string[] = [];
const preventDefault = (event: DragEvent) => event.preventDefault();

/** What is drawn on the canvas: nodes, notes and frames. */
export type OnCanvas = CanvasNodeType | DrawnThing;

/** The type under which a choice of the palette is dragged. */
export const DRAGGED = 'application/x-pawl-node';

/** The flow, drawn and edited. */
export function CanvasGraph({
  onAdd,
}: {
  readonly onAdd: (choice: Chosen, graph: GraphPath, at: Point) => void;
}) {
  const { t } = useTranslation();
  const theme = useTheme(({ shown }) => shown);
  const editing = useEditingStore();
  const document = useEditing(({ history }) => history.document);
  const selected = useEditing((state) => state.selected);
  const selectedEdges = useEditing((state) => state.selectedEdges);
  const loop = useEditing(({ refusal }) =>
    refusal?.reason.code === 'cycle' ? refusal.reason.loop : NO_LOOP,
  );
  const { screenToFlowPosition } = useReactFlow();
  useKnownSizes();
  const { openMenu, menu } = useNodeMenu();
  const { openPaneMenu, paneMenu } = usePaneMenu((chosen, screen) => addAt(chosen, screen));
  const [fitting] = useState(fit);
  const nameOf = useNames();
  const selectedDrawings = useEditing((state) => state.selectedDrawings);
  const nameOfDrawn = useCallback(
    (drawing: Drawing, value: Note | Frame) =>
      t(`drawing.${drawing}Of`, { text: 'text' in value ? value.text : value.title }),
    [t],
  );
  const [shown, setShown] = useState<Shown<OnCanvas>>({ nodes: [], goal: [] });
  const { nodes, goal } = shown;
  const redraw = useCallback(
    () =>
      setShown((before) => {
        const now = [
          ...drawThings(document, new Set(selectedDrawings), nameOfDrawn, before.goal.filter(isDrawn)),
          ...drawNodes(document, new Set(selected), nameOf, before.goal.filter(isNode)),
        ];
        const isSame = now.length === before.goal.length && now.every((each, at) => each === before.goal[at]);
        return isSame ? before : showNow(before.nodes, now);
      }),
    [document, selected, selectedDrawings, nameOf, nameOfDrawn],
  );
  useLayoutEffect(redraw, [redraw]);
  useEffect(() => {
    if (nodes === goal) return;
    const frame = requestAnimationFrame(() => setShown(showNext));
    return () => cancelAnimationFrame(frame);
  }, [nodes, goal]);
  /** By hand; what the document says of the others comes with the next drawing. */
  const setNodes = useCallback(
    (change: (before: readonly OnCanvas[]) => readonly OnCanvas[]) =>
      setShown((before) => {
        const now = change(before.nodes);
        return { nodes: now, goal: now };
      }),
    [],
  );
  const move = useCallback(
    (places: ReadonlyMap<string, Point>) =>
      setNodes((before) =>
        before.map((each) => {
          const position = places.get(each.id);
          return position ? { ...each, position } : each;
        }),
      ),
    [setNodes],
  );
  const drag = useDrag(move, redraw);
  const drawn = useRef<readonly CanvasEdge[]>([]);
  const edges = useMemo(() => {
    drawn.current = drawEdges(document, new Set(selectedEdges), loop, EDGE_CLASSES, drawn.current);
    return drawn.current;
  }, [document, selectedEdges, loop]);

  const changeNodes = useCallback(
    (changes: NodeChange<OnCanvas>[]) => {
      if (!drag.change(changes)) {
        const resized = changes.filter(
          (change) => change.type === 'position' || (change.type === 'dimensions' && change.resizing),
        );
        if (resized.length > 0) setNodes((before) => applyNodeChanges(resized, [...before]));
      }
      const state = editing.getState();
      const chosen = new Set([...state.selected, ...state.selectedDrawings]);
      let isOther = false;
      for (const change of changes) {
        if (change.type !== 'select' || chosen.has(change.id) === change.selected) continue;
        isOther = true;
        if (change.selected) chosen.add(change.id);
        else chosen.delete(change.id);
      }
      const isDrawing = (id: string) => readDrawnId(id) !== undefined;
      const ids = [...chosen];
      if (isOther)
        state.select(
          ids.filter((id) => !isDrawing(id)),
          state.selectedEdges,
          ids.filter(isDrawing),
        );
    },
    [editing, drag.change, setNodes],
  );
  const changeEdges = useCallback(
    (changes: EdgeChange<CanvasEdge>[]) => {
      const chosen = new Set(editing.getState().selectedEdges);
      for (const change of changes) {
        if (change.type !== 'select') continue;
        if (change.selected) chosen.add(change.id);
        else chosen.delete(change.id);
      }
      const { selected: nodesToo, selectedDrawings: drawingsToo } = editing.getState();
      editing.getState().select(nodesToo, [...chosen], drawingsToo);
    },
    [editing],
  );
  const startWire = useCallback<OnConnectStart>(
    (_event, { nodeId, handleId, handleType }) => {
      const { history } = editing.getState();
      const found = nodeId === null ? undefined : findNode(history.document, nodeId);
      if (!found || handleType !== 'source') return;
      const illegal = illegalTargets(history.document, found.graph, found.node.id, portOf(handleId));
      editing.getState().set({ illegal, refusal: undefined });
    },
    [editing],
  );
  const endWire = useCallback<OnConnectEnd>(
    (event, { fromNode, fromHandle, toNode }) => {
      const state = editing.getState();
      state.set({ illegal: undefined });
      if (!fromNode || !fromHandle || fromHandle.type !== 'source') return;
      const graph = (fromNode.data as CanvasNodeType['data']).graph;
      const port = portOf(fromHandle.id);
      const screen = 'changedTouches' in event ? event.changedTouches[0]! : event;
      const at = { x: screen.clientX, y: screen.clientY };
      const end = toNode?.id ?? nodeUnder(screen.clientX, screen.clientY);
      const from = { from: fromNode.id, ...(port && { port }) };
      if (end !== undefined && end !== fromNode.id && !graph.includes(end))
        state.perform({ do: 'connect', graph, edge: { ...from, to: end } }, { at });
      else if (end === undefined || graph.includes(end)) {
        const { x, y } = pointIn(state.history.document, screenToFlowPosition(at), graph);
        state.set({ place: { graph, wire: from, at: { x, y: y - 32 } } });
      }
    },
    [editing, screenToFlowPosition],
  );
  const isValid = useCallback(
    ({ target }: { readonly target: string | null }) =>
      target !== null && !editing.getState().illegal?.has(target),
    [editing],
  );

  const addAt = (chosen: Chosen, screen: Point) => {
    const [graph, at] = graphUnder(editing.getState().history.document, screenToFlowPosition(screen));
    onAdd(chosen, graph, at);
  };
  const drop = useLatest((event: DragEvent) => {
    const text = event.dataTransfer.getData(DRAGGED);
    if (!text) return;
    event.preventDefault();
    addAt(JSON.parse(text) as Chosen, { x: event.clientX, y: event.clientY });
  });
  const rename = useCallback<NodeMouseHandler<OnCanvas>>(
    (_, { id }) => editing.getState().set({ renaming: id }),
    [editing],
  );
  const clickPane = useCallback(
    () => editing.getState().set({ place: undefined, refusal: undefined }),
    [editing],
  );
  const labels = useMemo(
    () => ({
      'controls.ariaLabel': t('canvas.zoom.label'),
      'controls.zoomIn.ariaLabel': t('canvas.zoom.in'),
      'controls.zoomOut.ariaLabel': t('canvas.zoom.out'),
      'controls.fitView.ariaLabel': t('canvas.zoom.fit'),
    }),
    [t],
  );
  // React Flow draws every node anew when it is given another handler: none of them is made while drawing.
  return (
    <DetailByZoom>
      <ReactFlow
        className={css.graph}
        nodes={nodes as OnCanvas[]}
        edges={edges as CanvasEdge[]}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        colorMode={theme}
        onNodesChange={changeNodes}
        onEdgesChange={changeEdges}
        onNodeDragStart={drag.startNode}
        onNodeDragStop={drag.end}
        onSelectionDragStart={drag.startSelection}
        onSelectionDragStop={drag.end}
        onNodeContextMenu={openMenu}
        onPaneContextMenu={openPaneMenu}
        onNodeDoubleClick={rename}
        onConnectStart={startWire}
        onConnectEnd={endWire}
        isValidConnection={isValid}
        onDragOver={preventDefault}
        onDrop={drop}
        onPaneClick={clickPane}
        deleteKeyCode={null}
        disableKeyboardA11y
        elevateNodesOnSelect={false}
        onlyRenderVisibleElements={nodes.length > 150}
        connectionRadius={24}
        fitView
        fitViewOptions={fitting}
        minZoom={0.1}
        proOptions={{ hideAttribution: true }}
        ariaLabelConfig={labels}
      >
        <Background gap={20} size={1} color="var(--line2)" />
        <Controls
          fitViewOptions={fitting}
          showInteractive={false}
          position="bottom-right"
          orientation="horizontal"
        />
        <Suspense>{nodes.length > 30 && <FlowMap />}</Suspense>
        <GuideLines guides={drag.guides} />
        {menu}
        {paneMenu}
      </ReactFlow>
    </DetailByZoom>
  );
}

/** What nodes are called, for who hears it; put together once for each. */
function useNames(): (node: NodeConfig) => string {
  const { t } = useTranslation();
  return useMemo(() => {
    const names = new WeakMap<NodeConfig, string>();
    return (node) => {
      let name = names.get(node);
      if (name === undefined) {
        name = `${node.title ?? node.id}, ${t(`canvas.kinds.${node.kind}`)}`;
        names.set(node, name);
      }
      return name;
    };
  }, [t]);
}

const isDrawn = (each: OnCanvas): each is DrawnThing => each.type === 'drawing';
const isNode = (each: OnCanvas): each is CanvasNodeType => each.type !== 'drawing';

/** The node that is under the pointer; a wire may end anywhere on it. */
const nodeUnder = (x: number, y: number): string | undefined =>
  window.document
    .elementsFromPoint(x, y)
    .map((element) => element.closest<HTMLElement>('.react-flow__node')?.dataset.id)
    .find((id) => id !== undefined && readDrawnId(id) === undefined);

/** A point of the canvas, counted from the corner of a graph's container. */
function pointIn(document: FlowDocument, point: Point, graph: GraphPath): Point {
  let { x, y } = point;
  for (const id of graph) {
    const box = boxOf(document, findNode(document, id)!.node);
    x -= box.x;
    y -= box.y;
  }
  return { x, y };
}

/** The innermost open graph at a point of the canvas, and the point counted from its corner. */
function graphUnder(document: FlowDocument, point: Point, graph: GraphPath = []): [GraphPath, Point] {
  for (const node of nodesOf(graphAt(document, graph)!)) {
    if (!innerGraph(node) || lookOf(document, node.id).collapsed) continue;
    const box = boxOf(document, node);
    const inside = { x: point.x - box.x, y: point.y - box.y };
    if (inside.x >= 0 && inside.y >= 0 && inside.x <= box.width && inside.y <= box.height)
      return graphUnder(document, inside, [...graph, node.id]);
  }
  return [graph, point];
}
