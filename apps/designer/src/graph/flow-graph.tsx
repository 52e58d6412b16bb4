import type { EdgeConfig, FlowDocument } from '@pawl/dag-core';
import {
  Background,
  Handle,
  type NodeChange,
  type NodeProps,
  Position,
  ReactFlow,
  ReactFlowProvider,
} from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react';
import {
  createContext,
  memo,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { type CanvasEdge, handleOf, isDrawnAlike, portY } from '../canvas/draw-flow.ts';
import { changeLayout, type GraphPath, lookOf } from '../editor/index.ts';
import { useTheme } from '../theme/theme.ts';
import { useLatest } from '../ui/use-latest.ts';
import { AgentCalls } from './agent-calls.tsx';
import { DetailByZoom, useSurface } from './detail.tsx';
import {
  classEdges,
  type Dress,
  type DressedNode as DressedNodeData,
  type DressOf,
  dressNodes,
} from './dress.ts';
import css from './flow-graph.module.css';
import { FIT, KeepInView } from './keep-in-view.tsx';
import { useKnownSizes } from './known-sizes.ts';
import { makeRoom } from './make-room.ts';
import { NodeCard } from './node-card.tsx';
import { placeUndrawn } from './place-flow.ts';

/** What can be done at a node. Stays the same, so that no node is drawn anew for it. */
interface Doing {
  readonly toggle: (id: string) => void;
  readonly pick?: ((id: string, graph: GraphPath, index: number) => void) | undefined;
  readonly fold: (id: string, graph: GraphPath, to: 'open' | 'closed') => void;
}

const DoingContext = createContext<Doing | undefined>(undefined);

const DressedCard = memo(DressedNode, isDrawnAlike);
const NODE_TYPES = { card: DressedCard, container: DressedCard };
const NO_NODES: readonly DressedNodeData[] = [];

/**
 * A flow that is looked at and not edited: maps and loops are open where they stand, as on the canvas. Nothing is drawn before it is
 * known where.
 */
export function FlowGraph({
  document,
  dressOf,
  classOfEdge,
  selected,
  onSelect,
  onPick,
  onFold,
}: {
  readonly document: FlowDocument;
  /** Changes whenever nodes look otherwise. */
  readonly dressOf: DressOf;
  readonly classOfEdge?: ((edge: EdgeConfig, graph: GraphPath) => string | undefined) | undefined;
  readonly selected?: string | undefined;
  /** Absent: nothing can be selected. */
  readonly onSelect?: ((id: string, graph: GraphPath) => void) | undefined;
  /** Shows another item of a container. */
  readonly onPick?: Doing['pick'];
  /** Opens or closes what a node runs, where its dress says that this can be done. */
  readonly onFold?: Doing['fold'] | undefined;
}) {
  const name = useId();
  const [unfolded, setUnfolded] = useState<string>();
  const isMoved = useRef(false);
  const theme = useTheme(({ shown }) => shown);
  const { placed, toggle } = usePlaced(document);
  const dressed = useRef<readonly DressedNodeData[]>([]);
  const nodes = useMemo(() => {
    if (!placed) return NO_NODES;
    dressed.current = dressNodes(placed, selected, dressOf, dressed.current);
    return dressed.current;
  }, [placed, dressOf, selected]);
  const classed = useRef<readonly CanvasEdge[]>([]);
  const edges = useMemo(() => {
    classed.current = placed ? classEdges(placed, classOfEdge, classed.current) : [];
    return classed.current;
  }, [placed, classOfEdge]);
  const pick = useLatest((id: string, graph: GraphPath, index: number) => onPick?.(id, graph, index));
  const canPick = onPick !== undefined;
  const fold = useLatest((id: string, graph: GraphPath, to: 'open' | 'closed') => {
    setUnfolded(id);
    onFold?.(id, graph, to);
  });
  const turn = useLatest((id: string) => {
    setUnfolded(id);
    toggle(id);
  });
  const doing = useMemo(
    () => ({ toggle: turn, fold, ...(canPick && { pick }) }),
    [turn, fold, pick, canPick],
  );
  // Without an event it was not a person.
  const moved = useCallback((event: unknown) => {
    if (event !== null) isMoved.current = true;
  }, []);
  const choose = useLatest(({ id, data }: DressedNodeData) => onSelect?.(id, data.graph));
  const click = useCallback((_: unknown, node: DressedNodeData) => choose(node), [choose]);
  // What a person selects by keys; what is selected by the screen is no change.
  const byKeys = useLatest((changes: readonly NodeChange<DressedNodeData>[]) => {
    for (const change of changes)
      if (change.type === 'select' && change.selected) {
        const node = nodes.find(({ id }) => id === change.id);
        if (node) choose(node);
      }
  });
  if (nodes.length === 0) return null;
  return (
    <DoingContext value={doing}>
      {/* Of its own: this may stand on a screen that edits another one. */}
      <ReactFlowProvider>
        <Surface>
          <ReactFlow
            id={name}
            className={css.graph}
            nodes={nodes as DressedNodeData[]}
            edges={edges as CanvasEdge[]}
            nodeTypes={NODE_TYPES}
            elementsSelectable={onSelect !== undefined}
            onNodeClick={click}
            onNodesChange={byKeys}
            onMoveStart={moved}
            colorMode={theme}
            nodesDraggable={false}
            nodesConnectable={false}
            edgesFocusable={false}
            onlyRenderVisibleElements={nodes.length > 150}
            fitView
            fitViewOptions={FIT}
            minZoom={0.1}
            proOptions={{ hideAttribution: true }}
          >
            <KeepInView nodes={nodes} selected={selected} unfolded={unfolded} isMoved={isMoved} />
            <Background gap={22} size={1} color="var(--line2)" />
          </ReactFlow>
        </Surface>
      </ReactFlowProvider>
    </DoingContext>
  );
}

/** What all nodes of a graph are drawn on. */
function Surface({ children }: { readonly children: ReactNode }) {
  useKnownSizes();
  return <DetailByZoom>{children}</DetailByZoom>;
}

function DressedNode({ id, data: { node, graph, ports, body, calls, dress } }: NodeProps<DressedNodeData>) {
  const { t, isBlock } = useSurface();
  const { toggle, fold, pick } = useContext(DoingContext)!;
  const { className = '', tool, tools, look, isSkipped, isGiven, note, shown } = dress;
  const name = node.title ?? node.id;
  const state = dress.fold ?? body;
  const card = <NodeCard {...{ node, tool, look, isSkipped, isGiven, note, isBlock, t }} />;
  const picker = body === 'open' && shown && pick && (
    <ItemPicker name={name} shown={shown} onPick={(index) => pick(id, graph, index)} />
  );
  const classes = `${css.node} ${body === 'open' ? css.frame : ''} ${className}`;
  const head = `${css.head} ${state ? css.foldable : ''}`;
  if (isBlock)
    return (
      <div className={classes}>
        <div className={head}>{card}</div>
        {picker}
      </div>
    );
  return (
    <div className={classes}>
      <Handle id="in" type="target" position={Position.Left} isConnectable={false} style={{ top: 32 }} />
      <div className={head}>
        {card}
        {state && (
          <button
            type="button"
            className={css.fold}
            aria-expanded={state === 'open'}
            aria-label={t(state === 'open' ? 'canvas.fold' : 'canvas.unfold', { name })}
            onClick={(event) => {
              event.stopPropagation();
              if (dress.fold) fold(id, graph, state === 'open' ? 'closed' : 'open');
              else toggle(id);
            }}
          >
            {state === 'open' ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
          </button>
        )}
      </div>
      {picker}
      {calls === 'open' && <AgentCalls node={node} tools={tools} />}
      {ports.map((port) => (
        <div key={port} className={css.port} style={{ top: portY(ports, port) }}>
          {port && <span className={css.portName}>{port}</span>}
          <Handle
            id={handleOf(port)}
            type="source"
            position={Position.Right}
            isConnectable={false}
            style={{ top: 0 }}
          />
        </div>
      ))}
    </div>
  );
}

/** Which item of a container is shown inside it. */
function ItemPicker({
  name,
  shown: { index, count },
  onPick,
}: {
  readonly name: string;
  readonly shown: NonNullable<Dress['shown']>;
  readonly onPick: (index: number) => void;
}) {
  const { t } = useTranslation();
  const step = (by: number, words: string, Icon: typeof ChevronLeft) => (
    <button
      type="button"
      aria-label={words}
      disabled={index + by < 0 || index + by >= count}
      onClick={(event) => {
        event.stopPropagation();
        onPick(index + by);
      }}
    >
      <Icon size={13} aria-hidden="true" />
    </button>
  );
  return (
    <div className={css.picker} role="group" aria-label={t('graph.items', { name })}>
      {step(-1, t('graph.itemBefore'), ChevronLeft)}
      <span>{t('graph.item', { item: index + 1, count })}</span>
      {step(1, t('graph.itemAfter'), ChevronRight)}
    </div>
  );
}

/** The document with places for all that was never drawn, and with containers folded as the reader wants them. */
function usePlaced(document: FlowDocument) {
  const [laidOut, setLaidOut] = useState<FlowDocument>();
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    let isOver = false;
    placeUndrawn(document).then((placed) => isOver || setLaidOut(placed));
    return () => {
      isOver = true;
    };
  }, [document]);
  const placed = useMemo(() => {
    if (!laidOut) return undefined;
    const folded = changeLayout(laidOut, (layout) => {
      const looks = [...turned].map((id) => {
        const look = lookOf(laidOut, id);
        return [id, { ...look, collapsed: !look.collapsed }] as const;
      });
      return looks.length === 0 ? layout : { ...layout, ...Object.fromEntries(looks) };
    });
    return makeRoom(folded);
  }, [laidOut, turned]);
  const [toggle] = useState(() => (id: string) => {
    setTurned((before) => {
      const now = new Set(before);
      if (!now.delete(id)) now.add(id);
      return now;
    });
  });
  return { placed, toggle };
}
