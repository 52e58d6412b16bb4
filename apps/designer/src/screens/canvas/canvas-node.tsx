import type { ToolInfo } from '@pawl/api';
import { Link } from '@tanstack/react-router';
import { Handle, type NodeProps, Position } from '@xyflow/react';
import type { TFunction } from 'i18next';
import { ArrowUpRight, ChevronDown, ChevronRight, Pin, Plus } from 'lucide-react';
import { createContext, memo, useContext, useState } from 'react';
import { type CanvasNode as CanvasNodeType, handleOf, isDrawnAlike, portY } from '../../canvas/draw-flow.ts';
import { useEditing, useEditingStore } from '../../canvas/editing.ts';
import { AgentCalls, worstTool } from '../../graph/agent-calls.tsx';
import { useSurface } from '../../graph/detail.tsx';
import { NodeCard } from '../../graph/node-card.tsx';
import { NODE_RUN_LOOKS } from '../../graph/status.ts';
import type { NodeRunMoment } from '../../run/history.ts';
import { useMark } from '../../testing/testing.ts';
import css from './canvas-node.module.css';
import { isRunsFlow } from './drill-in/ways-in.ts';
import { NameField } from './name-field.tsx';

/** The tools that workers offer, by `<name>@<version>`. */
export const ToolsContext = createContext<ReadonlyMap<string, ToolInfo>>(new Map());

/** A node with its ports: a card, or a frame around what it holds. From far away it is a block. */
export const CanvasNode = memo(DrawnNode, isDrawnAlike);

function DrawnNode({ id, data, selected }: NodeProps<CanvasNodeType>) {
  const { t, isBlock } = useSurface();
  const tools = useContext(ToolsContext);
  const isIllegal = useEditing(({ illegal }) => illegal?.has(id) ?? false);
  const isRenaming = useEditing(({ renaming }) => renaming === id);
  const mark = useMark(id);
  const [isPointedAt, setPointedAt] = useState(false);
  const { node, graph, body, calls, isPinned } = data;
  const name = node.title ?? node.id;
  return (
    <div
      className={`${css.node} ${body === 'open' ? css.frame : ''} ${isIllegal ? css.illegal : ''}`}
      data-kind={node.kind}
      // Once it was, it is kept: what is seen of it is up to the styles.
      onPointerEnter={() => setPointedAt(true)}
    >
      <div className={`${css.head} ${calls ? css.foldable : ''}`}>
        <NodeCard
          node={node}
          tool={worstTool(node, tools)}
          look={mark && NODE_RUN_LOOKS[mark.status]}
          isSkipped={mark?.status === 'skipped'}
          isGiven={mark?.given !== undefined}
          note={mark && noteOf(mark, t)}
          isBlock={isBlock}
          t={t}
        />
        {!isBlock && (body || calls || isPinned || isRunsFlow(node)) && <HeadParts {...{ data, name, t }} />}
        {isRenaming && <NameField id={id} graph={graph} name={name} className={`nodrag ${css.name}`} />}
      </div>
      {!isBlock && calls === 'open' && <AgentCalls node={node} tools={tools} />}
      {!isBlock && <Ports {...{ data, name, t }} canAdd={isPointedAt || selected} />}
    </div>
  );
}

interface PartProps {
  readonly data: CanvasNodeType['data'];
  readonly name: string;
  readonly t: TFunction;
}

/** What stands on the card of some nodes. */
function HeadParts({ data: { node, body, calls, isPinned }, name, t }: PartProps) {
  const fold = body ?? calls;
  const editing = useEditingStore();
  const opens = isRunsFlow(node) && t('drillIn.open', { flow: node.flow.split('@')[0] });
  return (
    <>
      {isPinned && (
        <span className={css.pin} title={t('testing.pinned')}>
          <Pin size={12} aria-hidden="true" />
          <span className={css.unseen}>{t('testing.pinned')}</span>
        </span>
      )}
      {fold && (
        <button
          type="button"
          className={`nodrag ${css.fold}`}
          aria-expanded={fold === 'open'}
          aria-label={t(fold === 'open' ? 'canvas.fold' : 'canvas.unfold', { name })}
          onClick={() =>
            editing.getState().perform({
              do: 'setLook',
              ids: [node.id],
              collapsed: fold === 'open' ? true : body ? null : false,
            })
          }
        >
          {fold === 'open' ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
        </button>
      )}
      {opens && (
        <Link
          from="/flows/$flow"
          to="."
          search={(before) => ({ ...before, into: node.id })}
          className={`nodrag ${css.fold}`}
          aria-label={opens}
          title={opens}
        >
          <ArrowUpRight size={14} aria-hidden="true" />
        </Link>
      )}
    </>
  );
}

/** Where edges enter and leave. */
function Ports({ data, name, t, canAdd }: PartProps & { readonly canAdd: boolean }) {
  const { node, graph, ports, strayPorts, isEmpty } = data;
  const editing = useEditingStore();
  return (
    <>
      <Handle id="in" type="target" position={Position.Left} style={{ top: 32 }} />
      {isEmpty && (
        <button
          type="button"
          className={`nodrag ${css.inside}`}
          onClick={() => editing.getState().set({ place: { graph: [...graph, node.id] } })}
        >
          <Plus size={13} aria-hidden="true" /> {t('canvas.addInside')}
        </button>
      )}
      {ports.map((port) => {
        const isStray = strayPorts?.includes(port) ?? false;
        return (
          <div
            key={port}
            className={`${css.port} ${isStray || port === 'error' ? css.error : ''}`}
            style={{ top: portY(ports, port) }}
          >
            {port && (
              <span
                className={css.portName}
                title={isStray ? t('canvas.refused.port', { name, port }) : port}
              >
                {isStray && `✕ `}
                {port}
              </span>
            )}
            <Handle id={handleOf(port)} type="source" position={Position.Right} style={{ top: 0 }} />
            {canAdd && <AddAfter {...{ data, name, port, t }} />}
          </div>
        );
      })}
    </>
  );
}

/** Adds a node behind a port. */
function AddAfter({ data: { node, graph }, name, port, t }: PartProps & { readonly port: string }) {
  const editing = useEditingStore();
  const words = port ? t('canvas.addAfterPort', { name, port }) : t('canvas.addAfter', { name });
  return (
    <button
      type="button"
      tabIndex={-1}
      className={`nodrag nopan ${css.plus}`}
      aria-label={words}
      title={words}
      onClick={(event) => {
        event.stopPropagation();
        editing.getState().set({ place: { graph, wire: { from: node.id, ...(port && { port }) } } });
      }}
    >
      <Plus size={12} aria-hidden="true" />
    </button>
  );
}

/** How a node stands in a test, in a word or two. */
function noteOf({ given, items, status }: NodeRunMoment, t: TFunction): string {
  if (given) return t(`testing.given.${given.origin}`);
  if (items) return t('run.items', items);
  return t(`nodeRunStatus.${status}`);
}
