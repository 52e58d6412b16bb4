import type { ToolInfo } from '@pawl/api';
import { Link } from '@tanstack/react-router';
import { Handle, type NodeProps, Position } from '@xyflow/react';
import type { TFunction } from 'i18next';
import { ArrowUpRight, ChevronDown, ChevronRight, Pin, Plus } from 'lucide-react';
import { createContext, memo, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { type CanvasNode as CanvasNodeType, handleOf, portY } from '../../canvas/draw-flow.ts';
import { useEditing, useEditingStore } from '../../canvas/editing.ts';
import { NodeCard } from '../../graph/node-card.tsx';
import { NODE_RUN_LOOKS } from '../../graph/status.ts';
import type { NodeRunMoment } from '../../run/history.ts';
import { useMark } from '../../testing/testing.ts';
import css from './canvas-node.module.css';
import { isRunsFlow } from './drill-in/ways-in.ts';
import { NameField } from './name-field.tsx';

/** The tools that workers offer, by `<name>@<version>`. */
export const ToolsContext = createContext<ReadonlyMap<string, ToolInfo>>(new Map());

/** A node with its ports: a card, or a frame around what it holds. */
export const CanvasNode = memo(function CanvasNode({ id, data }: NodeProps<CanvasNodeType>) {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const tools = useContext(ToolsContext);
  const isIllegal = useEditing(({ illegal }) => illegal?.has(id) ?? false);
  const isRenaming = useEditing(({ renaming }) => renaming === id);
  const { node, graph, ports, strayPorts, body, isEmpty, isPinned } = data;
  const mark = useMark(id);
  const name = node.title ?? node.id;
  const tool = node.kind === 'tool' ? tools.get(node.tool) : undefined;
  const ask = (port: string) =>
    editing.getState().set({ place: { graph, wire: port ? { from: id, port } : { from: id } } });
  return (
    <div
      className={`${css.node} ${body === 'open' ? css.frame : ''} ${isIllegal ? css.illegal : ''}`}
      data-kind={node.kind}
    >
      <Handle id="in" type="target" position={Position.Left} style={{ top: 32 }} />
      <div className={css.head}>
        <NodeCard
          node={node}
          tool={tool}
          look={mark && NODE_RUN_LOOKS[mark.status]}
          isSkipped={mark?.status === 'skipped'}
          isGiven={mark?.given !== undefined}
          note={mark ? noteOf(mark, t) : body && t(`canvas.note.${node.kind as 'map' | 'loop'}`)}
        />
        {isPinned && (
          <span className={css.pin} title={t('testing.pinned')}>
            <Pin size={12} aria-hidden="true" />
            <span className={css.unseen}>{t('testing.pinned')}</span>
          </span>
        )}
        {body && (
          <button
            type="button"
            className={`nodrag ${css.fold}`}
            aria-expanded={body === 'open'}
            aria-label={t(body === 'open' ? 'canvas.fold' : 'canvas.unfold', { name })}
            onClick={() =>
              editing
                .getState()
                .perform({ do: 'setLook', ids: [id], collapsed: body === 'open' ? true : null })
            }
          >
            {body === 'open' ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
          </button>
        )}
        {isRunsFlow(node) && (
          <Link
            from="/flows/$flow"
            to="."
            search={(before) => ({ ...before, into: id })}
            className={`nodrag ${css.fold}`}
            aria-label={t('drillIn.open', { flow: node.flow.split('@')[0] })}
            title={t('drillIn.open', { flow: node.flow.split('@')[0] })}
          >
            <ArrowUpRight size={14} aria-hidden="true" />
          </Link>
        )}
        {isRenaming && <NameField id={id} graph={graph} name={name} className={`nodrag ${css.name}`} />}
      </div>
      {isEmpty && (
        <button
          type="button"
          className={`nodrag ${css.inside}`}
          onClick={() => editing.getState().set({ place: { graph: [...graph, id] } })}
        >
          <Plus size={13} aria-hidden="true" /> {t('canvas.addInside')}
        </button>
      )}
      {ports.map((port) => {
        const y = portY(ports, port);
        const isStray = strayPorts?.includes(port) ?? false;
        return (
          <div
            key={port}
            className={`${css.port} ${isStray || port === 'error' ? css.error : ''}`}
            style={{ top: y }}
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
            <button
              type="button"
              tabIndex={-1}
              className={`nodrag nopan ${css.plus}`}
              aria-label={port ? t('canvas.addAfterPort', { name, port }) : t('canvas.addAfter', { name })}
              title={port ? t('canvas.addAfterPort', { name, port }) : t('canvas.addAfter', { name })}
              onClick={(event) => {
                event.stopPropagation();
                ask(port);
              }}
            >
              <Plus size={12} aria-hidden="true" />
            </button>
          </div>
        );
      })}
    </div>
  );
});

/** How a node stands in a test, in a word or two. */
function noteOf({ given, items, status }: NodeRunMoment, t: TFunction): string {
  if (given) return t(`testing.given.${given.origin}`);
  if (items) return t('run.items', items);
  return t(`nodeRunStatus.${status}`);
}
