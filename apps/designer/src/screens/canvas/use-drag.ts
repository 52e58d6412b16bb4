import type { FlowDocument } from '@pawl/dag-core';
import { type NodeChange, useReactFlow } from '@xyflow/react';
import { useEffect, useRef, useState } from 'react';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { drawnBoxes, readDrawnId, thingsOf } from '../../canvas/drawn.ts';
import { useEditingStore } from '../../canvas/editing.ts';
import {
  type Box,
  boundsOf,
  boxOf,
  type Carried,
  carriedBy,
  carry,
  drawingsOf,
  findNode,
  type GraphPath,
  type Guide,
  graphAt,
  nodesOf,
  PADDING,
  type Point,
  snap,
} from '../../editor/index.ts';
import type { OnCanvas } from './canvas-graph.tsx';

/** Pixels of the screen over which something jumps into line. */
const REACH = 6;
const GRID = 10;

/** Lines along which what is dragged stands, and the container in which they are drawn. */
export interface Guides {
  readonly guides: readonly Guide[];
  readonly graph: GraphPath;
}

interface Drag {
  readonly carried: Carried;
  readonly boxes: ReadonlyMap<string, Box>;
  readonly lead: string;
  readonly graph: GraphPath;
  /** Around all that moves. */
  readonly bounds: Box;
  readonly others: readonly Box[];
  by: Point;
}

/** Dragging: everything that is selected goes along, with what lies in frames, and comes to stand in line; Alt switches that off. One drag is one entry. */
export function useDrag(move: (places: ReadonlyMap<string, Point>) => void, redraw: () => void) {
  const editing = useEditingStore();
  const { getZoom } = useReactFlow();
  const drag = useRef<Drag>(undefined);
  const isFree = useRef(false);
  const latest = useRef(redraw);
  useEffect(() => {
    latest.current = redraw;
  }, [redraw]);
  const [guides] = useState<StoreApi<Guides>>(() => createStore<Guides>(() => ({ guides: [], graph: [] })));
  useEffect(() => {
    const watch = ({ altKey }: PointerEvent | KeyboardEvent) => {
      isFree.current = altKey;
    };
    for (const kind of ['pointermove', 'keydown', 'keyup'] as const)
      window.addEventListener(kind, watch, true);
    return () => {
      for (const kind of ['pointermove', 'keydown', 'keyup'] as const)
        window.removeEventListener(kind, watch, true);
    };
  }, []);
  const [handlers] = useState(() => {
    const start = (dragged: readonly OnCanvas[]) => {
      const ids = dragged.map(({ id }) => id);
      if (ids.length > 0) drag.current = beginDrag(editing.getState().history.document, ids);
    };
    const change = (changes: readonly NodeChange<OnCanvas>[]): boolean => {
      const now = drag.current;
      if (!now) return false;
      const led = changes.find((each) => each.type === 'position' && each.id === now.lead);
      if (led?.type !== 'position' || !led.position || led.dragging === false) return true;
      const from = now.boxes.get(now.lead)!;
      const by = { x: led.position.x - from.x, y: led.position.y - from.y };
      const wanted = { ...now.bounds, x: now.bounds.x + by.x, y: now.bounds.y + by.y };
      const { at, guides: lines } = isFree.current
        ? { at: wanted, guides: [] }
        : snap(wanted, now.others, REACH / getZoom(), GRID);
      const stays = inContainer(at, now.graph);
      now.by = { x: stays.x - now.bounds.x, y: stays.y - now.bounds.y };
      guides.setState({ guides: lines, graph: now.graph });
      move(placesOf(now));
      return true;
    };
    const end = () => {
      const now = drag.current;
      drag.current = undefined;
      guides.setState({ guides: [] });
      if (!now) return;
      const before = editing.getState().history.document;
      editing.getState().perform(carry(now.carried, now.by));
      if (editing.getState().history.document === before) latest.current();
    };
    return {
      startNode: (_event: unknown, lead: OnCanvas, moved: readonly OnCanvas[]) => start([lead, ...moved]),
      startSelection: (_event: unknown, moved: readonly OnCanvas[]) => start(moved),
      change,
      end,
    };
  });
  return { ...handlers, guides };
}

/** The first one leads; only what is in its graph moves with it. */
function beginDrag(document: FlowDocument, dragged: readonly string[]): Drag {
  const lead = dragged[0]!;
  const graph = graphOf(document, lead);
  const together = [...new Set(dragged)].filter((id) => graphOf(document, id).join('/') === graph.join('/'));
  const carried = carriedBy(document, thingsOf(together));
  const boxes = drawnBoxes(carried);
  const others = [...boxesIn(document, graph)].filter(([id]) => !boxes.has(id));
  return {
    ...{ carried, boxes, lead, graph },
    bounds: boundsOf([...boxes.values()]),
    others: others.map(([, box]) => box),
    by: { x: 0, y: 0 },
  };
}

/** Nothing leaves a container by its head or its left rim. */
const inContainer = ({ x, y }: Point, graph: GraphPath): Point =>
  graph.length === 0 ? { x, y } : { x: Math.max(PADDING.left, x), y: Math.max(PADDING.top, y) };

const placesOf = ({ boxes, by }: Drag): ReadonlyMap<string, Point> =>
  new Map([...boxes].map(([id, { x, y }]) => [id, { x: x + by.x, y: y + by.y }] as const));

/** The graph in which something on the canvas is drawn. */
function graphOf(document: FlowDocument, drawn: string): GraphPath {
  const read = readDrawnId(drawn);
  if (!read) return findNode(document, drawn)?.graph ?? [];
  const container = drawingsOf(document, read.drawing)[read.id]?.in;
  const found = container === undefined ? undefined : findNode(document, container);
  return found ? [...found.graph, found.node.id] : [];
}

/** Everything that is drawn in a graph. */
function boxesIn(document: FlowDocument, graph: GraphPath): Map<string, Box> {
  const nodes = nodesOf(graphAt(document, graph) ?? { nodes: [] });
  const container = graph.at(-1);
  const drawn = <D extends 'note' | 'frame'>(drawing: D) =>
    Object.fromEntries(
      Object.entries(drawingsOf(document, drawing)).filter(([, value]) => value.in === container),
    );
  return drawnBoxes({
    nodes: Object.fromEntries(nodes.map((node) => [node.id, boxOf(document, node)])),
    notes: drawn('note'),
    frames: drawn('frame'),
  });
}
