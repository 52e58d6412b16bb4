import type { ToolInfo } from '@pawl/api';
import { KIND_NAMES, type KindName } from '@pawl/dag-core';
import { Command } from 'cmdk';
import { Frame, StickyNote, X } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Place, useEditing, useEditingStore } from '../../canvas/editing.ts';
import type { Choice, Chosen } from '../../canvas/new-node.ts';
import type { Drawing } from '../../editor/index.ts';
import { EffectBadge } from '../../graph/effect-badge.tsx';
import { KIND_ICONS } from '../../graph/kinds.tsx';
import { DRAGGED } from './canvas-graph.tsx';
import css from './palette.module.css';
import { focusSelected } from './showing.ts';

const MODEL_KINDS: readonly KindName[] = ['llm', 'agent'];

/** Everything that can be put on the canvas: found by typing, chosen by Enter, a click or a drag. */
export function Palette({
  tools,
  input,
  onChoose,
}: {
  readonly tools: readonly ToolInfo[];
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onChoose: (choice: Chosen) => void;
}) {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const place = useEditing((state) => state.place);
  const [search, setSearch] = useState('');
  useEffect(() => {
    if (place) input.current?.focus();
  }, [place, input]);
  const choose = (choice: Chosen) => {
    setSearch('');
    onChoose(choice);
  };
  const kindItem = (kind: KindName) => (
    <Item
      key={kind}
      choice={{ kind }}
      name={t(`canvas.kinds.${kind}`)}
      words={[kind, t(`canvas.kindHints.${kind}`)]}
      onChoose={choose}
    />
  );
  return (
    <Command label={t('canvas.palette')} className={css.palette} data-palette filter={rank} loop>
      <div className={css.search}>
        <Command.Input
          ref={input}
          value={search}
          onValueChange={setSearch}
          placeholder={t('canvas.search')}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            setSearch('');
            editing.getState().set({ place: undefined });
            event.currentTarget.blur();
            focusSelected(editing.getState().selected);
          }}
        />
        <kbd>/</kbd>
      </div>
      {place && (
        <p className={css.place}>
          <span>{placeText(place, t as never)}</span>
          <button
            type="button"
            aria-label={t('canvas.anywhere')}
            title={t('canvas.anywhere')}
            onClick={() => editing.getState().set({ place: undefined })}
          >
            <X size={12} aria-hidden="true" />
          </button>
        </p>
      )}
      <Command.List className={css.list}>
        <Command.Empty className={css.none}>{t('canvas.noneFound')}</Command.Empty>
        <Command.Group heading={t('canvas.groups.model')}>{MODEL_KINDS.map(kindItem)}</Command.Group>
        <Command.Group heading={t('canvas.groups.flow')}>
          {KIND_NAMES.filter((kind) => kind !== 'tool' && !MODEL_KINDS.includes(kind)).map(kindItem)}
        </Command.Group>
        <Command.Group heading={t('canvas.groups.drawing')}>
          {(['note', 'frame'] as const).map((drawing) => (
            <DrawingItem
              key={drawing}
              drawing={drawing}
              name={t(`drawing.${drawing}`)}
              hint={t(`drawing.${drawing}Hint`)}
              onChoose={choose}
            />
          ))}
        </Command.Group>
        {tools.length > 0 && (
          <Command.Group heading={t('canvas.groups.tools')}>
            {tools.map((tool) => (
              <Item
                key={`${tool.name}@${tool.version}`}
                choice={{ kind: 'tool', tool: `${tool.name}@${tool.version}` }}
                name={tool.title ?? tool.name}
                words={[tool.name, tool.description ?? '']}
                tool={tool}
                onChoose={choose}
              />
            ))}
          </Command.Group>
        )}
      </Command.List>
    </Command>
  );
}

function Item({
  choice,
  name,
  words,
  tool,
  onChoose,
}: {
  readonly choice: Choice;
  readonly name: string;
  readonly words: string[];
  readonly tool?: ToolInfo;
  readonly onChoose: (choice: Choice) => void;
}) {
  const Icon = KIND_ICONS[choice.kind];
  return (
    <Command.Item
      value={choice.tool ?? choice.kind}
      keywords={[name, ...words]}
      className={css.item}
      title={words.at(-1)}
      onSelect={() => onChoose(choice)}
      draggable
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED, JSON.stringify(choice))}
    >
      <span className={css.icon}>
        <Icon size={14} strokeWidth={1.8} aria-hidden="true" />
      </span>
      <span className={css.label}>{name}</span>
      {tool && <EffectBadge effect={tool.effect} compensates={tool.compensates} />}
    </Command.Item>
  );
}

function DrawingItem({
  drawing,
  name,
  hint,
  onChoose,
}: {
  readonly drawing: Drawing;
  readonly name: string;
  readonly hint: string;
  readonly onChoose: (choice: Chosen) => void;
}) {
  const Icon = drawing === 'note' ? StickyNote : Frame;
  return (
    <Command.Item
      value={`$${drawing}`}
      keywords={[name, hint]}
      className={css.item}
      title={hint}
      onSelect={() => onChoose({ drawing })}
      draggable
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED, JSON.stringify({ drawing }))}
    >
      <span className={css.icon}>
        <Icon size={14} strokeWidth={1.8} aria-hidden="true" />
      </span>
      <span className={css.label}>{name}</span>
    </Command.Item>
  );
}

/** How well something fits what was typed: its name from the beginning, its name, else what is said of it. */
function rank(_value: string, search: string, [name = '', ...words]: string[] = []): number {
  const wanted = search.trim().toLowerCase();
  const found = name.toLowerCase();
  if (found.startsWith(wanted)) return 1;
  if (found.includes(wanted)) return 0.8;
  return words.some((word) => word.toLowerCase().includes(wanted)) ? 0.4 : 0;
}

/** Where the next node goes, in words. */
function placeText(
  { graph, wire }: Place,
  t: (key: string, values: Readonly<Record<string, unknown>>) => string,
): string {
  if (!wire) return t('canvas.place.inside', { name: graph.at(-1) ?? '' });
  if ('into' in wire) return t('canvas.place.into', { from: wire.into.from, to: wire.into.to });
  if ('to' in wire) return t('canvas.place.before', { name: wire.to });
  return wire.port
    ? t('canvas.place.afterPort', { name: wire.from, port: wire.port })
    : t('canvas.place.after', { name: wire.from });
}
