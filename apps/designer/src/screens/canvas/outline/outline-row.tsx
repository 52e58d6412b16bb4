import { callNameOf } from '@pawl/dag-core';
import { ChevronDown, ChevronRight, Pin } from 'lucide-react';
import { memo, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditing, useEditingStore } from '../../../canvas/editing.ts';
import type { OutlineItem } from '../../../canvas/outline.ts';
import { callsOf, innerGraph, lookOf, type Problem } from '../../../editor/index.ts';
import { worstTool } from '../../../graph/agent-calls.tsx';
import { EffectBadge } from '../../../graph/effect-badge.tsx';
import { KIND_ICONS } from '../../../graph/kinds.tsx';
import { NODE_RUN_LOOKS } from '../../../graph/status.ts';
import { useMark } from '../../../testing/testing.ts';
import { ToolsContext } from '../canvas-node.tsx';
import { NameField } from '../name-field.tsx';
import { useShow } from '../showing.ts';
import css from './outline.module.css';
import { RowActions } from './row-actions.tsx';

/** One node in the list: what it is, where it stands, what is wrong with it and, once it is selected, what can be done with it. */
export const OutlineRow = memo(function OutlineRow({
  item: { node, graph, after, leads, reads, inside, isPinned },
  problems,
  isCurrent,
}: {
  readonly item: OutlineItem;
  readonly problems: readonly Problem[];
  /** The one that Tab leads to. */
  readonly isCurrent: boolean;
}) {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const tools = useContext(ToolsContext);
  const isSelected = useEditing(({ selected }) => selected.includes(node.id));
  const isRenaming = useEditing(({ renaming }) => renaming === node.id);
  const isFolded = useEditing(({ history }) => lookOf(history.document, node.id).collapsed === true);
  const show = useShow();
  const mark = useMark(node.id);
  const look = mark && NODE_RUN_LOOKS[mark.status];
  const name = node.title ?? node.id;
  const tool = worstTool(node, tools);
  const Icon = KIND_ICONS[node.kind];
  const join = (names: readonly string[]) => names.join(t('outline.comma'));
  const led = leads.map(({ port, to }) => (port ? t('outline.byPort', { to, port }) : to));
  return (
    <div className={`${css.row} ${isSelected ? css.selected : ''}`}>
      {innerGraph(node) ? (
        <button
          type="button"
          tabIndex={-1}
          className={css.fold}
          aria-expanded={!isFolded}
          aria-label={t(isFolded ? 'canvas.unfold' : 'canvas.fold', { name })}
          onClick={() =>
            editing.getState().perform({ do: 'setLook', ids: [node.id], collapsed: isFolded ? null : true })
          }
        >
          {isFolded ? <ChevronRight size={14} /> : <ChevronDown size={14} />}
        </button>
      ) : (
        <span />
      )}
      {isRenaming && <NameField id={node.id} graph={graph} name={name} className={css.rename} />}
      <button
        type="button"
        data-row={node.id}
        tabIndex={isCurrent ? 0 : -1}
        aria-current={isSelected}
        className={css.node}
        onClick={() => show(node.id)}
      >
        <span className={css.icon}>
          <Icon size={15} strokeWidth={1.8} aria-hidden="true" />
        </span>
        <span className={css.title}>{name}</span>
        {tool && <EffectBadge effect={tool.effect} compensates={tool.compensates} />}
        {isPinned && <Pin size={12} aria-label={t('testing.pinned')} />}
        {look && mark && (
          <span className={`${css.status} ${css[look.tone]}`}>
            <span aria-hidden="true">{look.sign}</span> <span>{t(`nodeRunStatus.${mark.status}`)}</span>
          </span>
        )}
        {problems.length > 0 && (
          <span className={problems.some(({ severity }) => severity === 'error') ? css.error : css.warning}>
            <span aria-hidden="true">!</span> {t('canvas.problemCount', { count: problems.length })}
          </span>
        )}
        <span className={css.ways}>
          <span>{t(`canvas.kinds.${node.kind}`)}</span>
          {after.length > 0 && <span>{t('outline.after', { names: join(after) })}</span>}
          {led.length > 0 && <span>{t('outline.leads', { names: join(led) })}</span>}
          {reads && reads.length > 0 && <span>{t('outline.reads', { names: join(reads) })}</span>}
          {callsOf(node).length > 0 && (
            <span>{t('outline.calls', { names: join(callsOf(node).map(callNameOf)) })}</span>
          )}
          {inside?.length === 0 && <span>{t('outline.holdsNothing')}</span>}
        </span>
      </button>
      {isSelected && <RowActions {...{ node, graph, name }} hasEdges={after.length + leads.length > 0} />}
    </div>
  );
});
