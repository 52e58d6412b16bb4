import { useTranslation } from 'react-i18next';
import { useEditingStore } from '../../canvas/editing.ts';
import type { GraphPath } from '../../editor/index.ts';
import { elementOf } from './showing.ts';

/** The name of a node, written where it is read: on its card, or in its row. */
export function NameField({
  id,
  graph,
  name,
  className,
}: {
  readonly id: string;
  readonly graph: GraphPath;
  readonly name: string;
  readonly className?: string | undefined;
}) {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const done = (value: string | undefined) => {
    const state = editing.getState();
    if (state.renaming !== id) return;
    state.set({ renaming: undefined });
    const title = value?.trim();
    if (title && title !== name)
      state.perform({ do: 'setSetting', graph, id, pointer: '/title', value: title });
    elementOf(id)?.focus();
  };
  return (
    <input
      className={className}
      aria-label={t('canvas.name')}
      defaultValue={name}
      // biome-ignore lint/a11y/noAutofocus: a person asked to write here.
      autoFocus
      onFocus={({ target }) => target.select()}
      onBlur={({ target }) => done(target.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') done(event.currentTarget.value);
        if (event.key === 'Escape') done(undefined);
      }}
    />
  );
}
