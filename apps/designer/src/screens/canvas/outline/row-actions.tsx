import type { NodeConfig } from '@pawl/dag-core';
import { Link } from '@tanstack/react-router';
import { ArrowUpRight, CornerDownRight, Pencil, Plus, Trash2, Unplug, Workflow } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditingStore } from '../../../canvas/editing.ts';
import { type GraphPath, innerGraph, knownPorts } from '../../../editor/index.ts';
import button from '../../../ui/button.module.css';
import { Button } from '../../../ui/button.tsx';
import { isRunsFlow } from '../drill-in/ways-in.ts';
import { removeSelected } from '../selected.ts';
import css from './outline.module.css';

/** What can be done with the node of a row. */
export function RowActions({
  node,
  graph,
  name,
  hasEdges,
}: {
  readonly node: NodeConfig;
  readonly graph: GraphPath;
  readonly name: string;
  readonly hasEdges: boolean;
}) {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const { id } = node;
  const { set } = editing.getState();
  const action = (words: string, icon: ReactNode, act: () => void) => (
    <Button key={words} onClick={act}>
      {icon} {words}
    </Button>
  );
  return (
    <div role="group" className={css.actions} aria-label={t('outline.actions', { name })}>
      {(knownPorts(node) ?? ['']).map((port) =>
        action(
          port ? t('outline.addBy', { port }) : t('outline.add'),
          <Plus size={14} aria-hidden="true" />,
          () => set({ place: { graph, wire: port ? { from: id, port } : { from: id } } }),
        ),
      )}
      {innerGraph(node) &&
        action(t('canvas.addInside'), <CornerDownRight size={14} aria-hidden="true" />, () =>
          set({ place: { graph: [...graph, id] } }),
        )}
      {isRunsFlow(node) && (
        <Link
          from="/flows/$flow"
          to="."
          search={(before) => ({ ...before, into: id })}
          className={button.button}
        >
          <ArrowUpRight size={14} aria-hidden="true" /> {t('drillIn.open', { flow: node.flow.split('@')[0] })}
        </Link>
      )}
      {action(t('outline.connect'), <Workflow size={14} aria-hidden="true" />, () =>
        set({ wiring: { id, does: 'connect' } }),
      )}
      {hasEdges &&
        action(t('outline.disconnect'), <Unplug size={14} aria-hidden="true" />, () =>
          set({ wiring: { id, does: 'disconnect' } }),
        )}
      {action(t('outline.rename'), <Pencil size={14} aria-hidden="true" />, () => set({ renaming: id }))}
      {action(t('outline.remove'), <Trash2 size={14} aria-hidden="true" />, () =>
        removeSelected(editing.getState()),
      )}
    </div>
  );
}
