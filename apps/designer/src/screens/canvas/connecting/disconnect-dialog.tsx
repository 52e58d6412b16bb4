import type { EdgeConfig } from '@pawl/dag-core';
import { Command } from 'cmdk';
import { useTranslation } from 'react-i18next';
import { edgeId } from '../../../canvas/draw-flow.ts';
import { useEditing, useEditingStore } from '../../../canvas/editing.ts';
import { edgesOf, graphAt, nodesById, type PlacedNode } from '../../../editor/index.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import css from './connecting.module.css';

/** Which edge of a node shall go, by keys. */
export function DisconnectDialog({
  found: { node, graph },
  onClose,
}: {
  readonly found: PlacedNode;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const document = useEditing(({ history }) => history.document);
  const here = graphAt(document, graph)!;
  const nameOf = (id: string) => nodesById(here).get(id)?.title ?? id;
  const edges = edgesOf(here).filter(({ from, to }) => from === node.id || to === node.id);
  const wordsOf = ({ from, port, to }: EdgeConfig) => {
    const names = { from: nameOf(from), to: nameOf(to) };
    return port ? t('wiring.edgeBy', { ...names, port }) : t('wiring.edge', names);
  };
  const remove = (edge: EdgeConfig) => {
    editing.getState().perform({ do: 'disconnect', graph, edges: [edge] });
    onClose();
  };
  return (
    <Dialog title={t('wiring.disconnect', { name: node.title ?? node.id })} onClose={onClose}>
      <Command label={t('wiring.edges')} loop>
        <Command.Input autoFocus className={css.search} placeholder={t('wiring.search')} />
        <Command.List className={css.list}>
          <Command.Empty className={css.none}>{t('wiring.noEdge')}</Command.Empty>
          {edges.map((edge) => (
            <Command.Item
              key={edgeId(edge)}
              value={edgeId(edge)}
              keywords={[wordsOf(edge)]}
              className={css.item}
              onSelect={() => remove(edge)}
            >
              {wordsOf(edge)}
            </Command.Item>
          ))}
        </Command.List>
      </Command>
    </Dialog>
  );
}
